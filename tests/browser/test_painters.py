"""The browser painter against the matplotlib painter: same codes, same places, at two device pixels a CSS pixel."""

import json
from dataclasses import replace
from io import BytesIO

import numpy as np
import pytest
from PIL import Image

from knnviz import NeighborTable, Vote, VoteProfile, checkerboard
from knnviz.labs.engine.frames import outline, pack, slot
from knnviz.labs.engine.layout import PROJECTOR
from knnviz.labs.engine.widget import LabWidget
from knnviz.views import map as map_view
from knnviz.views import static, style
from knnviz.views.layers import Annotations, Axes, Band, Bars, Fill, Lines, Panel, Picture, Pies, Points, Raster, edges

RATIO = 2
AXES = Axes("map", "Map", "x1", "x2", (0.0, 1.0), (-1.0, 1.0), (40, 30, 361, 287))
SIZE = (440, 380)

#: What a page is told of a lab that has nothing but a figure, and a page that shows nothing else.
BARE = {"number": 1, "ask": False, "applied": {}, "values": {}, "drawn": {}, "limits": {}, "hidden": [], "pace": {}}
BARE |= {"alt": "", "message": "", "numbers": [], "preview": False, "projector": False, "preset": None, "stops": 0}
BARE |= {"controls": {"title": "", "first": [], "presets": [], "actions": [], "parameters": []}}
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


def in_browser(browser, picture):
    """The picture without chrome as the browser draws it, as an RGB array."""
    layers = {slot(panel, layer.name): layer for panel in picture.panels for layer in panel.layers}
    layers |= {f"chrome_{panel.axes.name}": b"" for panel in picture.panels}
    panels = [
        outline(panel) | {"layers": [slot(panel, layer.name) for layer in panel.layers], "chrome": [0, 0, 1, 1]}
        for panel in picture.panels
    ]
    values = BARE | {"width": picture.size[0]} | {"scene": {"size": list(picture.size), "panels": panels}}
    values["layers"] = {name: json.loads(json.dumps(pack(layer), default=list)) for name, layer in layers.items()}
    width, height = (round(picture.scale * side) for side in picture.size)
    page = browser.new_page(viewport={"width": width, "height": height + 20}, device_scale_factor=RATIO)
    page.set_content(f"<!doctype html><style>{LabWidget._css} {ALONE}</style>")
    page.evaluate(DRAW, [LabWidget._esm, values, width])
    shot = page.screenshot(clip={"x": 0, "y": 0, "width": width, "height": height})
    page.close()
    return np.array(Image.open(BytesIO(shot)).convert("RGB")).astype(int)


def by_matplotlib(picture):
    """The picture as matplotlib draws it, as an RGB array."""
    return np.array(Image.open(BytesIO(static.png(picture, RATIO))).convert("RGB")).astype(int)


def pixels(axes, x, y):
    """Data coordinates as CSS pixels of the sheet."""
    left, top, width, height = axes.rectangle
    return (
        left + (np.asarray(x) - axes.xlim[0]) / np.ptp(axes.xlim) * width,
        top + (axes.ylim[1] - np.asarray(y)) / np.ptp(axes.ylim) * height,
    )


def rgb(color):
    return np.array([int(color[i : i + 2], 16) for i in (1, 3, 5)])


def centroid(image, color, px, py, reach):
    """Where the pixels close to a colour have their centre, around a place, in CSS pixels."""
    left, top = (int(RATIO * (value - reach)) for value in (px, py))
    window = image[top : top + 2 * RATIO * reach, left : left + 2 * RATIO * reach]
    weight = np.clip(1 - abs(window - rgb(color)).sum(axis=2) / abs(255 - rgb(color)).sum(), 0, None)
    weight[weight < 0.1] = 0
    rows, columns = np.indices(weight.shape) + 0.5
    return (left + (columns * weight).sum() / weight.sum()) / RATIO, (
        top + (rows * weight).sum() / weight.sum()
    ) / RATIO


