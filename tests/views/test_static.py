"""The matplotlib painter, through what its artists hold."""

import warnings
from dataclasses import replace
from io import BytesIO
from itertools import combinations

import numpy as np
import pytest
from matplotlib.collections import LineCollection, PathCollection
from PIL import Image

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
    neighbors,
)
from knnviz.labs.noise import risks as noise_risks
from knnviz.labs.rates import layers as rate_layers
from knnviz.labs.tuning import trial_panel
from knnviz.views import artists, static, style
from knnviz.views.layers import Annotations, Axes, Band, Bars, Fill, Lines, Panel, Picture, Pies, Points, Raster

SPOT = {
    "x": np.array([0.5], np.float32),
    "y": np.array([0.5], np.float32),
    "codes": np.zeros(1, np.uint8),
    "ringed": np.zeros(1, bool),
    "ring_codes": None,
    "palette": ("#FF0000", "#0000FF"),
    "size": 20.0,
}


AXES = Axes("all", "Everything", "x", "y", (1.0, 100.0), (-1.0, 1.0), (66, 40, 420, 300))
SIZE = (560, 620)


def floats(*values):
    return np.array(values, np.float32)


def every_layer():
    """A layer of each kind, with what is rare in it."""
    box, gap = (1, 100, -1, 1), np.nan
    codes, checks = np.array([[0, 1], [1, 0]], np.uint8), np.array([[True, False], [False, True]])
    colors = ("#FF0000", "#00FF00")
    spots = {"x": floats(2, 20), "y": floats(0.2, 0.4)}
    points = {"codes": codes[0], "ringed": checks[0], "palette": colors, "markers": style.markers(2)}
    band = {"lower": floats(-0.5, -0.4, gap, 0), "upper": floats(0, 0.1, gap, 0.4)}
    bars = {"x": floats(10, 50), "heights": floats(0.5, -0.5), "codes": codes[0], "palette": colors, "width": 5}
    bags = np.array([[1, 1], [0, 0]], bool)
    return (
        Raster(
            name="map",
            codes=codes,
            palette=("#FF000000", "#00FF0080"),
            extent=box,
            labels=("clear", "half"),
            outline="#000000",
        ),
        Fill(name="rising", cells=checks, extent=box, label="rising set"),
        Fill(name="falling", cells=~checks, extent=box, label="falling set", hatch="\\"),
        Band(name="band", x=floats(1, 10, gap, 100), label="a band", **band),
        Bars(name="bars", labels=("bar a", "bar b"), **bars),
        Pies(name="bags", bags=bags, palette=colors, labels=("bag a", "bag b"), **spots),
        Lines(name="line", x=floats(1, gap, 100), y=floats(0, gap, 1), label="a line", dash=(3, 3)),
        Points(name="points", labels=("point a", "point b"), ring_label="ringed", **spots, **points),
        Annotations(name="marks", texts=("one", "two"), cross=18, handles=("first", "second"), align="center", **spots),
    )


def without_anything():
    """The same layers, empty."""
    none, codes, bags = floats(), np.empty(0, np.uint8), np.empty((0, 2), bool)
    empty = {
        "map": {"codes": np.zeros((2, 2), np.uint8)},
        "rising": {"cells": np.zeros((2, 2), bool)},
        "falling": {"cells": np.zeros((1, 1), bool)},
        "band": {"x": none, "lower": none, "upper": none},
        "bars": {"x": none, "heights": none, "codes": codes},
        "bags": {"x": none, "y": none, "bags": bags},
        "line": {"x": none, "y": none},
        "points": {"x": none, "y": none, "codes": codes, "ringed": codes.astype(bool)},
        "marks": {"x": none, "y": none, "texts": (), "handles": ()},
    }
    return tuple(replace(layer, **empty[layer.name]) for layer in every_layer())


LABELS = [
    *("clear", "half", "rising set", "falling set", "a band", "bar a", "bar b", "bag a", "bag b", "a line"),
    *("point a", "point b", "ringed"),
]


#: Names of classes stand in a legend as a key to colours and markers, whether or not a class is there.
KEY = ["clear", "half", "bar a", "bar b", "bag a", "bag b", "point a", "point b"]


