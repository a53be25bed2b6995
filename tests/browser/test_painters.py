"""Both painters draw the same picture: each kind of layer in the browser, and with matplotlib."""

import json
from dataclasses import replace
from functools import cache
from io import BytesIO

import numpy as np
import pytest
from PIL import Image
from scipy.ndimage import gaussian_filter, uniform_filter

from knnviz.labs import NeighborLab
from knnviz.labs.engine.frames import layer_id, pack, panel_state
from knnviz.labs.engine.layout import PROJECTOR
from knnviz.labs.engine.widget import LabWidget
from knnviz.views import line, static, style
from knnviz.views.labels import labelled
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

RATIO = 2
AXES = Axes("map", "Map", "x1", "x2", (0.0, 1.0), (-1.0, 1.0), (40, 30, 361, 287))
SIZE = (440, 380)
EXTENT = (*AXES.xlim, *AXES.ylim)

#: A page shows nothing but the figure.
ALONE = (
    ".knnviz-controls { display: none } .knnviz-lab { display: block } "
    ".knnviz-figure { width: 100% !important }"
)

#: Stand in for the widget's model, and draw once.
DRAW = """async ([source, values, width]) => {
  const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  const { default: painter } = await import(url);
  for (const layer of Object.values(values.layers)) {
    for (const part of [layer, ...Object.values(layer)]) {
      if (part?.data) part.data = new DataView(Uint8Array.from(part.data).buffer);
    }
  }
  const model = { get: () => [values, []], send() {}, on() {} };
  const el = document.body.appendChild(document.createElement("div"));
  el.style.width = `${width}px`;
  document.body.style.margin = 0;
  const { initialize, render } = painter();
  initialize({ model });
  render({ model, el });
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
}"""


@pytest.fixture(scope="module")
def page(browser):
    page = browser.new_page(device_scale_factor=RATIO)
    yield page
    page.close()


@cache
def message():
    """What a page is told of a lab."""
    lab = NeighborLab(n=200)
    told, _ = lab.widget._whole()
    lab.close()
    return told


def in_browser(page, picture):
    """The picture as the browser draws it, as an RGB array."""
    (panel,) = picture.panels
    layers = {}
    for layer in labelled(panel):
        packed = json.dumps(pack(layer, list))
        layers[layer_id(panel, layer.name)] = json.loads(packed)
    panels = [panel_state(panel) | {"layers": list(layers)}]
    sheet = {"size": list(picture.size), "panels": panels}
    values = message() | {"preview": False, "sheet": sheet, "layers": layers}

    width, height = (round(picture.scale * side) for side in picture.size)
    page.set_viewport_size({"width": width, "height": height + 20})
    page.set_content(f"<!doctype html><style>{LabWidget._css} {ALONE}</style>")
    page.evaluate(DRAW, [LabWidget._esm, values, width])
    shot = page.screenshot(clip={"x": 0, "y": 0, "width": width, "height": height})
    return np.array(Image.open(BytesIO(shot)).convert("RGB")).astype(int)


#: The side of the square over which pixels are averaged before they are compared, so that no smooth
#: edge counts, and by how many CSS pixels of the sheet a picture is off that is told apart; both
#: are larger for letters and hatches.
FINE = (9, 1)
COARSE = (25, 4)


def inside(image, scale, margin=6, of=AXES):
    """What lies within the panel's frame."""
    left, top, width, height = (int(RATIO * scale * side) for side in of.rectangle)
    rows = slice(top + margin, top + height - margin)
    columns = slice(left + margin, left + width - margin)
    return image[rows, columns]


def both(page, layers, axes, scale):
    """The layers and their axes by both painters, as RGB arrays."""
    picture = Picture((Panel(axes, layers),), SIZE, "", scale)
    drawn = Image.open(BytesIO(static.figure_png(static.figure(picture), RATIO))).convert("RGB")
    return in_browser(page, picture), np.array(drawn)


