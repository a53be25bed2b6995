"""The matplotlib painter, through what its artists hold."""

import warnings
from dataclasses import replace
from io import BytesIO
from itertools import combinations

import numpy as np
import pytest
from matplotlib.collections import LineCollection, PathCollection
from PIL import Image
from small import STARTS

from knnviz.labs import NeighborLab
from knnviz.views import artists, static, style
from knnviz.views.layers import Annotations, Axes, Band, Bars, Fill, Lines, Panel, Picture, Points, Raster

AXES = Axes("all", "Everything", "x", "y", (1.0, 100.0), (-1.0, 1.0), (66, 40, 420, 300))
SIZE = (560, 620)


def every_layer():
    """A layer of each kind, with what is rare in it."""
    box, gap = (1, 100, -1, 1), np.nan
    codes, checks = np.array([[0, 1], [1, 0]], np.uint8), np.array([[True, False], [False, True]])
    coded, spots = {"palette": ("#FF0000", "#00FF00")}, {"x": (2, 20), "y": (0.2, 0.4)}
    points = {"codes": codes[0], "ringed": checks[0], "markers": style.markers(2)}
    band = {"lower": (-0.5, -0.4, gap, 0), "upper": (0, 0.1, gap, 0.4)}
    bars = {"x": (10, 50), "heights": (0.5, -0.5), "codes": codes[0], "width": 5}
    raster = {"palette": ("#FF000000", "#00FF0080"), "labels": ("clear", "half"), "outline": "#000000"}
    return (
        Raster(name="map", codes=codes, extent=box, **raster),
        Fill(name="rising", cells=checks, extent=box, label="rising set"),
        Fill(name="falling", cells=~checks, extent=box, label="falling set", hatch="\\"),
        Band(name="band", x=(1, 10, gap, 100), label="a band", **band),
        Bars(name="bars", labels=("bar a", "bar b"), **bars, **coded),
        Lines(name="line", x=(1, gap, 100), y=(0, gap, 1), label="a line", dash=(3, 3)),
        Points(name="points", labels=("point a", "point b"), ring_label="ringed", **spots, **points, **coded),
        Annotations(name="marks", texts=("one", "two"), cross=18, handles=("first", "second"), align="center", **spots),
    )


def without_anything():
    """The same layers, empty."""
    codes, nowhere = np.empty(0, np.uint8), {"x": (), "y": ()}
    empty = {
        "map": {"codes": np.zeros((2, 2), np.uint8)},
        "rising": {"cells": np.zeros((2, 2), bool)},
        "falling": {"cells": np.zeros((1, 1), bool)},
        "band": {"x": (), "lower": (), "upper": ()},
        "bars": {"x": (), "heights": (), "codes": codes},
        "line": nowhere,
        "points": nowhere | {"codes": codes, "ringed": codes.astype(bool)},
        "marks": nowhere | {"texts": (), "handles": ()},
    }
    return tuple(replace(layer, **empty[layer.name]) for layer in every_layer())


def alone(axes, *layers):
    """A picture of one panel."""
    return Picture((Panel(axes, layers),), SIZE, "")


LABELS = [
    *("clear", "half", "rising set", "falling set", "a band", "bar a", "bar b", "a line"),
    *("point a", "point b", "ringed"),
]


#: Names of classes stand in a legend as a key to colors and markers, whether or not a class is there.
KEY = ["clear", "half", "bar a", "bar b", "point a", "point b"]


@pytest.mark.parametrize(
    ("layers", "labels"), [(every_layer(), LABELS), (without_anything(), KEY)], ids=["full", "empty"]
)
@pytest.mark.parametrize("log", [False, True], ids=["linear", "log"])
def test_every_kind_of_layer_is_drawn_without_a_warning_and_named_if_it_shows(layers, labels, log):
    drawn = alone(replace(AXES, log=log), *layers)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        figure = static.figure(drawn)
        image = np.array(Image.open(BytesIO(static.png(drawn, pixel_ratio=1))).convert("L"))
    ax = figure.axes[0]
    assert [text.get_text() for text in ax.get_legend().get_texts()] == labels
    assert (ax.get_xscale(), ax.get_xlim(), ax.get_ylim()) == ("log" if log else "linear", AXES.xlim, AXES.ylim)
    for rim in (image[:2], image[-2:], image[:, :2], image[:, -2:]):
        assert rim.min() == 255