@pytest.mark.parametrize(
    ("layers", "labels"), [(every_layer(), LABELS), (without_anything(), KEY)], ids=["full", "empty"]
)
@pytest.mark.parametrize("log", [False, True], ids=["linear", "log"])
def test_every_kind_of_layer_is_drawn_without_a_warning_and_named_if_it_shows(layers, labels, log):
    drawn = Picture((Panel(replace(AXES, log=log), layers),), SIZE, "")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        figure = static.figure(drawn)
        image = np.array(Image.open(BytesIO(static.png(drawn, ratio=1))).convert("L"))
    ax = figure.axes[0]
    assert [text.get_text() for text in ax.get_legend().get_texts()] == labels
    assert (ax.get_xscale(), ax.get_xlim(), ax.get_ylim()) == ("log" if log else "linear", AXES.xlim, AXES.ylim)
    for rim in (image[:2], image[-2:], image[:, :2], image[:, -2:]):
        assert rim.min() == 255


@pytest.mark.parametrize("layer", without_anything(), ids=lambda layer: layer.name)
def test_a_layer_without_anything_leaves_no_trace(layer):
    """Only a raster has cells of every code."""
    blank = static.png(Picture((Panel(AXES, ()),), SIZE, ""), ratio=1)
    bare = {"label": None} | {name: () for name in ("labels",) if hasattr(layer, name)}
    bare |= {"ring_label": None} if hasattr(layer, "ring_label") else {}
    assert static.png(Picture((Panel(AXES, (replace(layer, **bare),)),), SIZE, ""), ratio=1) == blank


def test_a_panel_may_choose_its_ticks():
    for ticks in ((), (0.0, 0.5)):
        drawn = static.figure(Picture((Panel(replace(AXES, yticks=ticks), ()),), SIZE, "")).axes[0]
        assert (tuple(drawn.get_yticks()) == ticks) == bool(ticks)
    named = replace(AXES, yticks=(0.0, 0.5), ynames=("none", "half"))
    drawn = static.figure(Picture((Panel(named, ()),), SIZE, "")).axes[0]
    assert [tick.get_text() for tick in drawn.get_yticklabels()] == ["none", "half"]


NOISY = [
    {"problem": "checkerboard", "curve": "over k", "overlay": "hard points"},
    {"problem": "plateau", "curve": "over k'", "k": 300},
    {"problem": "moons", "curve": "over n, k grows", "overlay": "misled points", "shown": "kNN"},
    {"problem": "breast cancer", "n": 300, "curve": "over n"},
]

FULL_LEGENDS = [
    {"problem": "linear", "p0": 0.1, "p1": 0.3, "overlay": "advantage", "curve": "over n"},
    {"problem": "jump", "p0": 0.1, "p1": 0.3, "overlay": "effective boundary"},
    {"problem": "three gaussians", "overlay": "advantage", "k": 200},
    {"problem": "checkerboard", "p0": 0.1, "p1": 0.4, "overlay": "misled points", "curve": "over k"},
    {"problem": "waves", "overlay": "effective boundary"},
    {"problem": "breast cancer", "n": 300, "curve": "over n"},
    {"problem": "iris", "n": 105, "k": 100},
]


def ticks(axis, limits):
    """Labels of the ticks that are drawn."""
    drawn = [tick for tick in (*axis.get_major_ticks(), *axis.get_minor_ticks()) if tick.label1.get_text()]
    return [tick.label1 for tick in drawn if limits[0] <= tick.get_loc() <= limits[1]]


def written(ax):
    """Frame, title, labels, tick labels and legend of axes: their places on the sheet, by what they are.

    Of a bare panel what is told in it.
    """
    told = {text.get_text(): text for text in ax.texts if text.get_text()}
    parts = {"frame": ax.patch} if ax.spines["left"].get_visible() else told
    parts |= {"title": ax._left_title} if ax.get_title(loc="left") else {}
    parts |= {"xlabel": ax.xaxis.label} if ax.get_xlabel() else {}
    parts |= {"ylabel": ax.yaxis.label} if ax.get_ylabel() else {}
    parts |= {f"x tick {tick.get_text()}": tick for tick in ticks(ax.xaxis, ax.get_xlim())}
    parts |= {f"y tick {tick.get_text()}": tick for tick in ticks(ax.yaxis, ax.get_ylim())}
    parts |= {"legend": ax.get_legend()} if ax.get_legend() else {}
    return {f"{ax.get_title(loc='left')}: {name}": part.get_window_extent() for name, part in parts.items()}


