"""Rates, condition, neighbors and the Line's marks, tested on their layers."""

import numpy as np
import pytest

from knnviz.labs.active_rates import layers as view
from knnviz.problems import Problem, linear
from knnviz.views import line

SIZES = np.array([1e2, 1e6, 1e10])


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (3.0173, "3.02"),
        (999.4, "999"),
        (1000, "10³"),
        (250_057, "2.5·10⁵"),
        (9_999_999, "10⁷"),
        (0.0044, "4.4·10⁻³"),
        (0.01, "0.01"),
        (1e16, "10¹⁶"),
    ],
)
def test_numbers_are_short_at_every_size(number, text):
    assert view.short_number(number) == text


def test_the_axis_of_rates_reaches_the_lowest():
    assert [view.floor_of(np.array([0.1, low])) for low in (1e-4, 9e-5, 1e-8, 1e-12, 1e-30)] == [-4, -8, -8, -16, -16]
    for low in view.FLOORS:
        axes = view.rate_axes(low)
        assert (axes.ylim, axes.yticks[0], axes.yticks[-1]) == ((low, view.TOP), low, 0)
        assert axes.ynames[-1] == "1"
        assert "unknown constant" in axes.ylabel


def test_each_part_of_the_rates_is_drawn_where_it_belongs():
    k, ratio, none = np.array([0.5, 2, 3]), np.array([0.9, 1, 0.9]), np.ones(3)
    given = view.RateCurves(SIZES, SIZES**-0.1, SIZES**-0.2, k, k, none, ratio)
    drawn = {layer.name: layer for layer in view.rates(given, -4)}
    parts = {name: np.isfinite(drawn[name].y).tolist() for name in drawn if name != "fails"}
    assert parts == {
        "passive": [False, True, True],
        "passive_impossible": [True, False, False],
        "active_fails": [False, False, True],
        "active_impossible": [True, False, False],
        "active": [False, True, False],
    }
    assert drawn["active"].y[1] == pytest.approx(-1.2)
    assert drawn["fails"].lower[[0, 2]].tolist() == [-4, -4]
    assert np.isnan(drawn["fails"].lower[1])


def test_more_neighbors_than_labels_lie_above_the_line_and_the_condition_fails_below_one():
    beyond, every, passive, active = view.neighbors(SIZES, SIZES**0.5, SIZES**0.9)
    heights = [each.tolist() for each in (beyond.lower, every.y, passive.y)]
    assert heights == [[2, 6, 10], [2, 6, 10], [1, 3, 5]]
    assert active.y == pytest.approx([1.8, 5.4, 9])
    below, one, passive, active = view.condition(SIZES, np.array([1, 10, 100]), np.array([1, 0.1, 0.01]))
    assert below.upper.tolist() == one.y.tolist() == [0, 0]
    assert [passive.y.tolist(), active.y.tolist()] == [[0, 1, 2], [0, -1, -2]]


def test_dots_stand_at_n_unless_they_lie_outside():
    line_at, passive, active = view.at_n(1e6, (-4, 0.4), 0.1, 0.01)
    assert (line_at.x.tolist(), passive.y[0], active.y[0]) == ([1e6, 1e6], -1, -2)
    assert len(view.at_n(1e6, (-4, 0.4), 0.1, 1e-5)) == 2
    grip = view.handle(1e6, -8)
    assert -8 < grip.y[0] < 0
    assert grip.spoken == grip.texts == ("n = 10⁶",)
    assert view.handle(1e12, -8).align == "right"


def test_what_is_written_on_the_line():
    assert view.value_label(0.2, 0.1, 0.13, 0.23).texts == ("mass 0.130, bound 0.230", "Δ = 0.200", "p = 0.100")
    assert view.value_label(0.2, 1.2, 1.0, None).texts == ("mass 1.000, bound vacuous", "Δ = 0.200", "p = 1.200")
    assert view.value_label(0.5, None, None, None).texts == ("bound vacuous", "Δ = 0.500", "no p")
    assert view.line_axes(linear()).ylim == view.HEIGHTS
    _, _, bottom, top = line.extent(linear())
    assert view.HEIGHTS[0] < view.BALL_HEIGHT < bottom < top < view.TEXT_HEIGHT < view.HEIGHTS[1]


def test_a_ball_is_as_long_as_its_mass_and_stays_on_the_line():
    for mass, ends in ((0.3, (0.35, 0.65)), (1.7, (0, 1))):
        x = view.ball(mass).x
        assert (np.nanmin(x), np.nanmax(x)) == pytest.approx(ends)
    assert np.isnan(view.ball(np.nan).x).all()


def test_what_is_near_an_atom_of_the_boundary_is_shaded():
    two = Problem.from_atoms([[0.2], [0.6]], [0.2, 0.8], [1.0, 0.0], box=[(0, 1)])
    for inside, fraction in (([False, False], 0), ([True, False], 0.1), ([True, True], 0.2)):
        assert view.boundary(two, np.array(inside)).cells.mean() == pytest.approx(fraction, abs=0.002)
    cells = np.arange(8) % 2 == 0
    assert np.array_equal(view.boundary(linear(), cells).cells[0], cells)


def test_atoms_bear_their_masses():
    dots, names = view.atoms(np.array([0.2, 0.6]), np.array([1.0, 0.0]), np.array([0.2, 0.8]))
    assert dots.y.tolist() == [1, 0]
    assert names.texts == ("mass 0.2", "mass 0.8")
