"""Processes of bags in pictures, tested on their layers: the simplex, shares and bags at one eta, M as a table."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from knnviz.learnability import EXAMPLES, cooccurrence, every_bag, frequency, least_theta, where_first
from knnviz.views import learnability as view
from knnviz.views import marks, style

UNSURE = np.array([0.5, 0.3, 0.2])
PROCESS = EXAMPLES["a mixture of two"].process
TOGETHER = cooccurrence(PROCESS)


def test_the_eta_that_are_coloured_are_spread_over_the_simplex():
    two, three = view.etas(2), view.etas(3)
    assert two.shape == (200, 2)
    assert three.shape == (5151, 3)
    for etas in (two, three):
        assert etas.sum(axis=1) == pytest.approx(np.ones(len(etas)))
        assert etas.mean(axis=0) == pytest.approx([1 / etas.shape[1]] * etas.shape[1])


@pytest.mark.parametrize("n_classes", [2, 3])
def test_a_cell_has_the_colour_of_the_eta_that_stands_in_it(n_classes):
    etas = view.etas(n_classes)
    layer = view.regions(etas.argmax(axis=1), n_classes)
    left, right, bottom, top = layer.extent
    rows, columns = layer.codes.shape
    for eta in etas[:: len(etas) // 60]:
        x, y = view.spot(eta)
        row = int((y - bottom) / (top - bottom) * rows)
        column = int(round((x - left) / (right - left) * columns - 0.5, 6))
        assert layer.palette[layer.codes[row, column]] == style.region_palette(n_classes)[eta.argmax()]
    assert layer.labels == tuple(f"best: {c}" for c in range(n_classes))


def test_nothing_is_coloured_or_hatched_outside_the_triangle():
    etas = view.etas(3)
    regions, misled = view.regions(etas.argmax(axis=1), 3), view.misled(np.ones(len(etas), bool), 3)
    outside = regions.codes == 3
    assert regions.palette[3].endswith("00")
    assert outside[-1].sum() > 0.9 * outside.shape[1]
    assert np.array_equal(misled.cells, ~outside)
    assert misled.extent == regions.extent


@pytest.mark.parametrize("name", ["two never apart", "permutation", "labels themselves", "first expert"])
def test_what_is_hatched_is_where_counting_costs(name):
    process = EXAMPLES[name].process
    n_classes = process.shape[1]
    wrong = least_theta(frequency(process, view.etas(n_classes)), view.etas(n_classes)) > 1e-9
    assert view.misled(wrong, n_classes).cells.any() == (name != "labels themselves")
    assert view.misled(wrong, n_classes).cells.sum() >= wrong.sum()


@given(st.floats(0, 1), st.floats(0, 1))
def test_places_and_eta_belong_together(first, second):
    for eta in (np.array([first, 1 - first]), np.array([first, (1 - first) * second, (1 - first) * (1 - second)])):
        assert view.eta_at(*view.spot(eta), len(eta)) == pytest.approx(eta, abs=1e-9)


def test_handles_on_the_segment_stand_at_one_height_and_are_seen_at_its_ends():
    frame = view.axes(2, (0, 0, 100, 100))
    for first in (0.0, 0.5, 1.0):
        x, y = view.spot(np.array([first, 1 - first]))
        assert y == marks.GRIP
        assert frame.xlim[0] < x < frame.xlim[1]
    line, mark = view.handle(np.array([0.7, 0.3]))
    assert (line.x.tolist(), mark.x[0]) == ([pytest.approx(0.7)] * 2, pytest.approx(0.7))
    assert (mark.handles, mark.spoken, mark.align) == (("P(y | x)",), ("label 0 0.7, label 1 0.3",), "right")
    (mark,) = view.handle(UNSURE)
    assert mark.spoken == ("label 0 0.5, label 1 0.3, label 2 0.2",)


def test_lines_over_the_segment_are_how_often_bags_hold_a_label():
    process = EXAMPLES["first expert"].process
    lines = view.held_lines(cooccurrence(process))
    for eta in ([1, 0], [0.25, 0.75], [0, 1]):
        at = [np.interp(eta[0], line.x, line.y) for line in lines]
        assert at == pytest.approx(frequency(process, eta), abs=1e-6)
    assert [line.color for line in lines] == [style.class_color(0), style.class_color(1)]


@pytest.mark.parametrize(("scores", "count"), [(TOGETHER, 1), (np.eye(3), 3), (np.ones((3, 3)), 0)])
def test_borders_run_once_between_parts_where_two_labels_are_first(scores, count):
    line = view.borders([where_first(scores, label) for label in range(3)])
    drawn = np.stack([line.x, line.y], axis=1).reshape(-1, 3, 2)
    assert len(drawn) == count
    assert np.isnan(drawn[:, 2]).all()
    for x, y in drawn[:, :2].reshape(-1, 2):
        eta = view.eta_at(float(x), float(y), 3)
        assert eta.min() > -1e-6
        *_, second, first = np.sort(scores @ eta)
        assert first == pytest.approx(second, abs=1e-6)
    middles = drawn[:, :2].mean(axis=1)
    assert len(np.unique(middles.round(6), axis=0)) == count
    assert all(view.eta_at(*map(float, middle), 3).min() > 0.01 for middle in middles), "no side of the triangle"


@pytest.mark.parametrize("n_classes", [2, 3])
def test_witnesses_are_marked_where_there_are_any(n_classes):
    ends = np.eye(n_classes)[:2]
    line, dots = view.pair(tuple(ends), "the same bags")
    at = [view.spot(each) for each in ends]
    assert np.stack([dots.x, dots.y], axis=1) == pytest.approx(np.array(at))
    assert (line.x.tolist(), dots.labels) == (dots.x.tolist(), ("the same bags",))
    one = view.witness(ends[0])
    assert (one.x[0], one.y[0]) == pytest.approx(at[0])
    assert one.labels == ("not aligned here",)
    other = view.other_eta(ends[1], ends[0])
    assert (other.x[0], other.y[0]) == pytest.approx(at[1])
    assert not other.handles
    for none in (*view.pair(None, "the same bags"), view.witness(None)):
        assert len(none.x) == 0
        assert not getattr(none, "labels", ())


def test_shares_stand_side_by_side_with_ticks_on_them():
    held = TOGETHER @ UNSURE
    truth, bars = view.shares(UNSURE, held)
    assert truth.heights == pytest.approx(UNSURE, abs=1e-6)
    assert bars.heights == pytest.approx(held, abs=1e-6)
    assert (truth.x + truth.width / 2 <= bars.x - bars.width / 2).all()
    assert (bars.x[:-1] + bars.width / 2 < truth.x[1:] - truth.width / 2).all()
    for ticks, beneath in ((view.beside_truth(UNSURE), truth), (view.seen("seen", held), bars)):
        ends = ticks.x.reshape(3, 3)[:, :2]
        assert ends.mean(axis=1) == pytest.approx(beneath.x, abs=1e-6)
        assert ticks.y.reshape(3, 3)[:, 0] == pytest.approx(beneath.heights, abs=1e-6)


def test_bags_of_two_worlds_stand_side_by_side():
    law = PROCESS @ UNSURE
    (alone,) = view.law(law, None)
    assert alone.x.tolist() == list(range(8))
    assert alone.heights == pytest.approx(law, abs=1e-6)
    assert alone.labels == ()
    ours, others = view.law(law, law)
    assert (ours.labels, others.labels) == (("this world",), ("other world",))
    assert (ours.x + ours.width / 2 < others.x - others.width / 2 + 1e-6).all()
    assert (others.x[:-1] + others.width / 2 < ours.x[1:] - ours.width / 2).all()
    for worlds, beneath in ((1, alone), (2, ours)):
        ticks = view.drawn_bags(law, worlds)
        assert ticks.x.reshape(8, 3)[:, :2].mean(axis=1) == pytest.approx(beneath.x, abs=1e-6)


def test_bags_are_named_by_their_labels():
    assert view.bag_names(2) == ("∅", "0", "1", "01")
    assert view.bag_names(3) == ("∅", "0", "1", "01", "2", "02", "12", "012")
    frame = view.table_axes(3, (0, 0, 100, 80))
    assert dict(zip(frame.ynames, frame.yticks, strict=True)) == {
        name: 7.5 - row for row, name in enumerate(view.bag_names(3))
    }
    assert view.bag_axes(2, 0.5, (0, 0, 100, 80)).xnames == view.bag_names(2)


def test_the_table_holds_each_chance_in_its_row_and_column():
    shade, frame, numbers = view.table(PROCESS, 1, 14.0, 3, 80)
    row = view.ABOVE / 10
    found = {
        (round(float(x - 0.5)), round(float(7.5 - y - row), 4)): text
        for x, y, text in zip(numbers.x, numbers.y, numbers.texts, strict=True)
    }
    for bag in range(8):
        for label in range(3):
            chance = PROCESS[bag, label]
            assert found[label, bag] == ("·" if chance == 0 else f"{chance:g}"[1:])
            assert shade.codes[7 - bag, label] == round(10 * chance)
    assert (frame.x.min(), frame.x.max()) == (pytest.approx(1.03), pytest.approx(1.97))
    assert len(set(shade.palette)) == 11


def test_a_chance_has_a_shade_and_no_chance_has_none():
    process = np.zeros((4, 2))
    process[:2, 0], process[3, 1] = [1e-4, 1 - 1e-4], 1
    shade, *_ = view.table(process, 0, 14.0, 3, 80)
    assert shade.codes[::-1].tolist() == [[1, 0], [10, 0], [0, 0], [0, 10]]


@pytest.mark.parametrize(
    ("chance", "digits", "text"),
    [
        *((0, digits, "·") for digits in (2, 3)),
        *((1, digits, "1") for digits in (2, 3)),
        *((1 / 3, 3, ".333"), (1 / 3, 2, ".33"), (0.1, 2, ".1"), (0.5, 3, ".5")),
        *(
            (0.004, 2, "≈0"),
            (0.0004, 3, "≈0"),
            (0.0006, 3, ".001"),
            (0.9996, 3, "≈1"),
            (1 - 1e-12, 3, "1"),
            (1e-12, 3, "·"),
        ),
    ],
)
def test_short_numbers(chance, digits, text):
    assert view.short(chance, digits) == text


def test_words():
    assert view.describe(UNSURE, np.array([0.76, 0.64, 0])) == (
        "P(y | x) and how often a bag holds y: label 0: 0.5 and 0.76; label 1: 0.3 and 0.64; label 2: 0.2 and 0."
    )
    process = np.zeros((4, 2))
    process[[0, 3], 0], process[2, 1] = [0.25, 0.75], 1
    assert view.describe_table(process) == "Bags if label 0 is true: ∅ 0.25, {01} 0.75; if label 1 is true: {1} 1."
    assert len(every_bag(2)) == len(process)