RATES = [
    {"curve": "over n"},
    {"curve": "excess over n", "bound_over": "over n"},
    {"shape": "ramp", "low": 0.2, "n": 1_000_000, "curve": "over n"},
    {"shape": "two levels", "n": 100_000, "bound_over": "over n", "curve": "excess over n"},
]
THRESHOLDS = [{"problem": "rare class"}, {"problem": "wave2d", "t": 0.1}, {"problem": "breast cancer", "n": 300}]
WEIGHTS = [
    {"overlay": "effective boundary"},
    {"problem": "three gaussians", "overlay": "lower-bound set", "q0": 0.0},
    {"problem": "iris", "n": 100, "overlay": "regions only", "k": 100},
]
BANDS = [{"c": "class 2", "reach": "tight"}, {"n": 1_000_000, "k": 1400, "epsilon_source": "Theorem 3"}]
TUNING = [
    {"curve": "F1 over n", "landscape": "Bayes rule"},
    {"problem": "three gaussians", "curve": "F1 over k", "zoom": "all of it", "judged": "micro F1", "n_steps": 0},
    {"curve": "grid minus greedy", "landscape": "kNN on new points", "shown": "grid", "q0": 0.8, "n_steps": 50},
    {"problem": "zipf on a line", "curve": "distance of weights", "scoring": "balanced accuracy", "k": 1},
    {"problem": "iris", "n": 100, "k": 75, "validation": "hold-out", "shown": "equal weights", "n_steps": 25},
]
IMBALANCE = [
    {"a": 1.0},
    {"rule": "kNN", "classes": 12, "exponent": 3.0, "k": 10},
    {"rule": "kNN", "classes": 2, "a": 0.4, "scale": 0.05},
]
ROUNDS = [
    {"n": 6000, "m": 6000, "k_hard": 300, "curve": "mean over samples", "repeats": 2},
    {"m": 0},
    {"problem": "power", "step": 2},
    {"problem": "wave2d", "n": 1000, "m": 5000},
    {"problem": "wave2d", "step": 0, "curve": "mean over samples", "repeats": 2},
    {"problem": "breast cancer", "n": 119, "m": 119, "k_hard": 59, "k_vote": 29},
]
ACTIVE_RATES = [
    {"k": 11, "smoothness": 0.5, "margin_exponent": 1.95},
    {"problem": "two atoms", "margin_exponent": 1.95},
    {"problem": "bump", "assumed": "power family"},
]
NOISY_BAGS = [
    {"data": "wine", "splits": 1, "bag_noise": 0.8, "max_neighbors": 72, "rivals": "all"},
    {"data": "breast cancer", "splits": 1, "bag_noise": 0.0, "kind": "removal", "inclusion": 0.95},
]
#: EliminationLab: the most classes, and the longest names and numbers beside them.
BAGS = (
    {"problem": "five gaussians", "max_neighbors": 400, "k": 400, "overlay": "stopping k"},
    {"problem": "five pieces", "max_neighbors": 5000, "k": 400, "overlay": "advantage"},
    {"problem": "fractions 50 49 1", "n": 8000, "max_neighbors": 5000, "k": 5000, "c1": 3.0, "overlay": "misaligned"},
    {"problem": "iris", "n": 105, "max_neighbors": 100, "k": 100, "c1": 3.0, "overlay": "undecided"},
    {"problem": "worked example", "n": 100, "max_neighbors": 12, "k": 12, "x1": 0.0},
    {"k": 1},
)

#: LearnabilityLab: the longest lines, all that a legend may hold, and the handle in a corner.
PROCESSES = (
    {"model": "Lv et al., noisy", "beside": "swapped", "column": "label 2", "eta0": 0.346, "eta1": 0.333},
    {"model": "two never apart", "beside": "same bags", "eta0": 0.417, "eta1": 0.417, "eta2": 0.166},
    {
        "probability_012_0": 1,
        "probability_012_1": 1,
        "probability_012_2": 1,
        "beside": "same bags",
        "eta0": 0.417,
        "eta1": 0.417,
    },
    {"model": "first expert", "beside": "swapped"},
    {"model": "always both", "beside": "same bags", "eta0": 0.0},
    {"model": "mostly right", "n": 0, "eta2": 1.0},
)