@pytest.mark.parametrize("layer", without_anything(), ids=lambda layer: layer.name)
def test_a_layer_without_anything_leaves_no_trace(layer):
    """Only a raster has cells of every code."""
    unnamed = {"label": None, "labels": (), "ring_label": None}
    bare = replace(layer, **{name: value for name, value in unnamed.items() if hasattr(layer, name)})
    assert static.png(alone(AXES, bare), pixel_ratio=1) == static.png(alone(AXES), pixel_ratio=1)


def test_a_panel_may_choose_its_ticks():
    for ticks in ((), (0.0, 0.5)):
        drawn = static.figure(alone(replace(AXES, yticks=ticks))).axes[0]
        assert (tuple(drawn.get_yticks()) == ticks) == bool(ticks)
    drawn = static.figure(alone(replace(AXES, yticks=(0.0, 0.5), ynames=("none", "half")))).axes[0]
    assert [tick.get_text() for tick in drawn.get_yticklabels()] == ["none", "half"]


def ticks(axis, limits):
    """Labels of the ticks that are drawn."""
    drawn = [tick for tick in (*axis.get_major_ticks(), *axis.get_minor_ticks()) if tick.label1.get_text()]
    return [tick.label1 for tick in drawn if limits[0] <= tick.get_loc() <= limits[1]]


def written(ax):
    """Where frame, or the texts of a bare panel, title, labels, tick labels and legend of axes stand on the sheet."""
    texts = {text.get_text(): text for text in ax.texts if text.get_text()}
    parts = {"frame": ax.patch} if ax.spines["left"].get_visible() else texts
    parts |= {"title": ax._left_title} if ax.get_title(loc="left") else {}
    parts |= {"xlabel": ax.xaxis.label} if ax.get_xlabel() else {}
    parts |= {"ylabel": ax.yaxis.label} if ax.get_ylabel() else {}
    parts |= {f"x tick {tick.get_text()}": tick for tick in ticks(ax.xaxis, ax.get_xlim())}
    parts |= {f"y tick {tick.get_text()}": tick for tick in ticks(ax.yaxis, ax.get_ylim())}
    parts |= {"legend": ax.get_legend()} if ax.get_legend() else {}
    return {f"{ax.get_title(loc='left')}: {name}": part.get_window_extent() for name, part in parts.items()}


@pytest.mark.parametrize("projector", [False, True], ids=["screen", "projector"])
@pytest.mark.parametrize("kind", STARTS, ids=lambda kind: kind.__name__)
def test_all_that_a_lab_writes_fits_the_sheet_and_stands_clear(kind, projector):
    check_texts(kind(**STARTS[kind], projector=projector).figure())


def check_texts(drawn):
    """All texts, frames and legends of a figure lie on it, and none overlap."""
    drawn.draw_without_rendering()
    boxes = [box for ax in drawn.axes for box in written(ax).values()]
    for box in boxes:
        assert 0 <= box.x0 < box.x1 <= drawn.bbox.x1
        assert 0 <= box.y0 < box.y1 <= drawn.bbox.y1
    # A letter's box holds room for descenders, which figures do not have.
    inner = [box.padded(-2 * drawn.dpi / static.CSS_DPI) for box in boxes]
    assert not any(one.overlaps(other) for one, other in combinations(inner, 2))


@pytest.fixture(scope="module")
def picture():
    return NeighborLab(n=200, p1=0.2).picture


def test_axes_stand_in_their_rectangles(picture):
    for ax, panel in zip(static.figure(picture).axes, picture.panels, strict=True):
        box, (left, top, width, height) = ax.bbox, panel.axes.rectangle
        assert (box.x0, picture.size[1] - box.y1, box.width, box.height) == pytest.approx((left, top, width, height))
        assert (ax.get_xlim(), ax.get_ylim()) == (panel.axes.xlim, panel.axes.ylim)


def test_every_point_is_drawn_once_by_its_class(picture):
    points = next(layer for layer in picture.panels[0].layers if layer.name == "points")
    drawn = static.figure(picture).axes[0]
    stamped = [c for c in drawn.collections if isinstance(c, PathCollection)]
    rings = np.bincount(points.ring_codes[points.ringed], minlength=2)
    assert [len(c.get_offsets()) for c in stamped[:4]] == [*np.bincount(points.codes), *rings]
    assert any(isinstance(c, LineCollection) for c in drawn.collections)


