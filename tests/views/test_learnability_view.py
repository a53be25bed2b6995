"""LearnabilityLab's layers: the simplex, fractions and bags at one eta."""

import numpy as np
import pytest

from knnviz.labs import LearnabilityLab
from knnviz.labs import learnability as lab
from knnviz.learnability import (
    EXAMPLES,
    cooccurrence,
    frequency,
    misaligned_fraction,
)
from knnviz.views import landscape, triangle

UNSURE = np.array([0.5, 0.3, 0.2])


def test_a_cell_has_the_color_of_the_eta_that_stands_in_it():
    layer = lab.regions()
    left, right, bottom, top = layer.extent
    rows, columns = layer.codes.shape
    for eta in landscape.GRID[::80]:
        x, y = triangle.positions(eta)
        row = int((y - bottom) / (top - bottom) * rows)
        across = (x - left) / (right - left) * columns
        assert layer.codes[row, int(round(across - 0.5, 6))] == eta.argmax()


@pytest.mark.parametrize("name", ["two never apart", "permutation", "labels themselves"])
def test_what_is_hatched_is_where_counting_costs(name):
    """The fraction of the cells, which are a few thousand, is near the exact one."""
    process = EXAMPLES[name].process
    misled = lab.counting_errs(process).cells
    inside = lab.regions().codes < 3
    assert not misled[~inside].any()

    fraction = misled.sum() / inside.sum()
    assert fraction == pytest.approx(misaligned_fraction(process), abs=0.02)


@pytest.mark.parametrize("name", ["a mixture of two", "two never apart"])
def test_along_a_line_of_equal_bags_no_bag_changes(name):
    process = EXAMPLES[name].process
    line = lab.equal_bags(process)
    paths = triangle.weights_at(line.x, line.y).T.reshape(9, 3, 3)
    _, _, (*_, null) = np.linalg.svd(process)
    for start, end, *_ in paths:
        assert process @ start == pytest.approx(process @ end)
        along = end - start
        assert abs(along @ null) == pytest.approx(np.linalg.norm(along))
        assert start.min() == pytest.approx(0), "it begins on a side"
        assert end.min() == pytest.approx(0), "and ends on one"

    x, y = lab.with_equal_bags(process, UNSURE)[:2].T
    ends = triangle.weights_at(x, y).T
    assert ends @ process.T == pytest.approx(np.tile(process @ UNSURE, (2, 1)))


def test_with_full_rank_each_line_of_equal_bags_is_a_point():
    process = EXAMPLES["all but one wrong label"].process
    assert len(lab.equal_bags(process).x) == 66
    assert np.isnan(lab.with_equal_bags(process, UNSURE)).all()


@pytest.mark.parametrize("name", ["a mixture of two", "mostly right", "even inclusion"])
def test_above_its_base_a_bar_has_what_a_label_joins_more_often_than_the_rarest_wrong_one(name):
    process = EXAMPLES[name].process
    together = cooccurrence(process)
    leads = []
    for y, eta in enumerate(UNSURE):
        rarest = min(np.delete(together[:, y], y))
        leads.append(max(together[y, y] - rarest, 0) * eta)
    bases = lab.as_wrong_label(process, UNSURE)
    assert frequency(process, UNSURE) - bases == pytest.approx(leads)


@pytest.mark.parametrize("beside", ["nothing", "swapped"])
def test_parts_of_bars_add_up_to_both_worlds(beside):
    shown = LearnabilityLab(model="permutation", beside=beside)
    process = EXAMPLES["permutation"].process
    layers = {layer.name: layer for layer in shown.panel("flow").layers}
    etas = {"from1": UNSURE}
    if beside == "swapped":
        etas["from-1"] = lab.swapped_world(process, UNSURE).eta
    for name, eta in etas.items():
        bars = [layers[f"{name}_bars{label}"] for label in range(3)]
        # Three bags: where a ribbon begins, then where it ends.
        low, high = (
            np.array([getattr(bar, side).reshape(3, -1)[:, [0, -2]].T.ravel() for bar in bars])
            for side in ("lower", "upper")
        )
        assert (high - low)[:, :3].sum(axis=1) == pytest.approx(eta)
        assert (high - low)[:, 3:].sum(axis=0) == pytest.approx((process @ UNSURE)[[1, 2, 4]])
        assert low[:2, 3:] == pytest.approx(high[1:, 3:]), "one upon the other"
        ribbon = layers[f"{name}_ribbons0"].upper.reshape(3, -1)
        assert ribbon[:, 0] == pytest.approx(high[0, :3])
        assert ribbon[:, -2] == pytest.approx(high[0, 3:])


def test_fractions_and_bags_are_those_of_the_world_and_the_sample():
    shown = LearnabilityLab(n=100)
    process = EXAMPLES["permutation"].process
    drawn = {}
    for panel in ("fractions", "flow"):
        drawn |= {layer.name: layer for layer in shown.panel(panel).layers}
    assert drawn["truth"].heights == pytest.approx(UNSURE)
    assert drawn["frequency"].heights == pytest.approx(cooccurrence(process) @ UNSURE)

    sample = lab.draw_sample(process, UNSURE, 100, 0)
    bags = sample.bags[[1, 2, 4]]
    assert drawn["counts"].texts == tuple(f"{100 * each:.0f} of 100" for each in bags)
    assert drawn["sample_frequency"].y[::3] == pytest.approx(sample.held)
    read = shown.readout()["eta by least squares"].values()
    assert drawn["estimates"].texts == tuple(f"solved: {each:.2f}" for each in read)
    slots = lab.slots_of(lab.fractions(process, UNSURE), None)
    assert drawn["drawn"].y[::3] == pytest.approx(slots.bags + bags)