LEGENDS = [
    *((NeighborLab, settings) for settings in FULL_LEGENDS),
    *((NoiseLab, settings) for settings in NOISY),
    *((RatesLab, settings) for settings in RATES),
    *((WeightLab, settings) for settings in WEIGHTS),
    *((BandLab, settings) for settings in BANDS),
    *((ImbalanceLab, settings) for settings in IMBALANCE),
    *((ActiveRatesLab, {"n": 10**16} | settings) for settings in ACTIVE_RATES),
    *((TwoWorldsLab, {"n": n}) for n in (20, 1_000_000)),
    *((ThresholdLab, settings) for settings in THRESHOLDS),
    *((TuningLab, {"repeats": 2} | settings) for settings in TUNING),
    *((ActiveLab, settings) for settings in ROUNDS),
    *((BagNoiseLab, settings) for settings in NOISY_BAGS),
    *((EliminationLab, settings) for settings in BAGS),
    *((LearnabilityLab, settings) for settings in PROCESSES),
]


@pytest.mark.parametrize(("kind", "settings"), LEGENDS, ids=lambda value: str(getattr(value, "title", value)))
def test_all_that_is_written_fits_the_sheet_and_stands_clear(small, kind, settings, monkeypatch):
    """On the screen, and then large for a lecture hall."""
    for module in (neighbors, noise_risks):
        monkeypatch.setattr(module, "SIZES", (50, 300))
        monkeypatch.setattr(module, "REPEATS", 2)
    monkeypatch.setattr(rate_layers, "RISK_SIZES", (1000, 4000, 16_000))
    monkeypatch.setattr(rate_layers, "REPEATS", 2)
    monkeypatch.setattr(trial_panel, "SIZES", (50, 300))
    monkeypatch.setattr(trial_panel, "KS", (1, 50, 200))
    lab = kind(**({"n": 400} if "n" in kind.parameters() else {}) | settings)
    for large in (False, True):
        lab.projector = large
        drawn, look = lab.figure(), "projector" if large else "screen"
        drawn.draw_without_rendering()
        places = {name: box for ax in drawn.axes for name, box in written(ax).items()}
        for name, box in places.items():
            assert drawn.bbox.x0 <= box.x0 < box.x1 <= drawn.bbox.x1, (look, name)
            assert drawn.bbox.y0 <= box.y0 < box.y1 <= drawn.bbox.y1, (look, name)
        # A letter's box holds room for descenders, which figures do not have.
        inner = {name: box.padded(-2 * drawn.dpi / static.CSS_DPI) for name, box in places.items()}
        assert [pair for pair in combinations(inner, 2) if inner[pair[0]].overlaps(inner[pair[1]])] == [], look


@pytest.mark.parametrize("projector", [False, True], ids=["screen", "projector"])
@pytest.mark.parametrize("problem", ["checkerboard", "waves", "breast cancer", "iris"])
def test_the_reading_of_the_votes_fits_its_panel(small, problem, projector):
    lab = NeighborLab(problem=problem, n=105 if problem == "iris" else 398, projector=projector)
    for k in (1, 50, 99, 100, 101, 150, 200):
        drawn = lab.set(k=min(k, lab.n)).figure()
        ax = drawn.axes[1]
        assert ax.texts
        for text in ax.texts:
            box = text.get_window_extent()
            assert ax.bbox.x0 <= box.x0 < box.x1 <= ax.bbox.x1, (k, text.get_text())
            assert ax.bbox.y0 <= box.y0 < box.y1 <= ax.bbox.y1, (k, text.get_text())


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
    plain, large = (letters(NeighborLab(n=200, p1=0.2, projector=on).figure()) for on in (False, True))
    assert plain.keys() == large.keys()
    for name, height in large.items():
        assert height / plain[name] > (1.1 if "legend" in name else 1.3), name


