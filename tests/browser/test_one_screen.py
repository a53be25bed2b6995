"""A lab of a lesson, its step, its numbers and its picture stand on one screen."""

import random
from itertools import product

import pytest
from axe_playwright_python.sync_playwright import Axe
from lesson_labs import CELLS, made
from session import REACHED, WCAG
from small import SMALL

from knnviz.labs.engine.recording import Recorder, detached
from knnviz.views.margins import text_width

#: Width and height that a notebook leaves a lab, and the least side of a map: at 1400 x 900 beside
#: the list of files, and at 1280 x 720 on the projector.
SCREEN = (968, 779, 300)
HALL = (912, 599, 240)

#: Room about a lab in its cell, letters on a sheet and the least on the screen, and the least side
#: of what a finger meets.
AROUND = 16
LETTERS = 13.5
TITLE_LETTERS = 16
SMALLEST = 12
TARGET = 24

#: A map that is lower than so many times its width shows a problem on a line.
LINE = 0.95

#: One of so many labs is measured unless all are asked for.
SHARE = 9

MEASURED = """async () => {
  for (let i = 0; i < 3; i += 1) await new Promise(requestAnimationFrame);
  const lab = document.querySelector('.knnviz-lab');
  const shown = [...lab.querySelectorAll('button, select, input')].filter(
    (each) => each.checkVisibility({ visibilityProperty: true }));
  const sides = shown.map((each) => each.getBoundingClientRect()).flatMap(
    ({ width, height }) => [width, height]);
  return {
    height: lab.getBoundingClientRect().height,
    figure: lab.querySelector('.knnviz-figure').clientWidth,
    corner: ['left', 'top'].map((side) => {
      return Math.round(lab.querySelector('.knnviz-figure').getBoundingClientRect()[side]);
    }),
    target: Math.min(...sides),
    scrolls: [...lab.querySelectorAll('*')].filter(
      (each) => each.scrollHeight > each.clientHeight + 1 && /auto|scroll/.test(
        getComputedStyle(each).overflowY)).length,
    letters: parseFloat(getComputedStyle(lab).fontSize),
    wide: document.documentElement.scrollWidth,
  };
}"""


def sampled():
    chosen = random.Random(76).sample(sorted(CELLS), len(CELLS) // SHARE)
    return [pytest.param(name, marks=[] if name in chosen else pytest.mark.full) for name in CELLS]


@pytest.mark.parametrize("name", sampled())
def test_a_lab_fits_its_window_at_every_step(request, opened, name):
    lab = made(name)
    lab.resolution = SMALL
    wanted = [lab.values, *[step.setting.values for step in lab.steps]]
    for recording, (width, height, side) in zip(recorded(lab, wanted), (SCREEN, HALL), strict=True):
        page = opened(recording.page())
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("document.body.style.margin = 0")
        page.emulate_media(reduced_motion="reduce")
        # A recording says that it is one; what is projected is none.
        page.add_style_tag(content=".knnviz-projector .knnviz-message { display: none }")
        corners = {}
        for at, values in enumerate(wanted):
            if at:
                page.get_by_role("button", name=f"Step {at}", exact=True).click()
                page.get_by_role("button", name="Do it for me").click()
                page.wait_for_function(REACHED, arg=dict(values))
            sheet = sheet_at(recording, values)
            found = check(page, sheet, width, height, side)
            names = str([panel["name"] for panel in sheet["panels"]])
            assert found["corner"] == corners.setdefault(names, found["corner"])
    if request.node.get_closest_marker("full"):
        violated = Axe().run(page, ".knnviz-lab", WCAG)
        assert violated.violations_count == 0, violated.generate_report()


def recorded(lab, wanted):
    """The lab at some values, as on a screen and as projected: what both have is computed once."""
    recorders = [Recorder(lab), Recorder(lab)]
    with detached(lab):
        for values, (projector, recorder) in product(wanted, enumerate(recorders)):
            lab.projector = bool(projector)
            recorder.take(values)
        return [recorder.recording(lab.first_controls) for recorder in recorders]


def sheet_at(recording, values):
    """The sheet that a recording has at some values."""
    entries = recording.index["entries"]
    states = [frame["state"] for frame in recording.index["frames"]]
    sheets = [entries[each["sheet"]] for each in states if entries[each["values"]] == values]
    return sheets[0]


def check(page, sheet, width, height, side):
    """What stands on the page is whole, and large enough; what was measured."""
    found = page.evaluate(MEASURED)
    zoom = found["figure"] / sheet["size"][0]
    assert round(found["height"]) <= height - AROUND
    assert found["wide"] <= width
    assert found["scrolls"] == 0
    assert found["letters"] >= SMALLEST
    assert LETTERS * zoom >= SMALLEST
    assert found["target"] >= TARGET
    for panel in sheet["panels"]:
        assert_title_is_whole(panel, sheet)
        _, _, across, down = panel["rectangle"]
        if panel["name"] == "map":
            # The height of a line's picture says nothing about places.
            least = min(across, down) if down > LINE * across else across
            assert least * zoom >= side, (across, down, zoom)
    return found


def assert_title_is_whole(panel, sheet):
    """A title ends before the next panel begins, or the sheet ends."""
    left, top, *_ = panel["rectangle"]
    end = left + TITLE_LETTERS * text_width(panel["title"])
    others = [other["rectangle"] for other in sheet["panels"]]
    lefts = [at for at, other, *_ in others if at > left and abs(other - top) < 10]
    assert end <= min([*lefts, sheet["size"][0]]), panel["title"]
