"""The matplotlib painter, through what its artists hold."""

import warnings
from dataclasses import replace
from io import BytesIO
from itertools import combinations

import matplotlib
import matplotlib.style
import numpy as np
import pytest
from matplotlib.transforms import Bbox
from PIL import Image
from small import STARTS

from knnviz.views import static, style
from knnviz.views.labels import ALIGNED, GRIP, labelled
from knnviz.views.layers import (
    Annotations,
    Axes,
    Band,
    Bars,
    Fill,
    Lines,
    Panel,
    Picture,
    Place,
    Points,
    Raster,
)
from knnviz.views.marks import draggable

AXES = Axes("all", "Everything", "x", "y", (1.0, 100.0), (-1.0, 1.0), (66, 40, 420, 300))
SIZE = (560, 620)


def every_layer():
    """A layer of each kind, with what is rare in it."""
    box = (1, 100, -1, 1)
    gap = np.nan
    codes = np.array([[0, 1], [1, 0]], np.uint8)
    checks = np.eye(2, dtype=bool)
    coded = {"palette": ("#FF0000", "#00FF00"), "codes": codes[0]}
    spots = {"x": (2, 20), "y": (0.2, 0.4)}

    raster = Raster(
        name="map",
        codes=codes,
        extent=box,
        palette=("#FF000000", "#00FF0080"),
        labels=("clear", "half"),
        outline="#000000",
    )
    rising = Fill(name="rising", cells=checks, extent=box, label="rising set")
    falling = Fill(name="falling", cells=~checks, extent=box, label="falling set", hatch="\\")
    band = Band(
        name="band",
        x=(1, 10, gap, 100),
        label="a band",
        lower=(-0.5, -0.4, gap, 0),
        upper=(0, 0.1, gap, 0.4),
    )
    bars = Bars(
        name="bars",
        x=(10, 50),
        heights=(0.5, -0.5),
        width=5,
        labels=("bar a", "bar b"),
        **coded,
    )
    line = Lines(name="line", x=(1, gap, 100), y=(0, gap, 1), label="a line", dash=(3, 3))
    points = Points(
        name="points",
        ringed=checks[0],
        markers=style.markers(2),
        labels=("point a", "point b"),
        ring_labels=("ringed",),
        **spots,
        **coded,
    )
    marks = Annotations(
        name="marks",
        texts=("one", "two"),
        cross=18,
        handles=("first", "second"),
        align="center",
        **spots,
    )
    return raster, rising, falling, band, bars, line, points, marks


def without_anything():
    """The same layers, empty."""
    codes = np.empty(0, np.uint8)
    nowhere = {"x": (), "y": ()}
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
    *("clear", "half", "a band", "bar a", "bar b", "a line", "point a", "point b", "ringed"),
    *("rising set", "falling set"),
]


#: Names of classes stand in a legend as a key to colors and markers, whether or not a class is
#: there.
KEY = ["clear", "half", "bar a", "bar b", "point a", "point b"]


def png(drawn, pixel_ratio=2, **settings):
    return static.figure_png(static.figure(drawn), pixel_ratio, **settings)


def image_of(drawn, mode="RGB", **settings):
    """Pixels of a picture."""
    file = BytesIO(png(drawn, **settings))
    return np.array(Image.open(file).convert(mode))


@pytest.mark.parametrize(
    ("layers", "labels"),
    [(every_layer(), LABELS), (without_anything(), KEY)],
    ids=["full", "empty"],
)
@pytest.mark.parametrize("log", [False, True], ids=["linear", "log"])
def test_every_kind_of_layer_is_drawn_without_a_warning_and_named_if_it_shows(layers, labels, log):
    drawn = alone(replace(AXES, log=log), *layers)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        figure = static.figure(drawn)
        image = image_of(drawn, "L", pixel_ratio=1)

    ax = figure.axes[0]
    texts = ax.get_legend().get_texts()
    assert [text.get_text() for text in texts] == labels
    assert ax.get_xscale() == ("log" if log else "linear")
    assert ax.get_xlim() == AXES.xlim
    assert ax.get_ylim() == AXES.ylim
    for rim in (image[:2], image[-2:], image[:, :2], image[:, -2:]):
        assert rim.min() == 255


@pytest.mark.parametrize("layer", without_anything(), ids=lambda layer: layer.name)
def test_a_layer_without_anything_leaves_no_trace(layer):
    """Only a raster has cells of every code."""
    unnamed = {"label": None, "labels": (), "ring_labels": ()}
    own = {name: value for name, value in unnamed.items() if hasattr(layer, name)}
    bare = replace(layer, **own)
    nothing = png(alone(AXES), pixel_ratio=1)
    assert png(alone(AXES, bare), pixel_ratio=1) == nothing


def distinct(texts):
    """Texts that say something; of the same ones the last."""
    return {text.get_text(): text for text in texts if text.get_text()}.values()


def ticks(axis, limits):
    """Labels of the ticks that are drawn."""
    low, high = limits
    every = (*axis.get_major_ticks(), *axis.get_minor_ticks())
    return distinct([tick.label1 for tick in every if low <= tick.get_loc() <= high])


