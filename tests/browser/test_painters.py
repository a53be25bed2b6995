"""The browser painter against the matplotlib painter: same codes, same places, at two device pixels a CSS pixel."""

import json
from io import BytesIO
from itertools import product

import numpy as np
import pytest
from PIL import Image
from scipy.ndimage import gaussian_filter, maximum_filter, minimum_filter

from knnviz import checkerboard
from knnviz.labs.engine.frames import layer_id, pack, panel_state
from knnviz.labs.engine.layout import PROJECTOR
from knnviz.labs.engine.widget import LabWidget
from knnviz.views import map as map_view
from knnviz.views import static, style
from knnviz.views.layers import Annotations, Axes, Band, Bars, Fill, Lines, Panel, Picture, Points, Raster, edges

RATIO = 2
AXES = Axes("map", "Map", "x1", "x2", (0.0, 1.0), (-1.0, 1.0), (40, 30, 361, 287))
SIZE = (440, 380)

#: What a page is told of a lab that has nothing but a figure, and a page that shows nothing else.
BARE = {"number": 1, "ask": False, "applied": {}, "values": {}, "drawn": {}, "limits": {}, "hidden": [], "pace": {}}
BARE |= {"alt": "", "message": "", "numbers": [], "preview": False, "projector": False, "preset": None, "stops": 0}
BARE |= {
    "reasons": {},
    "controls": {"title": "", "first": [], "presets": [], "actions": [], "parameters": [], "steps": []},
}
ALONE = ".knnviz-controls { display: none } .knnviz-stage { min-width: 0; max-width: none; flex: 1 0 100% }"