def apart(one, other, side):
    """The largest difference of two pictures in one color channel, averaged over squares."""
    return abs(uniform_filter(one - other, (side, side, 0))).max()


RNG = np.random.default_rng(0)
X, Y = np.meshgrid(np.linspace(0.1, 0.9, 7), np.linspace(-0.85, 0.85, 6))
X = X + RNG.uniform(-0.01, 0.01, (6, 7))
Y = Y + RNG.uniform(-0.01, 0.01, (6, 7))
SPOTS = {"name": "points", "x": X.ravel(), "y": Y.ravel(), "markers": style.markers(3)}
SPOTS["codes"] = np.arange(42, dtype=np.uint8) % 3
SPOTS["palette"] = ("#0000AA", "#AA0000", "#00AA00")
RINGED = {
    "ringed": np.arange(42) % 2 == 0,
    "ring_codes": np.arange(1, 43, dtype=np.uint8) % 3,
    "size": 12,
}
HILLS = gaussian_filter(RNG.normal(size=(60, 60)), 4)
ISLANDS = (HILLS > 0).astype(np.uint8)
GLASS = {
    "codes": np.array([[0, 1, 2], [2, 0, 1]], np.uint8),
    "palette": ("#0000FF00", "#00FF00", "#0000FF80"),
}
HEIGHTS = {
    "heights": [0.5, -0.8],
    "codes": np.array([0, 1], np.uint8),
    "palette": ("#000000", "#802020"),
}
RED = Raster(name="ground", codes=np.zeros((1, 1), np.uint8), palette=("#FF0000",), extent=EXTENT)
LOGARITHMIC = Axes("risk", "", "n", "risk", (10.0, 10_000.0), (-1.0, 1.0), AXES.rectangle, log=True)
GAP = [0.2, 0.5, np.nan, 0.6, 1.0]
BROAD = Lines(name="broad", x=[0, 1], y=-0.5, color="#FF0000", width=9)

#: Layers of each kind.
KINDS = {
    "points": (Points(**SPOTS),),
    "rings": (Points(**SPOTS | RINGED),),
    "faded": (RED, Points(**SPOTS | RINGED | {"opacity": 0.45})),
    "ticks": (Points(**SPOTS | RINGED | line.ticks(3, 20)),),
    "upright": (Lines(name="line", x=0.1137, y=[-1, 1]),),
    "level": (Lines(name="line", x=[0.2, 1], y=0.8177, width=3),),
    "slanted": (Lines(name="line", x=GAP, y=[-0.7, -0.4, np.nan, -0.3, 0.1]),),
    "dashed": (Lines(name="line", x=[0, 1], y=-0.5, width=6, dash=(9, 5)),),
    "band": (
        Band(name="band", x=GAP, lower=[-0.5, -0.2, np.nan, -0.5, -0.5], upper=0.5, opacity=0.9),
    ),
    "bars": (Bars(name="bars", x=[0.3, 0.7], width=0.2, **HEIGHTS),),
    "regions": (
        Raster(
            name="r",
            codes=ISLANDS,
            extent=EXTENT,
            palette=style.region_palette(2),
            outline=style.INK,
        ),
    ),
    "glass": (RED, Raster(name="glass", extent=EXTENT, **GLASS)),
    "crosses": (Annotations(name="query", x=[0.5, 0.2], y=[0.2, -0.6], texts=("", ""), cross=30),),
}

#: Texts on red, after a broad line whose width a painter may still have in hand.
TEXT = {"name": "text", "x": 0.5, "y": 0.2, "texts": ("kNN",), "size": 30, "color": "#000000"}
LETTERED = {
    align: (RED, BROAD, Annotations(**TEXT, align=align))
    for align in ("left", "right", "center", "below", "middle")
}
CORNERS = {"x": [0, 0, 1, 1], "y": [-1, 1, -1, 1], "texts": ("kNN",) * 4}
LETTERED["clamped"] = (RED, Annotations(**TEXT | CORNERS))
NAMED = Lines(name="named", label="eta", x=[0, 1], y=0.5, color="#E69F00", at=Place(1, 0.5))
LETTERED["named"] = (RED, NAMED)
LETTERED["bare"] = (RED, BROAD, Annotations(**TEXT, halo=0))
HATCHED = RNG.random((6, 8)) < 0.5
LETTERED["hatched"] = (Fill(name="fill", cells=HATCHED, extent=EXTENT, opacity=0.3),)

