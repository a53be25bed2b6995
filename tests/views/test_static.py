"""The matplotlib painter, through what its artists hold."""

import warnings
from dataclasses import replace
from io import BytesIO
from itertools import combinations

import numpy as np
import pytest
from matplotlib.collections import LineCollection, PathCollection
from PIL import Image
from small import RECIPES, SMALL

from knnviz.labs import (
    ActiveLab,
    ActiveRatesLab,
    BagNoiseLab,
    BandLab,
    EliminationLab,
    ImbalanceLab,
    LearnabilityLab,
    NeighborLab,
    NoiseLab,
    RatesLab,
    ThresholdLab,
    TuningLab,
    TwoWorldsLab,
    WeightLab,
)
from knnviz.views import artists, static, style
from knnviz.views.layers import Annotations, Axes, Band, Bars, Fill, Lines, Panel, Picture, Pies, Points, Raster

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
    bags = np.array([[1, 1], [0, 0]], bool)
    raster = {"palette": ("#FF000000", "#00FF0080"), "labels": ("clear", "half"), "outline": "#000000"}
    return (
        Raster(name="map", codes=codes, extent=box, **raster),
        Fill(name="rising", cells=checks, extent=box, label="rising set"),
        Fill(name="falling", cells=~checks, extent=box, label="falling set", hatch="\\"),
        Band(name="band", x=(1, 10, gap, 100), label="a band", **band),
        Bars(name="bars", labels=("bar a", "bar b"), **bars, **coded),
        Pies(name="bags", bags=bags, labels=("bag a", "bag b"), **spots, **coded),
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
        "bags": nowhere | {"bags": np.empty((0, 2), bool)},
        "line": nowhere,
        "points": nowhere | {"codes": codes, "ringed": codes.astype(bool)},
        "marks": nowhere | {"texts": (), "handles": ()},
    }
    return tuple(replace(layer, **empty[layer.name]) for layer in every_layer())


def alone(axes, *layers):
    """A picture of one panel."""
    return Picture((Panel(axes, layers),), SIZE, "")


LABELS = [
    *("clear", "half", "rising set", "falling set", "a band", "bar a", "bar b", "bag a", "bag b", "a line"),
    *("point a", "point b", "ringed"),
]


#: Names of classes stand in a legend as a key to colors and markers, whether or not a class is there.
KEY = ["clear", "half", "bar a", "bar b", "bag a", "bag b", "point a", "point b"]


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


def check_texts(drawn):
    """All texts, frames and legends of a figure lie on it, and none overlap."""
    drawn.draw_without_rendering()
    boxes = [box for ax in drawn.axes for box in written(ax).values()]
    for box in boxes:
        assert 0 <= box.x0 < box.x1 <= drawn.bbox.x1
        assert 0 <= box.y0 < box.y1 <= drawn.bbox.y1
    assert not any(one.padded(-2).overlaps(other.padded(-2)) for one, other in combinations(boxes, 2))