#: Magnifications of a sheet: none, and that of a lecture hall.
SCALES = (1.0, PROJECTOR.factor)


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("painter", ["browser", "matplotlib"])
def test_points_lie_where_their_data_say(browser, painter, scale):
    grid = np.array([(x, y) for x in np.linspace(0.07, 0.93, 9) for y in np.linspace(-0.9, 0.9, 8)])
    place = (grid + np.random.default_rng(0).uniform(-0.008, 0.008, grid.shape)).astype(np.float32)
    codes = (np.arange(len(place)) % 2).astype(np.uint8)
    ringed = np.zeros(len(place), bool)
    look = {"palette": ("#000000", "#000000"), "markers": style.markers(2)}
    x, y = place.T.copy()
    layer = Points(name="points", x=x, y=y, codes=codes, ringed=ringed, labels=("0", "1"), **look)
    picture = Picture((Panel(AXES, (layer,)),), SIZE, "", scale)
    image = in_browser(browser, picture) if painter == "browser" else by_matplotlib(picture)
    px, py = (scale * at for at in pixels(AXES, *place.T))
    found = np.array([centroid(image, "#000000", *each, reach=10) for each in zip(px, py, strict=True)])
    assert abs(found - np.stack([px, py], axis=1)).max() < 0.5


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("painter", ["browser", "matplotlib"])
def test_lines_lie_where_their_data_say(browser, painter, scale):
    """Upright, level and slanted lines: their centre within a small window around any of their points."""
    ends = {
        "upright": ([0.3137, 0.3137], [-1, 1]),
        "level": ([0, 1], [0.4177, 0.4177]),
        "slanted": ([0, 1], [-0.7, 0.1]),
    }
    color = "#000000"
    for name, (x, y) in ends.items():
        line = Lines(name="line", x=np.array(x, np.float32), y=np.array(y, np.float32), color=color, width=2)
        picture = Picture((Panel(AXES, (line,)),), SIZE, "", scale)
        image = in_browser(browser, picture) if painter == "browser" else by_matplotlib(picture)
        for fraction in (0.23, 0.5, 0.71):
            place = pixels(AXES, x[0] + fraction * (x[1] - x[0]), y[0] + fraction * (y[1] - y[0]))
            px, py = (scale * at for at in place)
            # A window on whole device pixels moves the centre along the line: only the distance to the line counts.
            cx, cy = centroid(image, color, px, py, reach=7)
            (ax, bx), (ay, by) = (scale * at for at in pixels(AXES, x, y))
            distance = abs((bx - ax) * (cy - ay) - (by - ay) * (cx - ax)) / np.hypot(bx - ax, by - ay)
            assert distance < 0.5, (name, fraction)


def test_gaps_and_dashes_are_the_same(browser):
    """A level line with a gap in its middle, and a dashed one: the same dark pixels along both in both painters."""
    x = np.array([0.0, 0.3, np.nan, 0.6, 1.0], np.float32)
    gap = Lines(name="gap", x=x, y=np.where(np.isnan(x), np.nan, 0.5).astype(np.float32), color="#000000", width=3)
    ends = np.array([0, 1], np.float32)
    dashed = Lines(name="dashed", x=ends, y=np.full(2, -0.5, np.float32), color="#000000", width=3, dash=(9, 5))
    picture = Picture((Panel(AXES, (gap, dashed)),), SIZE, "")
    images = in_browser(browser, picture), by_matplotlib(picture)
    left, _, width, _ = (RATIO * value for value in AXES.rectangle)
    for y in (0.5, -0.5):
        row = int(RATIO * pixels(AXES, 0, y)[1])
        dark = [image[row, left + 6 : left + width - 6].sum(axis=1) < 300 for image in images]
        assert 0.5 < dark[0].mean() < 0.8
        assert (dark[0] == dark[1]).mean() > 0.9


def test_outlines_of_regions_are_the_same(browser):
    codes = np.random.default_rng(0).integers(0, 2, (6, 8)).astype(np.uint8)
    look = {"palette": ("#FFFFFF", "#FFFFFF"), "outline": "#000000"}
    raster = Raster(name="regions", codes=codes, extent=(0, 1, -1, 1), **look)
    picture = Picture((Panel(AXES, (raster,)),), SIZE, "")
    between = edges(raster.codes, raster.extent).mean(axis=1)
    px, py = pixels(AXES, *between.T)
    for image in (in_browser(browser, picture), by_matplotlib(picture)):
        around = [
            image[int(RATIO * y) - 1 : int(RATIO * y) + 2, int(RATIO * x) - 1 : int(RATIO * x) + 2].min()
            for x, y in zip(px, py, strict=True)
        ]
        assert max(around) < 140, "dark where codes differ"
        grid_x, grid_y = np.meshgrid((np.arange(8) + 0.5) / 8, -1 + (np.arange(6) + 0.5) / 3)
        cx, cy = pixels(AXES, grid_x.ravel(), grid_y.ravel())
        assert image[(RATIO * cy).astype(int), (RATIO * cx).astype(int)].min() == 255, "white inside cells"