#: Two vertical lines, on a logarithmic axis.
LINES = tuple(Lines(name=f"{n}", x=n, y=[-1, 1], width=3) for n in (100, 1000))

CASES = {name: (layers, AXES, *FINE) for name, layers in KINDS.items()}
CASES["logarithmic"] = (LINES, LOGARITHMIC, *FINE)
CASES |= {name: (layers, AXES, *COARSE) for name, layers in LETTERED.items()}

#: What else a sheet magnifies when it is as large as in a lecture hall.
LARGE = ("rings", "slanted", "crosses", "middle")


@pytest.mark.parametrize(("scale", "names"), [(1.0, CASES), (PROJECTOR.factor, LARGE)])
def test_both_painters_draw_the_same(page, scale, names):
    """They differ by less than a third of what a picture that is off by a pixel differs by."""
    for name in names:
        layers, axes, side, off = CASES[name]
        pictures = both(page, layers, axes, scale)
        one, other = (inside(each, scale).astype(np.float32) for each in pictures)
        shifted = np.roll(other, round(RATIO * scale * off), axis=(0, 1))
        assert 3 * apart(one, other, side) < apart(one, shifted, side), name


#: Axes with each kind of text and tick, and a layer for each kind of entry in a legend.
SPAN = (0.1, 1.0, -1.0, 1.0)
CELL = {"codes": np.zeros((1, 1), np.uint8), "palette": ("#FFFFFF",), "labels": ("a cell",)}
BROKEN = {"label": "a broken line", "dash": (6, 4), "width": 3, "color": "#00AA00"}
LABELED = {"labels": ("dots", "squares", "triangles"), "ring_labels": ("ring",)}
KEYED = (
    Raster(name="map", extent=SPAN, **CELL),
    Fill(name="set", cells=np.array([[True, False]]), extent=SPAN, label="a set"),
    Band(name="band", x=(0.2, 0.4), lower=-0.5, upper=0.5, label="a band", color="#AA0000"),
    Lines(name="line", x=(0.2, 0.4), y=0, **BROKEN),
    Points(**SPOTS, **LABELED, ringed=True, ring_codes=SPOTS["codes"]),
)
ABOUT = {
    "title": "All of them",
    "ylabel": "two\nlines",
    "rectangle": (110, 40, 300, 200),
    "legend_left": 8,
}
TOLD = {"xticks": (0.0, 0.5, 1.0), "yticks": (-1.0, 0.25), "ynames": ("least", "more")}
SHEETS = {
    "linear": replace(AXES, **ABOUT),
    "logarithmic": replace(AXES, **ABOUT, xlim=(0.01, 1.0), log=True),
    "named": replace(AXES, **ABOUT | TOLD, legend_columns=3, legend_size=12.0),
    "bare": replace(AXES, **ABOUT | {"ylabel": "", "xlabel": ""}, bare=True),
}


@pytest.mark.parametrize("name", SHEETS)
def test_both_painters_write_the_same_about_the_layers(page, name):
    """Axes, texts and legend; they differ by less than half of what those off by a few pixels
    differ by.
    """
    axes = SHEETS[name]
    one, other = (each.astype(np.float32) for each in both(page, KEYED, axes, 1.0))
    for image in (one, other):
        inside(image, 1.0, of=axes)[:] = 255
    side, off = COARSE
    shifted = np.roll(other, RATIO * off, axis=(0, 1))
    assert 2 * apart(one, other, side) < apart(one, shifted, side)
