"""The matplotlib painter, through what its artists hold."""

from dataclasses import replace
from io import BytesIO

import numpy as np
import pytest
from matplotlib.collections import LineCollection, PathCollection
from PIL import Image

from knnviz.labs import NeighborLab
from knnviz.views import artists, static
from knnviz.views.layers import Lines, Panel, Picture

SPOT = {
    "x": np.array([0.5], np.float32),
    "y": np.array([0.5], np.float32),
    "codes": np.zeros(1, np.uint8),
    "ringed": np.zeros(1, bool),
    "palette": ("#FF0000", "#0000FF"),
    "size": 20.0,
}


@pytest.fixture(scope="module")
def picture():
    return NeighborLab(n=200, p1=0.2).picture


def test_axes_stand_in_their_rectangles(picture):
    drawn = static.figure(picture)
    width, height = picture.size
    for ax, panel in zip(drawn.axes, picture.panels, strict=True):
        box = ax.get_position()
        left, top, w, h = panel.axes.rectangle
        assert np.allclose(
            [box.x0 * width, (1 - box.y1) * height, box.width * width, box.height * height], [left, top, w, h]
        )
        assert ax.get_xlim() == panel.axes.xlim
        assert ax.get_ylim() == panel.axes.ylim


def test_every_point_is_drawn_once_by_its_class(picture):
    points = next(layer for layer in picture.panels[0].layers if layer.name == "points")
    drawn = static.figure(picture).axes[0]
    stamped = [c for c in drawn.collections if isinstance(c, PathCollection)]
    assert [len(c.get_offsets()) for c in stamped[:3]] == [*np.bincount(points.codes), points.ringed.sum()]
    assert any(isinstance(c, LineCollection) for c in drawn.collections)


def test_the_legend_names_what_is_there(picture):
    texts = [text.get_text() for text in static.figure(picture).axes[0].get_legend().get_texts()]
    assert texts == ["class 0", "class 1", "label flipped", "Bayes boundary", "ball of k neighbors"]


def test_chrome_is_transparent_inside_and_has_the_asked_size(picture):
    image = np.array(Image.open(BytesIO(static.chrome(picture, ratio=2))))
    assert image.shape == (2 * picture.size[1], 2 * picture.size[0], 4)
    left, top, width, height = (2 * value for value in picture.panels[0].axes.rectangle)
    assert image[top + 4 : top + height - 4, left + 4 : left + width - 4, 3].max() == 0
    assert image[..., 3].max() == 255


def test_nothing_is_cut_off_at_the_rim(picture):
    image = np.array(Image.open(BytesIO(static.png(picture, ratio=1))).convert("L"))
    for rim in (image[:2], image[-2:], image[:, :2], image[:, -2:]):
        assert rim.min() == 255


def test_few_colours_make_a_small_file(picture):
    small = static.png(picture, colors=64)
    assert len(small) < 0.6 * len(static.png(picture))


def test_an_unknown_layer_is_named(picture):
    with pytest.raises(TypeError, match="no painter for a layer of type int"):
        artists.draw(1, None, 1)


def test_layers_lie_in_their_order_whatever_their_kind(picture):
    axes = picture.panels[0].axes
    line = Lines(
        name="line", x=np.array([0, 1], np.float32), y=np.array([0.5, 0.5], np.float32), color="#00FF00", width=9
    )
    spot = replace(next(layer for layer in picture.panels[0].layers if layer.name == "points"), **SPOT)
    seen = []
    for stack in ((line, spot), (spot, line)):
        image = np.array(
            Image.open(BytesIO(static.png(Picture((Panel(axes, stack),), picture.size, "")))).convert("RGB")
        )
        left, top, width, height = axes.rectangle
        seen.append(tuple(image[2 * top + height, 2 * left + width]))
    assert seen == [(255, 0, 0), (0, 255, 0)]


def test_all_of_a_layer_lies_at_its_depth(picture):
    """Rings and crosses, too: what a layer above covers, it covers whole."""
    axes = static.figure(picture).axes[0]
    depths = {round(1 + depth / 100, 2) for depth in range(len(picture.panels[0].layers))}
    drawn = [c.get_zorder() for c in axes.collections if isinstance(c, PathCollection)]
    assert drawn == [1.01, 1.01, 1.01, 1.04, 1.04]
    assert set(drawn) <= depths


def test_the_frame_follows_all_that_the_legend_shows(picture):
    panel = picture.panels[1]
    recoloured = tuple(replace(layer, color="#123456") if layer.label else layer for layer in panel.layers)
    assert (
        replace(picture, panels=(replace(panel, layers=recoloured),)).frame != replace(picture, panels=(panel,)).frame
    )
