"""Processes of bags in pictures, tested on their layers: the simplex, fractions and bags at one eta, M as a table."""

import numpy as np
import pytest

from knnviz.labs import LearnabilityLab
from knnviz.labs.learnability import panels as view
from knnviz.labs.learnability.process import BAG_NAMES
from knnviz.learnability import (
    EXAMPLES,
    cooccurrence,
    frequency,
    indistinguishable_etas,
    misaligned_eta,
    misaligned_fraction,
)
from knnviz.views import marks, style, triangle

UNSURE = np.array([0.5, 0.3, 0.2])
PROCESS = EXAMPLES["a mixture of two"].process
TOGETHER = cooccurrence(PROCESS)


def layers(panel):
    """The layers of a panel by name."""
    return {layer.name: layer for layer in panel.drawn.layers}


@pytest.mark.parametrize("n_classes", [2, 3])
def test_a_cell_has_the_colour_of_the_eta_that_stands_in_it(n_classes):
    etas = view.eta_at_cells(n_classes)
    layer = view.regions(n_classes)
    left, right, bottom, top = layer.extent
    rows, columns = layer.codes.shape
    for eta in etas[:: len(etas) // 60]:
        x, y = view.position(eta)
        row = int((y - bottom) / (top - bottom) * rows)
        column = int(round((x - left) / (right - left) * columns - 0.5, 6))
        assert layer.palette[layer.codes[row, column]] == style.region_palette(n_classes)[eta.argmax()]
    assert layer.labels == tuple(f"best: {c}" for c in range(n_classes))


def test_nothing_is_coloured_or_hatched_outside_the_triangle():
    regions, misled = view.regions(3), view.counting_errs(EXAMPLES["permutation"].process)
    outside = regions.codes == 3
    assert regions.palette[3].endswith("00")
    assert outside[-1].sum() > 0.9 * outside.shape[1]
    assert np.array_equal(misled.cells, ~outside)
    assert misled.extent == regions.extent


@pytest.mark.parametrize("name", ["two never apart", "permutation", "labels themselves", "first expert"])
def test_what_is_hatched_is_where_counting_costs(name):
    """The fraction of the cells, which are a few thousand, is near the exact one."""
    process = EXAMPLES[name].process
    misled, inside = view.counting_errs(process), view.regions(process.shape[1]).codes < process.shape[1]
    assert misled.cells.any() == (name != "labels themselves")
    assert misled.cells.sum() / inside.sum() == pytest.approx(misaligned_fraction(process), abs=0.02)


def test_handles_on_the_segment_stand_at_one_height_and_are_seen_at_its_ends():
    frame = LearnabilityLab(model="first expert").simplex.axes()
    for first in (0.0, 0.5, 1.0):
        x, y = view.position(np.array([first, 1 - first]))
        assert y == marks.HANDLE_HEIGHT
        assert frame.xlim[0] < x < frame.xlim[1]
    line, mark = view.handle(np.array([0.7, 0.3]))
    assert (line.x.tolist(), mark.x[0]) == ([pytest.approx(0.7)] * 2, pytest.approx(0.7))
    assert (mark.handles, mark.spoken, mark.align) == (("P(y | x)",), ("label 0 0.7, label 1 0.3",), "right")
    (mark,) = view.handle(UNSURE)
    assert mark.spoken == ("label 0 0.5, label 1 0.3, label 2 0.2",)


def test_lines_over_the_segment_are_how_often_bags_hold_a_label():
    process = EXAMPLES["first expert"].process
    lines = view.frequency_lines(process)
    for eta in ([1, 0], [0.25, 0.75], [0, 1]):
        at = [np.interp(eta[0], line.x, line.y) for line in lines]
        assert at == pytest.approx(frequency(process, eta), abs=1e-6)
    assert [line.color for line in lines] == [style.class_color(0), style.class_color(1)]


@pytest.mark.parametrize(("name", "count"), [("a mixture of two", 1), ("labels themselves", 3), ("all bags", 0)])
def test_borders_run_once_between_parts_where_two_labels_are_first(name, count):
    process = np.eye(8)[:, [7, 7, 7]] if name == "all bags" else EXAMPLES[name].process
    line = layers(LearnabilityLab().show_process(process).simplex)["borders"]
    drawn = np.stack([line.x, line.y], axis=1).reshape(-1, 3, 2)
    assert len(drawn) == count
    assert np.isnan(drawn[:, 2]).all()
    for x, y in drawn[:, :2].reshape(-1, 2):
        eta = triangle.weights_at(float(x), float(y))
        assert eta.min() > -1e-6
        *_, second, first = np.sort(cooccurrence(process) @ eta)
        assert first == pytest.approx(second, abs=1e-6)
    middles = drawn[:, :2].mean(axis=1)
    assert len(np.unique(middles.round(6), axis=0)) == count
    assert all(triangle.weights_at(*map(float, middle)).min() > 0.01 for middle in middles), "no side of the triangle"


@pytest.mark.parametrize("name", ["two never apart", "always both"])
def test_witnesses_are_marked_where_there_are_any(name):
    shown = EXAMPLES[name].process
    ends, lone = indistinguishable_etas(shown), misaligned_eta(shown)
    line, dots = view.same_bags(shown)
    at = [view.position(each) for each in ends]
    assert np.stack([dots.x, dots.y], axis=1) == pytest.approx(np.array(at))
    assert (line.x.tolist(), dots.labels) == (dots.x.tolist(), ("the same bags",))
    one = view.misaligned_eta(lone)
    assert (one.x[0], one.y[0]) == pytest.approx(view.position(lone))
    assert one.labels == ("not aligned here",)
    (*_, mark), other = view.handle(ends[0], ends[1]), view.other_eta(ends[1], ends[0])
    assert {mark.align, other.align} == {"left", "right"}
    assert (other.x[0], other.y[0]) == pytest.approx(at[1])
    assert not other.handles
    for none in (*view.same_bags(np.eye(8)[:, [1, 2, 4]]), view.misaligned_eta(None)):
        assert len(none.x) == 0
        assert not getattr(none, "labels", ())


def apart(left, right):
    """Whether bars and those to the right of them do not touch, nor the next ones."""
    inner, outer = left.x + left.width / 2 <= right.x - right.width / 2, right.x + right.width / 2
    return inner.all() and (outer[:-1] < (left.x - left.width / 2)[1:]).all()


def across(ticks, bars, heights):
    """Ticks stand in the middle of bars, as high as they should."""
    ends = ticks.x.reshape(-1, 3)[:, :2]
    assert ends.mean(axis=1) == pytest.approx(bars.x, abs=1e-6)
    assert ticks.y.reshape(-1, 3)[:, 0] == pytest.approx(heights, abs=1e-6)


def test_fractions_and_bags_of_two_worlds_stand_side_by_side_with_ticks_of_the_sample_on_them():
    lab = LearnabilityLab(model="a mixture of two", n=100)
    world = lab.bag_process.world
    (alone, ticks) = layers(lab.bags).values()
    assert (alone.x.tolist(), alone.labels) == (list(range(8)), ())
    across(ticks, alone, lab.sample.bag_fractions)
    other = lab.set(beside="same bags").findings.other
    drawn = layers(lab.fractions)
    assert drawn["truth"].heights == pytest.approx(UNSURE, abs=1e-6)
    assert drawn["frequency"].heights == pytest.approx(TOGETHER @ UNSURE, abs=1e-6)
    assert apart(drawn["truth"], drawn["frequency"])
    across(drawn["other_truth"], drawn["truth"], other.eta)
    across(drawn["sample_frequency"], drawn["frequency"], lab.sample.frequency)
    drawn = layers(lab.bags)
    assert (drawn["distribution"].labels, drawn["other_distribution"].labels) == (("this world",), ("other world",))
    assert drawn["distribution"].heights == pytest.approx(world.bag_distribution, abs=1e-6)
    assert lab.bags.axes().ylim == (0, 0.5)
    assert drawn["other_distribution"].heights == pytest.approx(other.bag_distribution, abs=1e-6)
    assert apart(drawn["distribution"], drawn["other_distribution"])
    across(drawn["drawn"], drawn["distribution"], lab.sample.bag_fractions)


def test_bags_are_named_by_their_labels():
    assert BAG_NAMES == ("∅", "0", "1", "01", "2", "02", "12", "012")
    frame = LearnabilityLab().process.axes()
    assert dict(zip(frame.ynames, frame.yticks, strict=True)) == {name: 7.5 - row for row, name in enumerate(BAG_NAMES)}
    assert LearnabilityLab(model="first expert").bags.axes().xnames == ("∅", "0", "1", "01")


def test_the_table_holds_each_probability_in_its_row_and_column():
    shade, numbers = view.table(PROCESS, 14.0, 3)
    found = {
        (round(float(x - 0.5)), round(float(7.5 - y), 4)): text
        for x, y, text in zip(numbers.x, numbers.y, numbers.texts, strict=True)
    }
    for bag in range(8):
        for label in range(3):
            probability = PROCESS[bag, label]
            assert found[label, bag] == ("·" if probability == 0 else f"{probability:g}"[1:])
            assert shade.codes[7 - bag, label] == round(10 * probability)
    frame = view.column_frame(1, 8)
    assert (frame.x.min(), frame.x.max()) == (pytest.approx(1.03), pytest.approx(1.97))
    assert len(set(shade.palette)) == 11


def test_a_probability_has_a_shade_and_zero_has_none():
    process = np.zeros((4, 2))
    process[:2, 0], process[3, 1] = [1e-4, 1 - 1e-4], 1
    shade, _ = view.table(process, 14.0, 3)
    assert shade.codes[::-1].tolist() == [[1, 0], [10, 0], [0, 0], [0, 10]]


def test_short_numbers():
    three = {0: "·", 1: "1", 1 / 3: ".333", 0.5: ".5", 0.0004: "≈0", 0.0006: ".001", 0.9996: "≈1"}
    two = {0: "·", 1: "1", 1 / 3: ".33", 0.1: ".1", 0.004: "≈0"}
    for digits, texts in ((3, three | {1 - 1e-12: "1", 1e-12: "·"}), (2, two)):
        assert {probability: view.entry_text(probability, digits) for probability in texts} == texts


def test_words():
    lab = LearnabilityLab(model="a mixture of two")
    assert lab.fractions.alt_text() == (
        "P(y | x) and how often a bag holds y: label 0: 0.5 and 0.76; label 1: 0.3 and 0.64; label 2: 0.2 and 0."
    )
    matrix = np.zeros((4, 2))
    matrix[[0, 3], 0], matrix[2, 1] = [0.25, 0.75], 1
    lab.show_process(matrix)
    assert lab.process.alt_text() == "Bags if label 0 is true: ∅ 0.25, {01} 0.75; if label 1 is true: {1} 1."
