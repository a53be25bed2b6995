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


def coded(kind, codes, x, *labels, **options):
    codes = np.array(codes)
    return kind(name="c", x=x, codes=codes, palette=("",) * 2, labels=labels, **options)


@pytest.mark.parametrize(
    ("layer", "words"),
    [
        (line([1, 2, 3], [0.2, 0.1, 0.3]), "mean from 0.2 at 1 to 0.3 at 3, lowest 0.1 at 2"),
        (line([1, 2, 3], [0.2, np.nan, 0.3]), "mean from 0.2 at 1 to 0.3 at 3"),
        (line([1, 1e10], [0.5, 0.5 + 1e-4]), "mean from 0.5 at 1 to 0.5001 at 10,000,000,000"),
        (line([0, 4], 0.25, "threshold"), "threshold at 0.25"),
        (line(2, [0, 1], "k in use"), "k in use, a vertical line at 2"),
        (
            Band(name="band", label="± 2 s.e.", x=[1, 2], lower=[0, 0.1], upper=[1, 0.5]),
            "± 2 s.e. 0 to 1 at 1, 0.1 to 0.5 at 2",
        ),
        (dot(3, 0.5, label="this sample"), "this sample 0.5 at 3"),
    ],
)
def test_lines_and_single_points_are_read_over_x(layer, words):
    assert panel_words(Panel(AXES, [layer])) == f"Risk. Over neighbors k: {words}."


@pytest.mark.parametrize(
    ("layer", "words"),
    [
        (fill([[True, False]], "misled points"), "misled points on 50.0%"),
        (raster([[0, 2]], "low", "mid", "high"), "low on 50.0%; high on 50.0%"),
        (coded(Points, [0, 1, 1], [0, 1, 2], "no", "yes", y=0, markers=()), "points (1 no, 2 yes)"),
        (
            coded(Bars, [1, 1, 0, 0], [0, 1, 0, 1], "TP", "TN", heights=[1, 1, 0.25, 0.5]),
            "TP 0.25, 0.5; TN 0.75, 0.5",
        ),
        (line([0, 1, 0], [0, 1, 2], "Bayes boundary"), "Bayes boundary"),
    ],
)
def test_sets_and_points_are_counted_and_closed_lines_named(layer, words):
    assert panel_words(Panel(AXES, [layer], says="It rains.")) == f"Risk. It rains. Shown: {words}."


def test_what_has_no_label_or_stands_among_the_numbers_is_not_said():
    layers = [line([0, 1], 0.3, None), line([0, 1], 0.3, "Bayes risk"), line([], [])]
    assert panel_words(Panel(AXES, layers), ("Bayes risk",)) == "Risk."


def test_a_number_whose_last_bit_differs_looks_the_same():
    assert format_number(99.99) == "99.99"
    assert format_number(100 - 1e-9) == "100"
    assert format_number(828.2412) == "828.24"
    assert format_number({"a": 0.25, "b": 3}) == "a: 0.25, b: 3"
    assert format_number(Count(9, 11)) == "9 of 11"
    assert format_number(0.0031) == "0.003"


def test_fractions_of_a_triangle_are_those_of_its_cells():
    regions = raster([[0, 1], [2, 2]], "a", "b")
    errs = fill([[False, True], [False, False]], "errs")
    triangle = Axes("simplex", "Simplex", "", "", (0, 1), (0, 1), bare=True)
    words = panel_words(Panel(triangle, [regions, errs]))
    assert words == "Simplex. Shown: a on 50.0%; b on 50.0%; errs on 50.0%."
