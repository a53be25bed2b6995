"""Words that follow from layers: what is on show, and where curves begin, end and turn."""

import numpy as np
import pytest

from knnviz.labs.engine.words import Count, format_number, panel_words
from knnviz.views.layers import Axes, Band, Bars, Fill, Lines, Panel, Points, Raster
from knnviz.views.marks import dot

AXES = Axes("risk", "Risk", "neighbors k", "risk", (0, 4), (0, 1))
EXTENT = 0.0, 1.0, 0.0, 1.0


def line(x, y, label="mean"):
    return Lines(name="line", label=label, x=x, y=y)


def fill(cells, label):
    return Fill(name="set", label=label, cells=np.array(cells), extent=EXTENT)


def raster(codes, *labels):
    codes = np.array(codes, np.uint8)
    return Raster(name="regions", codes=codes, palette=("",) * 3, labels=labels, extent=EXTENT)


def coded(kind, codes, x, **options):
    labels = ("no", "yes")
    return kind(name="c", x=x, codes=np.array(codes), palette=("",) * 2, labels=labels, **options)


OVER = "Over neighbors k: "


@pytest.mark.parametrize(
    ("layer", "words"),
    [
        (
            line([1, 2, 3], [0.2, 0.1, 0.3]),
            f"{OVER}mean from 0.2 at 1 to 0.3 at 3, lowest 0.1 at 2",
        ),
        (line([1, 2, 3], [0.2, np.nan, 0.3]), f"{OVER}mean from 0.2 at 1 to 0.3 at 3"),
        (line([1, 1e10], 0.25), f"{OVER}mean at 0.25"),
        (line(2e10, [0, 1]), f"{OVER}mean, a vertical line at 20,000,000,000"),
        (
            Band(name="band", label="± 2 s.e.", x=[1, 2], lower=[0, 0.1], upper=[1, 0.5]),
            f"{OVER}± 2 s.e. 0 to 1 at 1, 0.1 to 0.5 at 2",
        ),
        (dot(3, 0.5, label="this sample"), f"{OVER}this sample 0.5 at 3"),
        (fill([[True, False]], "misled points"), "Shown: misled points on 50.0%"),
        (raster([[0, 2]], "low", "mid", "high"), "Shown: low on 50.0%; high on 50.0%"),
        (coded(Points, [0, 1, 1], [0, 1, 2], y=0, markers=()), "Shown: points (1 no, 2 yes)"),
        (
            coded(Bars, [1, 1, 0, 0], [0, 1, 0, 1], heights=[1, 1, 0.25, 0.5]),
            "Shown: no 0.25, 0.5; yes 0.75, 0.5",
        ),
        (line([0, 1, 0], [0, 1, 2]), "Shown: mean"),
    ],
)
def test_curves_are_read_over_x_and_sets_and_points_are_counted(layer, words):
    assert panel_words(Panel(AXES, [layer], says="It rains.")) == f"Risk. It rains. {words}."


def test_what_has_no_label_or_stands_among_the_numbers_is_not_said():
    layers = [line([0, 1], 0.3, None), line([0, 1], 0.3, "Bayes risk"), line([], [])]
    assert panel_words(Panel(AXES, layers), ("Bayes risk",)) == "Risk."


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (99.99, "99.99"),
        (100 - 1e-9, "100"),
        (828.2412, "828.24"),
        (0.0031, "0.003"),
        ({"a": 0.25, "b": Count(9, 11)}, "a: 0.25, b: 9 of 11"),
    ],
)
def test_a_number_whose_last_bit_differs_looks_the_same(number, text):
    assert format_number(number) == text


def test_fractions_of_a_triangle_are_those_of_its_cells():
    regions = raster([[0, 1], [2, 2]], "a", "b")
    errs = fill([[False, True], [False, False]], "errs")
    triangle = Axes("simplex", "Simplex", "", "", (0, 1), (0, 1), bare=True)
    words = panel_words(Panel(triangle, [regions, errs]))
    assert words == "Simplex. Shown: a on 50.0%; b on 50.0%; errs on 50.0%."
