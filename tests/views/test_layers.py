"""Layers: borders and runs of cells, and colors that all eyes can tell apart."""

import re
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference_implementations import generators

from knnviz.views import sets, style
from knnviz.views.layers import edges, runs


@given(st.integers(1, 6), st.integers(1, 6), generators)
def test_edges_stand_between_different_cells(rows, columns, rng):
    codes = rng.integers(0, 2, (rows, columns)).astype(np.uint8)
    expected = set()
    for r, c in np.ndindex(rows, columns):
        corner = (c + 1, r + 1)
        if codes[r, c : c + 2].std():
            expected.add(((c + 1, r), corner))
        if codes[r : r + 2, c].std():
            expected.add(((c, r + 1), corner))
    segments = edges(codes, (0, columns, 0, rows))
    assert {tuple(map(tuple, segment)) for segment in segments} == expected


@given(st.integers(1, 6), st.integers(1, 9), generators, st.sampled_from([0, 0.3, 0.5, 0.9, 1]))
def test_runs_are_the_longest(rows, columns, rng, fraction):
    cells = rng.random((rows, columns)) < fraction
    expected = []
    for row, text in enumerate(np.where(cells, "x", ".")):
        expected += [(row, *run.span()) for run in re.finditer("x+", "".join(text))]
    assert [tuple(run) for run in runs(cells)] == expected


def light(color):
    """Red, green and blue, linear in light."""
    channels = np.array(list(bytes.fromhex(color[1:7]))) / 255
    bright = ((channels + 0.055) / 1.055) ** 2.4
    return np.where(channels <= 0.04045, channels / 12.92, bright)


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
    reaching = (eye @ light(color)).clip(0, 1)
    value = TRISTIMULUS @ reaching / TRISTIMULUS.sum(axis=1)
    near_black = value * (29 / 6) ** 2 / 3 + 4 / 29
    x, y, z = np.where(value > (6 / 29) ** 3, np.cbrt(value), near_black)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize(("eye", "apart"), [("all", 25), ("red", 8), ("green", 8)])
def test_twelve_colours_can_be_told_apart(eye, apart):
    """A difference of 2 to 3 is just noticeable; the closest two are of the first eight."""
    cones = WITHOUT.get(eye, np.eye(3))
    places = [seen(color, cones) for color in style.palette(12)]
    for one, other in combinations(places, 2):
        assert np.linalg.norm(one - other) > apart


def contrast(dark, light):
    return (brightness(light) + 0.05) / (brightness(dark) + 0.05)


def test_names_in_the_color_of_their_layer_are_readable():
    """Contrast of at least 4.5 : 1, as small text asks for; dark colors stay as they are."""
    for color in style.palette(12):
        assert contrast(style.readable(color), style.PAPER) >= 4.5
    assert contrast(style.MUTED, style.PAPER) >= 4.5
    assert style.readable(style.INK) == style.INK


def test_ink_is_readable_on_every_region():
    """Contrast of at least 7 : 1, as large projected text asks for."""
    for tint in style.region_palette(12):
        assert contrast(style.INK, tint) >= 7
    shades = [contrast(style.INK, shade) for shade in sets.SHADES]
    assert min(shades) >= 7
    assert shades == sorted(shades, reverse=True), "the easier a point is to decide, the darker"


def test_no_two_classes_have_one_marker_in_two_sizes():
    shapes = [np.divide(marker, np.abs(marker).max()) for marker in style.MARKERS]
    for one, other in combinations(shapes, 2):
        assert one.shape != other.shape or not np.allclose(one, other, atol=0.1)
