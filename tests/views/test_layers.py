"""What the views show, tested on their layers without any graphics."""

from dataclasses import replace
from itertools import combinations, groupby

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from knnviz import LabelNoise, Problem, checkerboard, wave2d
from knnviz.problems import gaussians
from knnviz.views import map as map_view
from knnviz.views import sets, style, vote_curve
from knnviz.views.layers import Fill, Raster, edges, runs

SAMPLE = checkerboard().sample(1000, 0)


def test_regions_hold_the_labels_row_by_row():
    grid = checkerboard().grid(10)
    labels = checkerboard().bayes(grid.points)
    raster = map_view.regions(checkerboard(), labels)
    for x, y in ((0.25, 0.25), (0.25, 0.75), (0.75, 0.25), (0.75, 0.75)):
        code = raster.codes[int(y * 10), int(x * 10)]
        assert code == checkerboard().bayes(np.array([[x, y]]))[0]
    assert raster.extent == (0, 1, 0, 1)
    with pytest.raises(ValueError, match="labels must fill a square grid, got 99 of them"):
        map_view.regions(checkerboard(), labels[:99])


def test_bayes_boundary_lies_where_eta_is_one_half():
    line = map_view.bayes_boundary(checkerboard())
    there = ~np.isnan(line.x)
    off = np.minimum(abs(line.x[there] - 0.5), abs(line.y[there] - 0.5))
    assert there.sum() > 500
    assert off.max() < 1 / 400
    wave = map_view.bayes_boundary(wave2d())
    there = ~np.isnan(wave.x)
    height = 0.5 + 0.12 * np.sin(4 * np.pi * wave.x[there])
    assert abs(wave.y[there] - height).max() < 2 / 400


def test_bayes_boundary_of_three_classes():
    def stripes(X):
        return np.stack([abs(X[:, 0] - centre) < 1 / 6 for centre in (1 / 6, 3 / 6, 5 / 6)], axis=1) * 0.8 + 0.2 / 3

    line = map_view.bayes_boundary(Problem("stripes", stripes, n_classes=3))
    there = ~np.isnan(line.x)
    assert np.minimum(abs(line.x[there] - 1 / 3), abs(line.x[there] - 2 / 3)).max() < 1 / 400


def test_bayes_boundary_of_three_classes_is_traced_once():
    """Its length is that of three spokes, so that the dashes of one tracing do not fill the gaps of another."""
    line = map_view.bayes_boundary(gaussians(3, dimension=2))
    steps = np.hypot(np.diff(line.x), np.diff(line.y))
    level, slanted = 1.0, 1 / np.cos(np.pi / 6)
    assert np.nansum(steps) == pytest.approx(level + 2 * slanted, abs=0.02)


def test_points_wear_a_ring_where_the_label_flipped():
    observed = LabelNoise(0.2, 0.3).flip(SAMPLE.y, SAMPLE.v)
    layer = map_view.points(checkerboard(), SAMPLE, observed)
    shown = slice(0, map_view.MAX_POINTS)
    assert np.array_equal(layer.ringed, (observed != SAMPLE.y)[shown])
    assert np.array_equal(layer.codes, observed[shown])
    assert len(layer.x) == map_view.MAX_POINTS


def test_the_ball_reaches_its_radius():
    line = map_view.ball(np.array([0.2, 0.3]), 0.1)
    assert np.hypot(line.x - 0.2, line.y - 0.3) == pytest.approx(0.1, abs=1e-6)


def test_vote_curves_are_fractions():
    counts = np.cumsum([[1, 0], [0, 1], [1, 0], [1, 0]], axis=0)
    zero, one = vote_curve.curves(counts, ("class 0", "class 1"))
    assert zero.x.tolist() == [1, 2, 3, 4]
    assert zero.y == pytest.approx([1, 1 / 2, 2 / 3, 3 / 4])
    assert one.y == pytest.approx([0, 1 / 2, 1 / 3, 1 / 4])
    assert vote_curve.vote_text(counts, 3, 0, "class 0", 4).texts == ("2 of 3 → class 0",)
    text = vote_curve.describe(np.array([0.25, 0.5]), counts[2], 3, ("class 0", "class 1"), "class 0")
    assert text == (
        "Votes of the 3 nearest neighbors of x = (0.25, 0.5): 2 for class 0, 1 for class 1; the rule predicts class 0."
    )


@given(st.integers(1, 6), st.integers(1, 6), st.integers(0, 2**32 - 1))
def test_edges_stand_between_different_cells(rows, columns, seed):
    codes = np.random.default_rng(seed).integers(0, 2, (rows, columns)).astype(np.uint8)
    raster = Raster(name="r", codes=codes, palette=("#000000", "#FFFFFF"), extent=(0, columns, 0, rows))
    found = {tuple(map(tuple, segment)) for segment in edges(raster.codes, raster.extent)}
    upright = {
        ((c + 1, r), (c + 1, r + 1)) for r in range(rows) for c in range(columns - 1) if codes[r, c] != codes[r, c + 1]
    }
    level = {
        ((c, r + 1), (c + 1, r + 1)) for r in range(rows - 1) for c in range(columns) if codes[r, c] != codes[r + 1, c]
    }
    assert found == upright | level