def test_axes_frame_is_transparent_inside_and_holds_all_that_stands_around(picture):
    for panel in picture.panels:
        drawn = static.axes_frame(panel, picture.size)
        image = np.array(Image.open(BytesIO(drawn.png)).convert("RGBA"))
        assert image.shape == (2 * drawn.rectangle[3], 2 * drawn.rectangle[2], 4)
        left, top, width, height = (int(2 * value) for value in panel.axes.rectangle)
        x, y = int(2 * drawn.rectangle[0]), int(2 * drawn.rectangle[1])
        inside = image[top - y + 4 : top - y + height - 4, left - x + 4 : left - x + width - 4, 3]
        assert inside.size > 4e5 // 3
        assert inside.max() == 0
        whole = np.array(Image.open(BytesIO(static.png(replace(picture, panels=(replace(panel, layers=()),))))))
        assert (whole[: y - 2] == 255).all(), "nothing of the frame lies above"


def test_an_axes_frame_in_few_colors_looks_as_it_did(monkeypatch, picture):
    made = []
    monkeypatch.setattr(static, "_with_palette", lambda image: made.append(image) or image)
    large = static.axes_frame(picture.panels[0], picture.size).png
    monkeypatch.undo()
    small = static.axes_frame(picture.panels[0], picture.size).png
    assert len(small) < 0.6 * len(large)
    full, few = np.asarray(made[0], int), np.asarray(Image.open(BytesIO(small)).convert("RGBA"), int)
    assert abs(full - few)[full[..., 3] > 8].max() <= 4
    assert few[full[..., 3] == 0].max() == 0


def test_few_colours_make_a_small_file_and_are_exact_on_large_areas(picture):
    """What a legend shows is what the areas are filled with, and no pixel is far from what it was."""
    large, small = (static.png(picture, max_colors=colors) for colors in (None, 64))
    assert len(small) < 0.6 * len(large)
    full, few = (Image.open(BytesIO(file)).convert("RGB") for file in (large, small))
    counted = sorted(full.getcolors(full.width * full.height), reverse=True)
    kept = {color for _, color in few.getcolors(64)}
    assert {color for _, color in counted[:32]} <= kept
    apart = abs(np.asarray(full, int) - np.asarray(few, int)).max(axis=2)
    frequent = [np.array(color) @ static.CHANNELS for _, color in counted[:32]]
    large = np.isin(np.asarray(full) @ static.CHANNELS, frequent)
    assert apart[large].max() == 0
    assert np.quantile(apart[~large], 0.99) < 40


def test_an_unknown_layer_is_named():
    with pytest.raises(TypeError, match="no painter for a layer of type int"):
        artists.draw(1, None, 1)


def test_layers_lie_in_their_order_whatever_their_kind():
    line = Lines(name="line", x=(1, 100), y=0, color="#00FF00", width=9)
    spot = Points(name="spot", x=50.5, y=0, palette=("#FF0000",), markers=style.markers(1), size=20)
    left, top, width, height = AXES.rectangle
    for stack, color in (((line, spot), (255, 0, 0)), ((spot, line), (0, 255, 0))):
        image = np.array(Image.open(BytesIO(static.png(alone(AXES, *stack)))).convert("RGB"))
        assert tuple(image[2 * top + height, 2 * left + width]) == color


def test_all_of_a_layer_has_its_zorder(picture):
    """Rings and crosses, too: what a layer above covers, it covers whole."""
    axes = static.figure(picture).axes[0]
    zorders = {round(1 + i / 100, 2) for i in range(len(picture.panels[0].layers))}
    drawn = [c.get_zorder() for c in axes.collections if isinstance(c, PathCollection)]
    assert drawn == [1.01] * 4 + [1.02] * 4 + [1.05] * 2
    assert set(drawn) <= zorders


def test_the_frame_key_changes_with_the_legend(picture):
    panel = picture.panels[1]
    recolored = tuple(replace(layer, color="#123456") if layer.label else layer for layer in panel.layers)
    assert replace(panel, layers=recolored).frame_key != panel.frame_key
    assert replace(panel, layers=tuple(map(replace, panel.layers))).frame_key == panel.frame_key


def test_large_powers_of_ten_are_written_as_such():
    drawn = static.figure(alone(replace(AXES, log=True, xlim=(1.0, 1e6))))
    drawn.canvas.draw()
    texts = [text.get_text() for text in drawn.axes[0].get_xticklabels()]
    assert texts[1:-1] == ["1", "10", "100", "1000", "10⁴", "10⁵", "10⁶"]