#: Stand in for the widget's model, and draw once.
DRAW = """async ([source, values, width]) => {
  const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  const { default: painter } = await import(url);
  for (const layer of Object.values(values.layers)) {
    for (const part of [layer, ...Object.values(layer)]) {
      if (part?.data) part.data = new DataView(Uint8Array.from(part.data).buffer);
    }
  }
  const model = { get: () => values, send() {}, on() {} };
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


def in_browser(page, picture):
    """The picture without axes frame as the browser draws it, as an RGB array."""
    layers = {layer_id(panel, layer.name): layer for panel in picture.panels for layer in panel.layers}
    layers |= {f"axes_frame_{panel.axes.name}": b"" for panel in picture.panels}
    panels = [
        panel_state(panel)
        | {"layers": [layer_id(panel, layer.name) for layer in panel.layers], "axes_frame": [0, 0, 1, 1]}
        for panel in picture.panels
    ]
    values = BARE | {"width": picture.size[0]} | {"sheet": {"size": list(picture.size), "panels": panels}}
    values["layers"] = {name: json.loads(json.dumps(pack(layer), default=list)) for name, layer in layers.items()}
    width, height = (round(picture.scale * side) for side in picture.size)
    page.set_viewport_size({"width": width, "height": height + 20})
    page.set_content(f"<!doctype html><style>{LabWidget._css} {ALONE}</style>")
    page.evaluate(DRAW, [LabWidget._esm, values, width])
    shot = page.screenshot(clip={"x": 0, "y": 0, "width": width, "height": height})
    return np.array(Image.open(BytesIO(shot)).convert("RGB")).astype(int)


def both(page, *layers, axes=AXES, scale=1.0):
    """The layers by both painters, as RGB arrays."""
    picture = Picture((Panel(axes, layers),), SIZE, "", scale)
    drawn = Image.open(BytesIO(static.png(picture, RATIO))).convert("RGB")
    return in_browser(page, picture), np.array(drawn).astype(int)


def pixels(axes, x, y):
    """Data coordinates as CSS pixels of the sheet."""
    left, top, width, height = axes.rectangle
    return (
        left + (np.asarray(x) - axes.xlim[0]) / np.ptp(axes.xlim) * width,
        top + (axes.ylim[1] - np.asarray(y)) / np.ptp(axes.ylim) * height,
    )


def rgb(color):
    return np.array([int(color[i : i + 2], 16) for i in (1, 3, 5)])


def seen(image, x, y):
    """RGB at data coordinates."""
    px, py = pixels(AXES, x, y)
    return image[(RATIO * py).astype(int), (RATIO * px).astype(int)]


def dark(image, x, y):
    """Whether what stands at data coordinates is dark."""
    return seen(image, x, y).sum(axis=-1) < 380


def cut(image, px, py, reach):
    """A window around a place in CSS pixels, and its left and its upper edge in device pixels."""
    left, top = (int(RATIO * (value - reach)) for value in (px, py))
    return image[top : top + 2 * RATIO * reach, left : left + 2 * RATIO * reach], left, top


def centroid(image, color, px, py, reach):
    """Where the pixels close to a colour have their centre, around a place, in CSS pixels."""
    window, left, top = cut(image, px, py, reach)
    weight = np.clip(1 - abs(window - rgb(color)).sum(axis=2) / abs(255 - rgb(color)).sum(), 0, None)
    weight[weight < 0.1] = 0
    rows, columns = (np.average(at + 0.5, weights=weight) for at in np.indices(weight.shape))
    return (left + columns) / RATIO, (top + rows) / RATIO


#: Magnifications of a sheet: none, and that of a lecture hall.
SCALES = (1.0, PROJECTOR.factor)


@pytest.mark.parametrize("scale", SCALES)
def test_points_lie_where_their_data_say(page, scale):
    grid = np.array([(x, y) for x in np.linspace(0.07, 0.93, 9) for y in np.linspace(-0.9, 0.9, 8)])
    x, y = (grid + np.random.default_rng(0).uniform(-0.008, 0.008, grid.shape)).T.astype(np.float32)
    look = {"codes": np.arange(len(x), dtype=np.uint8) % 2, "ringed": np.zeros(len(x), bool), "labels": ("0", "1")}
    points = Points(name="points", x=x, y=y, palette=("#000000", "#000000"), markers=style.markers(2), **look)
    places = scale * np.transpose(pixels(AXES, x, y))
    for image in both(page, points, scale=scale):
        assert abs([centroid(image, "#000000", *at, reach=10) for at in places] - places).max() < 0.5


@pytest.mark.parametrize("scale", SCALES)
def test_lines_lie_where_their_data_say(page, scale):
    """Upright, level and slanted lines: their centre within a small window around any of their points."""
    ends = [([0.1137, 0.1137], [-1, 1]), ([0.2, 1], [0.8177, 0.8177]), ([0.2, 1], [-0.7, 0.1])]
    lines = [Lines(name=f"{i}", x=x, y=y, color="#000000", width=2) for i, (x, y) in enumerate(ends)]
    for image, (x, y) in product(both(page, *lines, scale=scale), ends):
        begin, end = (scale * np.array(pixels(AXES, *at)) for at in zip(x, y, strict=True))
        across = np.array([begin[1] - end[1], end[0] - begin[0]]) / np.hypot(*(end - begin))
        for fraction in (0.23, 0.5, 0.71):
            # A window on whole device pixels moves the centre along the line: only the distance to the line counts.
            found = centroid(image, "#000000", *begin + fraction * (end - begin), reach=7)
            assert abs((found - begin) @ across) < 0.5, (x, y, fraction)


def test_gaps_and_dashes_are_the_same(page):
    """A level line with a gap in its middle, and a dashed one: the same dark pixels along both in both painters."""
    look = {"color": "#000000", "width": 3}
    gap = Lines(name="gap", x=[0.0, 0.3, np.nan, 0.6, 1.0], y=[0.5, 0.5, np.nan, 0.5, 0.5], **look)
    images = both(page, gap, Lines(name="dashed", x=[0, 1], y=-0.5, dash=(9, 5), **look))
    left, _, width, _ = (RATIO * value for value in AXES.rectangle)
    for y in (0.5, -0.5):
        row = int(RATIO * pixels(AXES, 0, y)[1])
        one, other = (image[row, left + 6 : left + width - 6].sum(axis=1) < 300 for image in images)
        assert 0.5 < one.mean() < 0.8
        assert (one == other).mean() > 0.9


@pytest.mark.parametrize(
    ("look", "within"),
    [({"texts": ("",), "cross": 18}, 0.5), ({"texts": ("8",), "size": 18, "halo": 0, "align": "middle"}, 3.5)],
    ids=["cross", "text"],
)
@pytest.mark.parametrize("scale", SCALES)
def test_marks_stand_in_the_same_place(page, scale, look, within):
    place = scale * np.array(pixels(AXES, 0.5, 0.2))
    for image in both(page, Annotations(name="query", x=0.5, y=0.2, **look), scale=scale):
        assert np.hypot(*np.subtract(centroid(image, style.INK, *place, reach=14), place)) < within


def spread(image, y):
    """Width and height of what is dark around a height of the panel, in device pixels."""
    per_unit = image.shape[0] / SIZE[1]
    left, _, width, _ = AXES.rectangle
    middle = pixels(AXES, 0, y)[1]
    rows = slice(int((middle - 30) * per_unit), int((middle + 30) * per_unit))
    window = image[rows, int((left + 4) * per_unit) : int((left + width - 4) * per_unit)].sum(axis=2) < 380
    return np.array([np.ptp(np.flatnonzero(window.any(axis=axis))) + 1 for axis in (0, 1)])


def test_a_scale_magnifies_markers_rings_crosses_letters_and_lines(page):
    """All are as large on the sheet as before, hence larger on the page, whoever draws them."""
    spot = {"x": 0.5, "codes": np.zeros(1, np.uint8), "palette": ("#000000",), "markers": style.markers(1), "size": 20}
    layers = (
        Points(name="disc", y=0.8, ringed=np.zeros(1, bool), **spot),
        Lines(name="line", x=[0.1, 0.9], y=0.4, color="#000000", width=8),
        Points(name="ring", y=0.0, ringed=np.ones(1, bool), **spot),
        Annotations(name="cross", x=0.5, y=-0.4, texts=("",), cross=30, color="#000000"),
        Annotations(name="text", x=0.5, y=-0.8, texts=("kNN",), size=24, color="#000000"),
    )
    for plain, large in zip(*(both(page, *layers, scale=scale) for scale in SCALES), strict=True):
        for y in (0.8, 0.4, 0.0, -0.4, -0.8):
            before, after = spread(plain, y), spread(large, y)
            assert abs(after - SCALES[1] * before).max() <= 3, (y, before, after)


def test_the_ring_of_a_flipped_label_has_the_colour_of_the_true_one(page):
    ends = np.array([0.3, 0.7])
    at = np.column_stack([ends, [0.5, 0.5]]).astype(np.float32)
    flips = map_view.class_points(checkerboard(), at, np.array([0, 1]), np.array([1, 1]))
    beside = (flips.size + flips.ring_gap) / 2 / AXES.rectangle[2]
    for image in both(page, flips):
        assert np.array_equal(seen(image, ends, 0.5 + 0 * ends), [rgb(color) for color in flips.palette])
        assert seen(image, ends + beside, 0.5 + 0 * ends).tolist() == [rgb(flips.palette[1]).tolist(), [255] * 3]


def centers(codes):
    """The centres of cells (rows, columns) over the panel."""
    (left, right), (bottom, top), (rows, columns) = AXES.xlim, AXES.ylim, codes.shape
    x, y = (np.arange(columns) + 0.5) / columns, (np.arange(rows) + 0.5) / rows
    return np.meshgrid(left + x * (right - left), bottom + y * (top - bottom))


EXTENT = (*AXES.xlim, *AXES.ylim)


def test_codes_of_a_region_are_identical_away_from_its_edges(page):
    codes = (gaussian_filter(np.random.default_rng(0).normal(size=(200, 200)), 5) > 0).astype(np.uint8)
    raster = Raster(name="regions", codes=codes, extent=EXTENT, palette=style.region_palette(2), outline=style.MUTED)
    inner = maximum_filter(codes, 3) == minimum_filter(codes, 3)
    x, y = (at[inner] for at in centers(codes))
    palette = np.array([rgb(color) for color in raster.palette])
    for image in both(page, raster):
        found = abs(seen(image, x, y)[:, None] - palette).sum(axis=2).argmin(axis=1)
        assert np.array_equal(found, codes[inner])


def test_outlines_of_regions_are_the_same(page):
    codes = np.random.default_rng(0).integers(0, 2, (6, 8)).astype(np.uint8)
    look = {"palette": ("#FFFFFF", "#FFFFFF"), "outline": "#000000"}
    raster = Raster(name="regions", codes=codes, extent=EXTENT, **look)
    between = np.transpose(pixels(AXES, *edges(raster.codes, raster.extent).mean(axis=1).T))
    for image in both(page, raster):
        assert max(cut(image, *at, reach=1)[0].min() for at in between) < 140, "dark where codes differ"
        assert seen(image, *centers(codes)).min() == 255, "white inside cells"


def test_three_codes_without_an_outline_may_be_transparent(page):
    codes = np.array([[0, 1, 2], [2, 0, 1]], np.uint8)
    under = Raster(name="under", codes=np.zeros((1, 1), np.uint8), palette=("#FF0000",), extent=EXTENT)
    palette = ("#0000FF00", "#00FF00", "#0000FFFF")
    for image in both(page, under, Raster(name="over", codes=codes, palette=palette, extent=EXTENT)):
        assert np.array_equal(seen(image, *centers(codes)).argmax(axis=-1), codes)


@pytest.mark.parametrize(("halo", "align"), [(0.0, "center"), (4.0, "center"), (4.0, "middle")])
def test_a_text_has_the_halo_and_the_place_that_it_asks_for(page, halo, align):
    """On red, after a broad line whose width a painter may still have in hand."""
    ground = Raster(name="ground", codes=np.zeros((1, 1), np.uint8), palette=("#FF0000",), extent=EXTENT)
    line = Lines(name="line", x=[0, 1], y=-0.5, color="#FF0000", width=9)
    text = Annotations(name="text", x=0.5, y=0, texts=("kNN",), size=24, color="#000000", halo=halo, align=align)
    left, top, width, height = (int(RATIO * value) for value in AXES.rectangle)
    for image in both(page, ground, line, text):
        inside = image[top + 8 : top + height - 8, left + 8 : left + width - 8]
        rows, columns = np.nonzero(inside.max(axis=2) < 60)
        above = (height / 2 - 8 - rows.mean()) / RATIO
        # Browsers center the line, not its letters.
        assert above == pytest.approx(13 if align == "center" else 0, abs=4)
        assert columns.mean() == pytest.approx(width / 2 - 8, abs=RATIO * 2)
        assert (inside.min(axis=2) > 200).any() == (halo > 0)


def test_a_band_covers_what_lies_between(page):
    look = {"lower": [-0.5, -0.5, np.nan, -0.5, -0.5], "upper": [0.5, 0.5, np.nan, 0.5, 0.5], "color": "#000000"}
    outside = np.array([(0.1, -0.53), (0.1, 0.53), (0.5, 0.0), (0.9, 0.53)]).T
    for image in both(page, Band(name="band", x=[0.0, 0.4, np.nan, 0.6, 1.0], opacity=0.9, **look)):
        assert dark(image, *np.meshgrid([0.05, 0.2, 0.38, 0.62, 0.95], [-0.47, 0, 0.47])).all()
        assert not dark(image, *outside).any()


def test_bars_stand_on_zero(page):
    look = {"codes": np.array([0, 1], np.uint8), "palette": ("#000000", "#202020"), "width": 0.2}
    for image in both(page, Bars(name="bars", x=[0.3, 0.7], heights=[0.5, -0.8], **look)):
        assert dark(image, np.array([0.22, 0.38, 0.3, 0.7, 0.62]), np.array([0.05, 0.05, 0.47, -0.77, -0.05])).all()
        assert not dark(image, np.array([0.18, 0.42, 0.3, 0.3, 0.7]), np.array([0.1, 0.1, 0.53, -0.05, 0.05])).any()


def test_a_fill_covers_its_cells_and_is_hatched(page):
    cells = np.random.default_rng(1).random((6, 8)) < 0.5
    tint = {"name": "fill", "cells": cells, "extent": EXTENT, "color": "#000000"}
    places = np.stack(pixels(AXES, *centers(cells)), axis=-1)
    for image in both(page, Fill(**tint, opacity=0.9)):
        assert np.array_equal(dark(image, *centers(cells)), cells)
    for image in both(page, Fill(**tint, opacity=0.0)):
        for cell in np.ndindex(cells.shape):
            assert (cut(image, *places[cell], reach=12)[0].min() < 140) == cells[cell], "stripes inside, none outside"


def test_a_logarithmic_scale(page):
    axes = Axes("risk", "", "n", "risk", (10.0, 10_000.0), (-1.0, 1.0), AXES.rectangle, log=True)
    lines = [Lines(name=f"at{n}", x=n, y=[-1, 1], color="#000000", width=3) for n in (100, 1000)]
    left, top, width, height = axes.rectangle
    for image in both(page, *lines, axes=axes):
        row = image[RATIO * (top + height // 2), RATIO * (left + 5) : RATIO * (left + width - 5)].sum(axis=1) < 380
        found = np.array_split(np.flatnonzero(row) / RATIO + 5, 2)
        assert [half.mean() for half in found] == pytest.approx([width / 3, 2 * width / 3], abs=0.5)