@pytest.mark.parametrize(
    ("look", "within"),
    [({"texts": ("",), "cross": 18}, 0.5), ({"texts": ("8",), "size": 18, "halo": 0, "align": "middle"}, 3.5)],
    ids=["cross", "text"],
)
@pytest.mark.parametrize("scale", SCALES)
def test_marks_stand_in_the_same_place(browser, scale, look, within):
    mark = Annotations(name="query", x=np.array([0.5], np.float32), y=np.array([0.2], np.float32), **look)
    picture = Picture((Panel(AXES, (mark,)),), SIZE, "", scale)
    place = scale * np.array(pixels(AXES, 0.5, 0.2))
    for image in (in_browser(browser, picture), by_matplotlib(picture)):
        assert np.hypot(*np.subtract(centroid(image, style.INK, *place, reach=14), place)) < within


def spread(image, y):
    """Width and height of what is dark around a height of the panel, in device pixels."""
    per_unit = image.shape[0] / SIZE[1]
    left, _, width, _ = AXES.rectangle
    middle = pixels(AXES, 0, y)[1]
    rows = slice(int((middle - 30) * per_unit), int((middle + 30) * per_unit))
    seen = image[rows, int((left + 4) * per_unit) : int((left + width - 4) * per_unit)].sum(axis=2) < 380
    return np.array([np.ptp(np.flatnonzero(seen.any(axis=axis))) + 1 for axis in (0, 1)])


def test_a_scale_magnifies_markers_rings_crosses_letters_and_lines(browser):
    """All are as large on the sheet as before, hence larger on the page, whoever draws them."""
    spot = {"x": np.array([0.5], np.float32), "codes": np.zeros(1, np.uint8), "palette": ("#000000",)}
    look = {**spot, "markers": style.markers(1), "size": 20}
    ends, high = np.array([0.1, 0.9], np.float32), np.full(2, 0.4, np.float32)
    layers = (
        Points(name="disc", y=np.array([0.8], np.float32), ringed=np.zeros(1, bool), **look),
        Lines(name="line", x=ends, y=high, color="#000000", width=8),
        Points(name="ring", y=np.array([0.0], np.float32), ringed=np.ones(1, bool), **look),
        Annotations(name="cross", x=spot["x"], y=np.array([-0.4], np.float32), texts=("",), cross=30, color="#000000"),
        Annotations(name="text", x=spot["x"], y=np.array([-0.8], np.float32), texts=("kNN",), size=24, color="#000000"),
    )
    plain, large = (Picture((Panel(AXES, layers),), SIZE, "", scale) for scale in SCALES)
    for paint in (lambda picture: in_browser(browser, picture), by_matplotlib):
        images = paint(plain), paint(large)
        for y in (0.8, 0.4, 0.0, -0.4, -0.8):
            before, after = (spread(image, y) for image in images)
            assert abs(after - SCALES[1] * before).max() <= 3, (y, before, after)


def test_the_ring_of_a_flipped_label_has_the_colour_of_the_true_one(browser):
    problem = checkerboard()
    flips = map_view.dots(problem, np.array([[0.3, 0.5], [0.7, 0.5]], np.float32), np.array([0, 1]), np.array([1, 1]))
    picture = Picture((Panel(AXES, (flips,)),), SIZE, "")
    place = np.array([pixels(AXES, x, 0.5) for x in (0.3, 0.7)])
    beside = place + [(flips.size + flips.ring_gap) / 2, 0]
    for image in (in_browser(browser, picture), by_matplotlib(picture)):
        inside, around = (
            [image[int(RATIO * y), int(RATIO * x)].tolist() for x, y in places] for places in (place, beside)
        )
        assert inside == [rgb(color).tolist() for color in flips.palette]
        assert around == [rgb(flips.palette[1]).tolist(), [255, 255, 255]]