#: Each setting has a text, a tick or a legend that reaches farther than in the others of its lab.
LEGENDS = {
    NeighborLab: [
        {"problem": "linear", "p0": 0.1, "p1": 0.3, "overlay": "advantage", "curve": "over n"},
        {"problem": "three gaussians", "overlay": "advantage", "k": 200},
        {"problem": "breast cancer", "n": 300, "curve": "over n"},
        {"problem": "iris", "n": 105, "k": 100},
    ],
    NoiseLab: [
        {"problem": "checkerboard", "curve": "over k", "overlay": "hard points"},
        {"problem": "plateau", "curve": "over k'", "k": 300},
        {"problem": "moons", "curve": "over n, k grows", "overlay": "misled points", "shown": "kNN"},
        {"problem": "breast cancer", "n": 300, "curve": "over n"},
    ],
    RatesLab: [
        {"curve": "excess over n", "bound_over": "over n", "resolution": SMALL},
        {"shape": "ramp", "low": 0.2, "n": 1_000_000, "curve": "over n", "resolution": SMALL},
    ],
    WeightLab: [
        {"overlay": "effective boundary"},
        {"problem": "three gaussians", "overlay": "lower-bound set", "q0": 0.0},
        {"problem": "iris", "n": 100, "overlay": "regions only", "k": 100},
    ],
    BandLab: [{"c": "class 2", "width_factor": "tight"}, {"n": 1_000_000, "k": 1400, "epsilon_source": "Theorem 3"}],
    ImbalanceLab: [
        {"rule": "kNN", "classes": 12, "exponent": 3.0, "k": 10},
        {"rule": "kNN", "classes": 2, "a": 0.4, "scale": 0.05},
    ],
    ActiveRatesLab: [
        {"n": 10**16, "k": 11, "smoothness": 0.5, "margin_exponent": 1.95},
        {"n": 10**16, "problem": "bump", "assumed": "power family"},
    ],
    TwoWorldsLab: [{"n": n} for n in (20, 1_000_000)],
    ThresholdLab: [{"problem": "rare class"}, {"problem": "breast cancer", "n": 300}],
    TuningLab: [
        {"curve": "F1 over n", "landscape": "Bayes rule"},
        {"problem": "three gaussians", "curve": "grid minus greedy", "zoom": "all of it", "n_steps": 0},
        {"landscape": "kNN on new points", "q0": 0.8, "n_steps": 50},
        {"problem": "zipf on a line", "curve": "distance of weights", "k": 1},
        {"problem": "iris", "n": 100, "k": 75, "validation": "hold-out", "n_steps": 25},
    ],
    ActiveLab: [
        {"n": 6000, "m": 6000, "k_hard": 300, "curve": "mean over samples"},
        {"m": 0},
        {"problem": "power", "step": 2},
        {"problem": "wave2d", "n": 1000, "m": 5000},
        {"problem": "wave2d", "step": 0, "curve": "mean over samples"},
        {"problem": "breast cancer", "n": 119, "m": 119, "k_hard": 59, "k_vote": 29},
    ],
    BagNoiseLab: [
        {"problem": "wine", "splits": 1, "bag_noise": 0.8, "max_neighbors": 72},
        {"problem": "breast cancer", "splits": 1, "bag_noise": 0.0, "kind": "removal", "inclusion": 0.95},
    ],
    # The most classes, and the longest names and numbers beside them.
    EliminationLab: [
        {"problem": "five gaussians", "max_neighbors": 400, "k": 400, "overlay": "stopping k"},
        {"problem": "five pieces", "max_neighbors": 5000, "k": 400, "overlay": "advantage"},
        {
            "problem": "fractions 50 49 1",
            "n": 8000,
            "max_neighbors": 5000,
            "k": 5000,
            "c1": 3.0,
            "overlay": "misaligned",
        },
        {"problem": "iris", "n": 105, "max_neighbors": 100, "k": 100, "c1": 3.0, "overlay": "undecided"},
        {"problem": "worked example", "n": 100, "max_neighbors": 12, "k": 12, "x1": 0.0},
        {"k": 1},
    ],
    # The longest lines, all that a legend may hold, and the handle in a corner.
    LearnabilityLab: [
        {"model": "Lv et al., noisy", "beside": "swapped", "column": "label 2", "eta0": 0.346, "eta1": 0.333},
        {"model": "two never apart", "beside": "same bags", "eta0": 0.417, "eta1": 0.417, "eta2": 0.166},
        {f"probability_012_{label}": 1 for label in range(3)} | {"beside": "same bags", "eta0": 0.417, "eta1": 0.417},
        {"model": "first expert", "beside": "swapped"},
        {"model": "always both", "beside": "same bags", "eta0": 0.0},
        {"model": "mostly right", "n": 0, "eta2": 1.0},
    ],
}
EACH = [(kind, settings) for kind, of_lab in LEGENDS.items() for settings in of_lab]