def written(ax):
    """Where frame, or the texts of a bare panel, title, labels, tick labels and legend of axes
    stand on the sheet.
    """
    shown = [*ticks(ax.xaxis, ax.get_xlim()), *ticks(ax.yaxis, ax.get_ylim())]
    if ax.spines["left"].get_visible():
        shown.append(ax.patch)
    else:
        shown += distinct(ax.texts)
    for label in (ax._left_title, ax.xaxis.label, ax.yaxis.label):
        if label.get_text():
            shown.append(label)
    if ax.get_legend():
        shown.append(ax.get_legend())
    return [part.get_window_extent() for part in shown]


def assert_apart(boxes, slack):
    """Boxes without a rim of so many pixels do not overlap."""
    inner = [box.padded(-slack) for box in boxes]
    for one, other in combinations(inner, 2):
        assert not one.overlaps(other)


def assert_within(boxes, frame):
    for box in boxes:
        assert frame.x0 <= box.x0 < box.x1 <= frame.x1
        assert frame.y0 <= box.y0 < box.y1 <= frame.y1


@pytest.mark.parametrize("projector", [False, True], ids=["screen", "projector"])
@pytest.mark.parametrize("kind", STARTS, ids=lambda kind: kind.__name__)
def test_all_that_a_lab_writes_fits_the_sheet_and_stands_clear(kind, projector):
    """All texts, frames and legends of a figure lie on it, and none overlap; nor do labels with a
    place in their axes, which are not in the legend.
    """
    lab = kind(**STARTS[kind], projector=projector)
    drawn = lab.figure()
    drawn.draw_without_rendering()
    boxes = []
    for ax, panel in zip(drawn.axes, lab.picture.panels, strict=True):
        boxes += written(ax)
        named = [layer.texts[0] for layer in labelled(panel)[len(panel.layers) :]]
        assert not {*named} & {entry.label for entry in panel.legend}
        names = [name.get_window_extent() for name in ax.texts[len(ax.texts) - len(named) :]]
        assert_apart(names, 2)
        if not projector:
            # Hinted letters of a magnified sheet are up to 2 pixels wider than measured.
            assert_within(names, ax.bbox)
    assert_within(boxes, drawn.bbox)

    # A letter's box holds room for descenders, which figures do not have.
    descender = 2 * drawn.dpi / static.CSS_DPI
    assert_apart(boxes, descender)


@pytest.mark.parametrize("log", [False, True], ids=["linear", "log"])
@pytest.mark.parametrize("align", ALIGNED)
def test_a_label_makes_way_for_lines_texts_and_what_a_hand_takes_hold_of(align, log):
    """It stands beside its own line, or above or below, as near as can be."""
    axes = replace(AXES, log=log)
    rising = Lines(name="rising", x=(1, 100), y=(-1, 1))
    grip = draggable("t", 10, 0.1, "t", "threshold", "ten", "right")
    for x in np.geomspace(1, 100, 9):
        line = Lines(name="level", label="a level", at=Place(x, 0.1, align), x=axes.xlim, y=0.1)
        drawn = static.figure(alone(axes, line, rising, grip))
        drawn.draw_without_rendering()
        (ax,) = drawn.axes
        *taken, label = [text.get_window_extent() for text in ax.texts]
        at = ax.transData.transform((10, 0.1))
        taken.append(Bbox([at - GRIP, at + GRIP]))
        letters = label.padded(-2)
        assert not any(letters.overlaps(box) for box in taken)
        for each in ax.lines:
            path = each.get_path().transformed(each.get_transform())
            assert not path.intersects_bbox(letters, filled=False)
        assert_within([label], ax.bbox)
        middle = (label.y0 + label.y1) / 2
        assert abs(middle - at[1]) < 12


def test_layers_lie_in_their_order_whatever_their_kind():
    line = Lines(name="line", x=(1, 100), y=0, color="#00FF00", width=9)
    spot = Points(name="spot", x=50.5, y=0, palette=("#FF0000",), markers=style.markers(1), size=20)
    left, top, width, height = AXES.rectangle
    for stack, color in (((line, spot), (255, 0, 0)), ((spot, line), (0, 255, 0))):
        image = image_of(alone(AXES, *stack))
        middle = image[2 * top + height, 2 * left + width]
        assert tuple(middle) == color


def test_a_reader_s_style_sets_the_fonts_and_nothing_else(tmp_path):
    """Paper, ink, grid and ticks are ours, in files too; ours is also the font of letters that the
    reader's lacks.
    """
    picture = alone(AXES, *every_layer())
    before = png(picture)
    file = tmp_path / "a.png"
    dark = ["dark_background", "ggplot", {"savefig.facecolor": "black"}]
    with matplotlib.style.context(dark):
        assert png(picture) == before
        static.figure(picture).savefig(file)
    image = Image.open(file).convert("RGB")
    assert image.getpixel((0, 0)) == (255, 255, 255)

    with matplotlib.rc_context({"font.family": "DejaVu Serif"}):
        label = static.figure(picture).axes[0].xaxis.label
    assert label.get_fontfamily() == ["DejaVu Serif", style.FONT]