def test_region_codes_are_identical_away_from_edges(browser):
    problem = checkerboard()
    sample, grid = problem.sample(800, 1), problem.grid(200)
    labels = Vote().predict(VoteProfile.count(NeighborTable.build(sample.X, grid.points, 5), sample.y, 2), 5)
    raster = map_view.regions(problem, labels)
    axes = replace(map_view.axes(problem), rectangle=(40, 30, 361, 287))
    picture = Picture((Panel(axes, (raster,)),), SIZE, "")
    rng = np.random.default_rng(0)
    cells = rng.permutation(np.argwhere(inner(raster.codes)))[:1000]
    assert len(cells) == 1000
    px, py = pixels(axes, (cells[:, 1] + 0.5) / 200, (cells[:, 0] + 0.5) / 200)
    palette = np.array([rgb(color) for color in raster.palette])
    for image in (in_browser(browser, picture), by_matplotlib(picture)):
        seen = image[(py * RATIO).astype(int), (px * RATIO).astype(int)]
        codes = abs(seen[:, None] - palette).sum(axis=2).argmin(axis=1)
        assert np.array_equal(codes, raster.codes[tuple(cells.T)])


def inner(codes):
    """Cells whose eight neighbors have their own code."""
    same = np.zeros(codes.shape, bool)
    same[1:-1, 1:-1] = True
    for down in (-1, 0, 1):
        for right in (-1, 0, 1):
            same &= np.roll(codes, (down, right), (0, 1)) == codes
    return same


def test_three_codes_and_no_outline(browser):
    codes = np.array([[0, 1, 2], [2, 0, 1]], np.uint8)
    raster = Raster(name="regions", codes=codes, palette=("#FF0000", "#00FF00", "#0000FF"), extent=(0, 1, -1, 1))
    picture = Picture((Panel(AXES, (raster,)),), SIZE, "")
    for image in (in_browser(browser, picture), by_matplotlib(picture)):
        for row, y in enumerate((-0.5, 0.5)):
            for column, x in enumerate((1 / 6, 3 / 6, 5 / 6)):
                px, py = pixels(AXES, x, y)
                assert image[int(RATIO * py), int(RATIO * px)].argmax() == codes[row, column]


def dark(image, x, y):
    """Whether the pixel at data coordinates is dark."""
    px, py = pixels(AXES, x, y)
    return image[(RATIO * py).astype(int), (RATIO * px).astype(int)].sum(axis=-1) < 380


def both(browser, *layers, axes=AXES):
    """The layers by both painters."""
    picture = Picture((Panel(axes, layers),), SIZE, "")
    return in_browser(browser, picture), by_matplotlib(picture)


@pytest.mark.parametrize(("halo", "align"), [(0.0, "center"), (4.0, "center"), (4.0, "middle")])
def test_a_text_has_the_halo_and_the_place_that_it_asks_for(browser, halo, align):
    """On red, after a broad line whose width a painter may still have in hand."""
    ground = Raster(name="ground", codes=np.zeros((1, 1), np.uint8), palette=("#FF0000",), extent=(0, 1, -1, 1))
    line = Lines(name="line", x=np.array([0, 1], np.float32), y=np.full(2, -0.5, np.float32), color="#FF0000", width=9)
    spot = {"x": np.array([0.5], np.float32), "y": np.array([0.0], np.float32)}
    text = Annotations(name="text", texts=("kNN",), size=24, color="#000000", halo=halo, align=align, **spot)
    left, top, width, height = (int(RATIO * value) for value in AXES.rectangle)
    for image in both(browser, ground, line, text):
        inside = image[top + 8 : top + height - 8, left + 8 : left + width - 8]
        rows, columns = np.nonzero(inside.max(axis=2) < 60)
        above = (height / 2 - 8 - rows.mean()) / RATIO
        assert above == pytest.approx(13 if align == "center" else 0, abs=4), (
            "letters: browsers center the line, not them"
        )
        assert columns.mean() == pytest.approx(width / 2 - 8, abs=RATIO * 2)
        assert (inside.min(axis=2) > 200).any() == (halo > 0)


def test_a_band_covers_what_lies_between(browser):
    x = np.array([0.0, 0.4, np.nan, 0.6, 1.0], np.float32)
    lower, upper = np.where(np.isnan(x), np.nan, [[-0.5], [0.5]]).astype(np.float32)
    inside_x, inside_y = np.meshgrid([0.05, 0.2, 0.38, 0.62, 0.95], [-0.47, 0, 0.47])
    outside_x, outside_y = np.array([0.1, 0.1, 0.5, 0.9]), np.array([-0.53, 0.53, 0.0, 0.53])
    for image in both(browser, Band(name="band", x=x, lower=lower, upper=upper, color="#000000", opacity=0.9)):
        assert dark(image, inside_x, inside_y).all()
        assert not dark(image, outside_x, outside_y).any()