@pytest.mark.parametrize(("kind", "settings"), EACH, ids=lambda value: str(getattr(value, "title", value)))
def test_all_that_is_written_fits_the_sheet_and_stands_clear(small, kind, settings):
    """On the screen, and then large for a lecture hall."""
    quick = {name: value for name, value in {"n": 400, "repeats": 2}.items() if name in kind.parameters}
    fine = {"resolution": SMALL} if kind in RECIPES else {}
    lab = kind(**fine | quick | settings)
    for large in (False, True):
        lab.projector = large
        drawn, display = lab.figure(), "projector" if large else "screen"
        drawn.draw_without_rendering()
        places = {name: box for ax in drawn.axes for name, box in written(ax).items()}
        for name, box in places.items():
            assert drawn.bbox.x0 <= box.x0 < box.x1 <= drawn.bbox.x1, (display, name)
            assert drawn.bbox.y0 <= box.y0 < box.y1 <= drawn.bbox.y1, (display, name)
        # A letter's box holds room for descenders, which figures do not have.
        inner = {name: box.padded(-2 * drawn.dpi / static.CSS_DPI) for name, box in places.items()}
        assert [pair for pair in combinations(inner, 2) if inner[pair[0]].overlaps(inner[pair[1]])] == [], display


@pytest.mark.parametrize("projector", [False, True], ids=["screen", "projector"])
@pytest.mark.parametrize("problem", ["checkerboard", "waves", "breast cancer", "iris"])
def test_the_vote_text_fits_its_panel(small, problem, projector):
    lab = NeighborLab(problem=problem, n=105 if problem == "iris" else 398, projector=projector)
    for k in (1, 50, 99, 100, 101, 150, 200):
        picture = lab.set(k=min(k, lab.n)).picture
        (ax,) = static.figure(replace(picture, panels=picture.panels[1:2])).axes
        assert ax.texts
        for text in ax.texts:
            (low, high), box = text.get_window_extent().get_points(), ax.bbox
            assert (box.min <= low).all(), (k, text.get_text())
            assert (high <= box.max).all(), (k, text.get_text())


@pytest.mark.parametrize("projector", [False, True], ids=["screen", "projector"])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_numbers_of_a_process_stand_in_the_middle_of_their_cells(n_classes, projector):
    lab = LearnabilityLab(n_classes=n_classes, model="Lv et al., noisy", projector=projector)
    ax = lab.figure().axes[1]
    texts = [text for text in ax.texts if text.get_text()]
    assert len(texts) == n_classes * 2**n_classes
    ax.figure.draw_without_rendering()
    for text, (bag, label) in zip(texts, np.ndindex(2**n_classes, n_classes), strict=True):
        box = text.get_window_extent()
        cell = ax.transData.transform([(label, 2**n_classes - bag - 1), (label + 1, 2**n_classes - bag)])
        assert cell[0, 0] < box.x0 < box.x1 < cell[1, 0], (bag, label)
        assert cell[0, 1] < box.y0 < box.y1 < cell[1, 1], (bag, label)
        assert abs([(box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2] - cell.mean(axis=0)).max() < 3
        assert text.get_annotation_clip() is not False
        assert ax.bbox.contains(*ax.transData.transform(text.xy)), "beyond the frame it is not drawn"


def test_the_projector_makes_all_larger_on_the_same_width():
    plain, large = (NeighborLab(n=200, p1=0.2, projector=on).figure() for on in (False, True))
    for one, other in zip(plain.axes, large.axes, strict=True):
        assert (letters(other) / letters(one) > (1.3, 1.3, 1.3, 1.1)).all()


def letters(ax):
    """Sizes of title, label, ticks and legend, in parts of the sheet's width."""
    texts = (ax._left_title, ax.xaxis.label, ax.get_xticklabels()[0], ax.get_legend().get_texts()[0])
    return np.array([text.get_fontsize() for text in texts]) * ax.figure.dpi / ax.figure.bbox.width


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


def test_the_legend_names_what_is_there(picture):
    texts = [text.get_text() for text in static.figure(picture).axes[0].get_legend().get_texts()]
    assert texts == ["class 0", "class 1", "label flipped", "Bayes boundary", "ball of k neighbors"]


def test_a_panel_of_text_alone_has_an_empty_axes_frame():
    bare = Panel(Axes("story", "", "", "", (0, 1), (0, 1), (10, 10, 100, 20), bare=True), ())
    drawn = static.axes_frame(bare, (200, 100))
    assert drawn.rectangle == (0, 0, 0.5, 0.5)


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
