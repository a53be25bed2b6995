"""LearnabilityLab's layers: the simplex, fractions and bags at one eta."""

import numpy as np
import pytest

from knnviz.labs import LearnabilityLab
from knnviz.labs import learnability as lab
from knnviz.learnability import EXAMPLES, cooccurrence, frequency, misaligned_fraction
from knnviz.views import style, triangle

UNSURE = np.array([0.5, 0.3, 0.2])
PROCESS = EXAMPLES["a mixture of two"].process

#: Every bag holds all labels.
ALL_BAGS = np.eye(8)[:, [7, 7, 7]]


@pytest.mark.parametrize("n_classes", [2, 3])
def test_a_cell_has_the_color_of_the_eta_that_stands_in_it(n_classes):
    etas = lab.eta_at_cells(n_classes)
    layer = lab.regions(n_classes)
    left, right, bottom, top = layer.extent
    rows, columns = layer.codes.shape
    colors = style.region_palette(n_classes)
    for eta in etas[:: len(etas) // 60]:
        x, y = lab.position(eta)
        row = int((y - bottom) / (top - bottom) * rows)
        across = (x - left) / (right - left) * columns
        column = int(round(across - 0.5, 6))
        code = layer.codes[row, column]
        assert layer.palette[code] == colors[eta.argmax()]


@pytest.mark.parametrize(
    "name", ["two never apart", "permutation", "labels themselves", "first expert"]
)
def test_what_is_hatched_is_where_counting_costs(name):
    """The fraction of the cells, which are a few thousand, is near the exact one."""
    process = EXAMPLES[name].process
    n_classes = process.shape[1]
    misled = lab.counting_errs(process).cells
    inside = lab.regions(n_classes).codes < n_classes
    assert not misled[~inside].any()

    fraction = misled.sum() / inside.sum()
    assert fraction == pytest.approx(misaligned_fraction(process), abs=0.02)


def test_lines_over_the_segment_are_how_often_bags_hold_a_label():
    process = EXAMPLES["first expert"].process
    lines = lab.frequency_lines(process)
    for eta in ([1, 0], [0.25, 0.75], [0, 1]):
        at = [np.interp(eta[0], line.x, line.y) for line in lines]
        assert at == pytest.approx(frequency(process, eta), abs=1e-6)


@pytest.mark.parametrize(
    ("name", "count"), [("a mixture of two", 1), ("labels themselves", 3), ("all bags", 0)]
)
def test_borders_run_once_between_parts_where_two_labels_are_first(name, count):
    process = ALL_BAGS if name == "all bags" else EXAMPLES[name].process
    line = lab.borders(process)
    drawn = np.stack([line.x, line.y], axis=1).reshape(-1, 3, 2)
    assert len(drawn) == count

    ends = drawn[:, :2]
    for x, y in ends.reshape(-1, 2).tolist():
        eta = triangle.weights_at(x, y)
        *_, second, first = np.sort(cooccurrence(process) @ eta)
        assert first == pytest.approx(second, abs=1e-6)

    middles = ends.mean(axis=1)
    assert len(np.unique(middles.round(6), axis=0)) == count
    for x, y in middles.tolist():
        assert triangle.weights_at(x, y).min() > 0.01, "no side of the triangle"


def test_fractions_and_bags_are_those_of_both_worlds_and_the_sample():
    shown = LearnabilityLab(model="a mixture of two", n=100, beside="same bags")
    drawn = {}
    for panel in ("fractions", "bags", "eta"):
        drawn |= {layer.name: layer for layer in shown.panel(panel).layers}

    other = lab.other_world(PROCESS, UNSURE, "same bags")
    heights = {
        "truth": UNSURE,
        "frequency": cooccurrence(PROCESS) @ UNSURE,
        "distribution": PROCESS @ UNSURE,
        "other_distribution": other.bags,
        "this world": UNSURE,
        "other world": other.eta,
    }
    for name, expected in heights.items():
        assert drawn[name].heights == pytest.approx(expected), name
    numbers = [f"{each:.2f}".removeprefix("0") for each in other.eta]
    assert drawn["other world, numbers"].texts == tuple(numbers)
    assert "least squares" not in drawn, "this process is short of rank"

    sample = lab.draw_sample(PROCESS, UNSURE, 100, 0)
    counts = [int(text) for text in drawn["counts"].texts]
    assert counts == [round(100 * each) for each in sample.bags if each]
    assert drawn["sample_frequency"].y[::3] == pytest.approx(sample.held)
    assert drawn["drawn"].y[::3] == pytest.approx(sample.bags)
