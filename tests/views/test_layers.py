"""Layers: borders and runs of cells, and colors that all eyes can tell apart."""

from itertools import combinations, groupby

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from knnviz.views import sets, style
from knnviz.views.layers import edges, runs


@given(st.integers(1, 6), st.integers(1, 6), st.integers(0, 2**32 - 1))
def test_edges_stand_between_different_cells(rows, columns, seed):
    codes = np.random.default_rng(seed).integers(0, 2, (rows, columns)).astype(np.uint8)
    found = {tuple(map(tuple, segment)) for segment in edges(codes, (0, columns, 0, rows))}
    upright = {
        ((c + 1, r), (c + 1, r + 1))
        for r in range(rows)
        for c in range(columns - 1)
        if codes[r, c] != codes[r, c + 1]
    }
    level = {
        ((c, r + 1), (c + 1, r + 1))
        for r in range(rows - 1)
        for c in range(columns)
        if codes[r, c] != codes[r + 1, c]
    }
    assert found == upright | level


def runs_of(row):
    """Where each run of set cells begins, and the cell after it."""
    groups = [
        list(cells) for inside, cells in groupby(range(len(row)), key=lambda at: row[at]) if inside
    ]
    return [(cells[0], cells[-1] + 1) for cells in groups]


@given(
    st.integers(1, 6),
    st.integers(1, 9),
    st.integers(0, 2**32 - 1),
    st.sampled_from([0, 0.3, 0.5, 0.9, 1]),
)
def test_runs_are_the_longest(rows, columns, seed, fraction):
    cells = np.random.default_rng(seed).random((rows, columns)) < fraction
    assert [tuple(run) for run in runs(cells)] == [
        (row, *run) for row in range(rows) for run in runs_of(cells[row])
    ]


def light(color):
    """Red, green and blue, linear in light."""
    red, green, blue = (int(color[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return np.array(
        [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (red, green, blue)]
    )


def brightness(color):
    return float(light(color) @ (0.2126, 0.7152, 0.0722))


#: From linear light to tristimulus values (sRGB), and what is left of light without red cones, and
#: without green ones (Machado, Oliveira & Fernandes, 2009).
TRISTIMULUS = np.array(
    [[0.4125, 0.3576, 0.1804], [0.2127, 0.7152, 0.0722], [0.0193, 0.1192, 0.9503]]
)
WITHOUT = {
    "red": np.array(
        [[0.1523, 1.0526, -0.2049], [0.1145, 0.7863, 0.0992], [-0.0039, -0.0481, 1.0520]]
    ),
    "green": np.array(
        [[0.3673, 0.8606, -0.2280], [0.2801, 0.6725, 0.0474], [-0.0118, 0.0429, 0.9689]]
    ),
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