def light(color):
    """Red, green and blue, linear in light."""
    red, green, blue = (int(color[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return np.array([c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (red, green, blue)])


def brightness(color):
    return float(light(color) @ (0.2126, 0.7152, 0.0722))


#: From linear light to tristimulus values (sRGB), and what is left of light without red cones, and without green ones
#: (Machado, Oliveira & Fernandes, 2009).
TRISTIMULUS = np.array([[0.4125, 0.3576, 0.1804], [0.2127, 0.7152, 0.0722], [0.0193, 0.1192, 0.9503]])
WITHOUT = {
    "red": np.array([[0.1523, 1.0526, -0.2049], [0.1145, 0.7863, 0.0992], [-0.0039, -0.0481, 1.0520]]),
    "green": np.array([[0.3673, 0.8606, -0.2280], [0.2801, 0.6725, 0.0474], [-0.0118, 0.0429, 0.9689]]),
}


def seen(color, eye):
    """Lightness and the two opponent axes of CIELAB."""
    value = TRISTIMULUS @ (eye @ light(color)).clip(0, 1) / TRISTIMULUS.sum(axis=1)
    x, y, z = np.where(value > (6 / 29) ** 3, np.cbrt(value), value * (29 / 6) ** 2 / 3 + 4 / 29)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize(("eye", "apart"), [("all", 25), ("red", 8), ("green", 8)])
def test_twelve_colours_can_be_told_apart(eye, apart):
    """A difference of 2 to 3 is just noticeable; the closest two are of the first eight."""
    places = [seen(color, WITHOUT.get(eye, np.eye(3))) for color in style.palette(12)]
    assert min(np.linalg.norm(one - other) for one, other in combinations(places, 2)) > apart


def contrast(dark, light):
    return (brightness(light) + 0.05) / (brightness(dark) + 0.05)


def test_ink_is_readable_on_every_region():
    """Contrast of at least 7 : 1, as large projected text asks for."""
    for tint in style.region_palette(12):
        assert contrast(style.INK, tint) >= 7
    shades = [contrast(style.INK, shade) for shade in sets.SHADES]
    assert min(shades) >= 7
    assert shades == sorted(shades, reverse=True), "the easier a point is to decide, the darker"


def test_population_curves_stand_at_mass_times_n():
    frequency = np.array([[0.9, 0.1], [0.7, 0.3], [0.5, 0.5]])
    zero, one = vote_curve.population(np.array([0.001, 0.01, 0.1]), frequency, 2000)
    assert zero.x == pytest.approx([2, 20, 200])
    assert zero.y == pytest.approx([0.9, 0.7, 0.5])
    assert one.y == pytest.approx([0.1, 0.3, 0.5])
    assert (zero.label, one.label) == ("expected votes", None)
    assert (zero.color, one.color) == style.palette(2)
    assert zero.dash == one.dash != ()


def runs_of(row):
    """Where each run of set cells begins, and the cell after it."""
    groups = [list(cells) for inside, cells in groupby(range(len(row)), key=lambda at: row[at]) if inside]
    return [(cells[0], cells[-1] + 1) for cells in groups]


@given(st.integers(1, 6), st.integers(1, 9), st.integers(0, 2**32 - 1), st.sampled_from([0, 0.3, 0.5, 0.9, 1]))
def test_runs_are_the_longest(rows, columns, seed, fraction):
    cells = np.random.default_rng(seed).random((rows, columns)) < fraction
    assert [tuple(run) for run in runs(cells)] == [(row, *run) for row in range(rows) for run in runs_of(cells[row])]


RASTER = Raster(
    name="r", codes=np.zeros((1, 1), np.uint8), palette=("#000000", "#FFFFFF"), extent=(0, 1, 0, 1), labels=("a", "b")
)
FILL = Fill(name="f", cells=np.ones((1, 1), bool), extent=(0, 1, 0, 1), label="set")


@pytest.mark.parametrize(
    ("layer", "seen"),
    [
        (RASTER, {"palette": ("#000000", "#FF0000"), "labels": ("a", "c")}),
        (FILL, {"color": "#FF0000", "label": "other", "hatch": "\\", "opacity": 0.5}),
    ],
)
def test_the_legend_key_changes_with_what_the_legend_shows_and_with_nothing_else(layer, seen):
    for name, value in seen.items():
        assert replace(layer, **{name: value}).legend_key != layer.legend_key, name
    assert replace(layer, extent=(0, 2, 0, 2), name="another").legend_key == layer.legend_key


def test_a_box_with_names_is_mapped_like_a_problem():
    frame = map_view.BoxAndNames("mine", ((0.0, 4.0), (-1.0, 1.0)), ("a", "b", "c"), ("width", "height"))
    raster = map_view.regions(frame, np.arange(4) % 3)
    assert raster.extent == (0, 4, -1, 1)
    assert raster.codes.tolist() == [[0, 1], [2, 0]]
    axes = map_view.axes(frame)
    assert (axes.xlabel, axes.ylabel, axes.xlim, axes.ylim) == ("width", "height", (0, 4), (-1, 1))
    assert map_view.bayes_boundary(frame).label is None