def letters(drawn):
    """How high a line of each text is, in parts of the sheet's width."""
    drawn.draw_without_rendering()
    parts = {
        (ax.get_title(loc="left"), name): text
        for ax in drawn.axes
        for name, text in (
            ("title", ax._left_title),
            ("xlabel", ax.xaxis.label),
            ("tick", ticks(ax.xaxis, ax.get_xlim())[0]),
            ("legend", ax.get_legend().get_texts()[0]),
        )
    }
    return {name: text.get_window_extent().height / drawn.bbox.width for name, text in parts.items()}


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
    rings = np.bincount(points.ring_codes[points.ringed], minlength=2)
    assert [len(c.get_offsets()) for c in stamped[:4]] == [*np.bincount(points.codes), *rings]
    assert any(isinstance(c, LineCollection) for c in drawn.collections)


def test_the_legend_names_what_is_there(picture):
    texts = [text.get_text() for text in static.figure(picture).axes[0].get_legend().get_texts()]
    assert texts == ["class 0", "class 1", "label flipped", "Bayes boundary", "ball of k neighbors"]


def test_a_panel_of_text_alone_has_an_empty_chrome():
    bare = Panel(Axes("story", "", "", "", (0, 1), (0, 1), (10, 10, 100, 20), bare=True), ())
    drawn = static.chrome(bare, (200, 100))
    assert drawn.box == (0, 0, 0.5, 0.5)


def test_chrome_is_transparent_inside_and_holds_all_that_stands_around(picture):
    for panel in picture.panels:
        drawn = static.chrome(panel, picture.size)
        image = np.array(Image.open(BytesIO(drawn.png)))
        assert image.shape == (2 * drawn.box[3], 2 * drawn.box[2], 4)
        left, top, width, height = (int(2 * value) for value in panel.axes.rectangle)
        x, y = int(2 * drawn.box[0]), int(2 * drawn.box[1])
        inside = image[top - y + 4 : top - y + height - 4, left - x + 4 : left - x + width - 4, 3]
        assert inside.size > 4e5 // 3
        assert inside.max() == 0
        whole = np.array(Image.open(BytesIO(static.png(replace(picture, panels=(replace(panel, layers=()),))))))
        assert (whole[: y - 2] == 255).all(), "nothing of the frame lies above"


def test_nothing_is_cut_off_at_the_rim(picture):
    image = np.array(Image.open(BytesIO(static.png(picture, ratio=1))).convert("L"))
    for rim in (image[:2], image[-2:], image[:, :2], image[:, -2:]):
        assert rim.min() == 255


def test_few_colours_make_a_small_file(picture):
    small = static.png(picture, colors=64)
    assert len(small) < 0.6 * len(static.png(picture))


def test_few_colours_are_exact_on_large_areas(picture):
    """What a legend shows is what the areas are filled with, and no pixel is far from what it was."""
    full, few = (Image.open(BytesIO(static.png(picture, colors=colors))).convert("RGB") for colors in (None, 64))
    counted = sorted(full.getcolors(full.width * full.height), reverse=True)
    kept = {color for _, color in few.getcolors(64)}
    assert {color for _, color in counted[:32]} <= kept
    apart = abs(np.asarray(full, int) - np.asarray(few, int)).max(axis=2)
    large = np.isin(np.asarray(full) @ static.PLACES, [np.array(color) @ static.PLACES for _, color in counted[:32]])
    assert apart[large].max() == 0
    assert np.quantile(apart[~large], 0.99) < 40


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
    assert drawn == [1.01] * 4 + [1.02] * 4 + [1.05] * 2
    assert set(drawn) <= depths


def test_the_frame_follows_all_that_the_legend_shows(picture):
    panel = picture.panels[1]
    recoloured = tuple(replace(layer, color="#123456") if layer.label else layer for layer in panel.layers)
    assert replace(panel, layers=recoloured).frame != panel.frame
    assert replace(panel, layers=tuple(map(replace, panel.layers))).frame == panel.frame


def test_large_powers_of_ten_are_written_as_such():
    axes = replace(AXES, log=True, xlim=(1.0, 1e6))
    drawn = static.figure(Picture((Panel(axes, ()),), SIZE, ""))
    drawn.canvas.draw()
    texts = [text.get_text() for text in drawn.axes[0].get_xticklabels()]
    assert texts[1:-1] == ["1", "10", "100", "1000", "10⁴", "10⁵", "10⁶"]