def test_bars_stand_on_zero(browser):
    look = {"codes": np.array([0, 1], np.uint8), "palette": ("#000000", "#202020"), "width": 0.2}
    bars = Bars(name="bars", x=np.array([0.3, 0.7], np.float32), heights=np.array([0.5, -0.8], np.float32), **look)
    for image in both(browser, bars):
        assert dark(image, np.array([0.22, 0.38, 0.3, 0.7, 0.62]), np.array([0.05, 0.05, 0.47, -0.77, -0.05])).all()
        assert not dark(image, np.array([0.18, 0.42, 0.3, 0.3, 0.7]), np.array([0.1, 0.1, 0.53, -0.05, 0.05])).any()


def test_a_fill_covers_its_cells_and_is_hatched(browser):
    cells = np.random.default_rng(1).random((6, 8)) < 0.5
    grid_x, grid_y = np.meshgrid((np.arange(8) + 0.5) / 8, -1 + (np.arange(6) + 0.5) / 3)
    tint = {"name": "fill", "cells": cells, "extent": (0, 1, -1, 1), "color": "#000000"}
    for opaque, hatched in zip(
        both(browser, Fill(**tint, opacity=0.9)), both(browser, Fill(**tint, opacity=0.0)), strict=True
    ):
        assert np.array_equal(dark(opaque, grid_x, grid_y), cells)
        for row, column in np.ndindex(cells.shape):
            px, py = pixels(AXES, grid_x[row, column], grid_y[row, column])
            around = hatched[int(RATIO * py) - 24 : int(RATIO * py) + 24, int(RATIO * px) - 24 : int(RATIO * px) + 24]
            assert (around.min() < 140) == cells[row, column], "stripes inside, none outside"


def test_glyphs_show_the_members_of_a_bag(browser):
    colors = ("#FF0000", "#00FF00", "#0000FF")
    bags = np.array([[1, 0, 0], [1, 0, 1], [1, 1, 1], [0, 0, 0]], bool)
    x, y = np.array([0.2, 0.4, 0.6, 0.8], np.float32), np.zeros(4, np.float32)
    for image in both(browser, Pies(name="bags", x=x, y=y, bags=bags, palette=colors, size=40)):
        for place, bag in zip(x, bags, strict=True):
            members = np.flatnonzero(bag)
            px, py = pixels(AXES, place, 0)
            for turn, code in enumerate(members):
                angle = -np.pi / 2 + 2 * np.pi * (turn + 0.5) / len(members)
                at = image[int(RATIO * (py + 11 * np.sin(angle))), int(RATIO * (px + 11 * np.cos(angle)))]
                assert at.argmax() == code
                assert at.min() < 60
            centre = image[int(RATIO * py) - 8, int(RATIO * px) - 8]
            assert (centre.min() == 255) == (not len(members)), "an empty bag is an empty ring"


def test_a_logarithmic_scale(browser):
    axes = Axes("risk", "", "n", "risk", (10.0, 10_000.0), (-1.0, 1.0), AXES.rectangle, log=True)
    look = {"color": "#000000", "width": 3}
    lines = [
        Lines(name=f"at{n}", x=np.full(2, n, np.float32), y=np.array([-1, 1], np.float32), **look) for n in (100, 1000)
    ]
    left, top, width, height = axes.rectangle
    for image in both(browser, *lines, axes=axes):
        row = image[RATIO * (top + height // 2), RATIO * (left + 5) : RATIO * (left + width - 5)].sum(axis=1) < 380
        found = np.flatnonzero(row) / RATIO + 5
        assert found[: len(found) // 2].mean() == pytest.approx(width / 3, abs=0.5)
        assert found[len(found) // 2 :].mean() == pytest.approx(2 * width / 3, abs=0.5)


def test_colors_may_be_transparent(browser):
    codes = np.array([[0, 1]], np.uint8)
    under = Raster(name="under", codes=np.zeros((1, 1), np.uint8), palette=("#FF0000",), extent=(0, 1, -1, 1))
    over = Raster(name="over", codes=codes, palette=("#0000FF00", "#0000FFFF"), extent=(0, 1, -1, 1))
    for image in both(browser, under, over):
        left, right = (image[int(RATIO * py), int(RATIO * px)] for px, py in (pixels(AXES, x, 0) for x in (0.25, 0.75)))
        assert (left.argmax(), right.argmax()) == (0, 2)
