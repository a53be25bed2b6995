"""Count what a restless hand loses: ``python tests/browser/stress.py DRAGS BUSY SEED`` prints it, and fails if it does.

A lab after another takes quick drags of its controls, in a kernel with a hash seed of its own, beside so many busy
processes. After each, once nothing moves any more, the place where the hand let go is compared with what the page,
the kernel and the picture hold.
"""

import json
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import Process
from pathlib import Path
from typing import Any

import numpy as np
from playwright.sync_api import Error, Locator
from server import opened_browser, running
from session import NAMES, Session, Share

#: How often something else is done before a drag, and how often a menu is used while the hand drags a slider.
OFTEN, MEANWHILE = 0.2, 0.1

#: Drags that a kernel takes before a new one begins, with other hashes.
KERNEL = 100

#: How far sliders may be off by the digits of decimals, and by the hand, as a fraction of their track.
ROUNDING, PIXELS = 1e-9, 0.02

#: Fractions of a track that the hand passes at most, and seconds after which what has not come is lost.
MOST, PATIENCE = 12, 30.0

#: What page, picture and kernel hold of a parameter.
HELD = """
import json
state = lab.view.frames.state
print(json.dumps([lab.values[{name!r}], state["drawn"][{name!r}], state["limits"][{name!r}]]))
"""

#: What the control of the page shows: the number, of a list of steps the place.
SHOWN = "slider => Number(slider.value)"


def burn() -> None:
    """Keep a processor busy."""
    while True:
        sum(range(10_000))


@contextmanager
def busy(count: int) -> Iterator[None]:
    """So many busy processes beside."""
    burning = [Process(target=burn, daemon=True) for _ in range(count)]
    for each in burning:
        each.start()
    try:
        yield
    finally:
        for each in burning:
            each.terminate()


def across(element: Locator) -> tuple[float, float]:
    """Where an element stands across the page, and how wide it is."""
    box = element.bounding_box()
    return box["x"], box["width"]


def close(value: float, fraction: float, slider: dict[str, Any]) -> bool:
    """Whether a value fits the fraction of a track where the hand lets go; beyond an end, that end alone."""
    low, high = slider["low"], slider["high"]
    if not 0 <= fraction <= 1:
        return abs(value - (high if fraction > 1 else low)) < ROUNDING
    if slider["options"]:
        places = [place for _, place in slider["options"]]
        return abs(places.index(value) - fraction * (len(places) - 1)) <= 1 + PIXELS * len(places)
    return abs(value - low - fraction * (high - low)) <= slider["step"] + PIXELS * (high - low)


#: The values that kernel, frame and page hold.
VALUES = "import json; print(json.dumps([lab.values, lab.view.frames.state['drawn']]))"


def agree(lab: Session) -> bool:
    kernel, frame = json.loads(lab.evaluate(VALUES))
    return kernel == frame == lab.state


def choose(lab: Session, rng: np.random.Generator) -> None:
    """Choose something in one of the menus, and do not wait for it."""
    menus = lab.page.locator(".knnviz-lab select:visible")
    menu = menus.nth(rng.integers(menus.count()))
    menu.select_option(str(rng.choice(menu.locator("option:not(:disabled)").all_inner_texts())))


def drag_and_choose(lab: Session, slider: dict[str, Any], rng: np.random.Generator) -> str | None:
    """Drag a slider quickly, use a menu before letting go; what was lost, if anything: the menu may move the slider."""
    way = rng.uniform(0, 1, rng.integers(2, MOST)).tolist()
    lab.pull(slider["title"], way, meanwhile=lambda: choose(lab, rng))
    lab.sync()
    begun = time.monotonic()
    while not (held := agree(lab)) and time.monotonic() - begun < PATIENCE:
        lab.sync()
    return None if held else f"{slider['title']}, with a menu: kernel and picture do not agree"


def drag(lab: Session, name: str, slider: dict[str, Any], rng: np.random.Generator) -> str | None:
    """Drag a slider quickly to and fro, and let go; what was lost, if anything."""
    way = rng.uniform(0, 1, rng.integers(2, MOST)).round(2).tolist()
    end = float(rng.choice([-0.1, 1.1, round(rng.uniform(0.05, 0.95), 2)]))
    handle = lab.slider(slider["title"])
    before = across(handle)
    lab.pull(slider["title"], [*way, end])
    begun = time.monotonic()
    while True:
        lab.sync()
        kernel, frame, places = json.loads(lab.evaluate(HELD.format(name=name)))
        page, control = lab.state[name], handle.evaluate(SHOWN)
        control = places[int(control)][1] if slider["options"] else control
        agree = max(kernel, control, frame, page) - min(kernel, control, frame, page) < ROUNDING
        # Of a control that the lab moved away under the hand, nobody knows where the hand let go.
        agree = agree and (close(kernel, end, slider) or across(handle) != before)
        if agree or time.monotonic() - begun > PATIENCE:
            break
    if agree or lab.message:
        return None
    return f"{slider['title']}: let go at {end}, kernel {kernel}, control {control}, picture {page}"


#: The panels and their limits, as the kernel has them.
PANELS = """
import json
keys = ("name", "rectangle", "xlim", "log")
print(json.dumps([[each[key] for key in keys] for each in lab.view.frames.state["sheet"]["panels"]]))
"""

#: Keep where a hand points.
NOTED = """
at, pick = {}, lab.pick
lab.pick = lambda panel, x, *more: (at.update(panel=panel, x=x), pick(panel, x, *more))[1]
"""

#: Where the kernel has the hand, and whether page and kernel agree on all that follows from it.
POINTED = """
import json
print(json.dumps([at.get("panel"), at.get("x"), lab.values, lab.view.frames.state["drawn"] == lab.values]))
"""


def point(lab: Session, rng: np.random.Generator) -> str | None:
    """Drag quickly over a panel, from a handle if one is under the hand; what was lost, if anything."""
    panels, before = json.loads(lab.evaluate(PANELS)), across(lab.figure)
    panel, (*_, width, _), xlim, log = panels[rng.integers(len(panels))]
    fractions = rng.uniform(0.05, 0.95, (rng.integers(2, MOST), 2))
    lab.drag_in(panel, *((Share(x), Share(y)) for x, y in fractions.tolist()))
    low, high = np.log10(xlim) if log else xlim
    reach, begun = (high - low) / width * 3, time.monotonic()
    while True:
        lab.sync()
        pointed, x, values, agree = json.loads(lab.evaluate(POINTED))
        x = np.log10(x) if log and x else x
        near = abs(x - low - fractions[-1][0] * (high - low)) < reach
        stays = across(lab.figure) == before and json.loads(lab.evaluate(PANELS)) == panels
        arrived = pointed == panel and (near or not stays)
        if (arrived and agree and lab.state == values) or time.monotonic() - begun > PATIENCE:
            break
    if arrived and agree and lab.state == values:
        return None
    return f"panel {panel}: let go at {fractions[-1][0]:.2f}, kernel at {pointed} {x}"


#: Heights and widths of a window, and buttons.
WINDOWS, BUTTONS = ((500, 1000), (700, 1600)), ("New sample", "Stop", "Reset", "Projector")


def interrupt(lab: Session, rng: np.random.Generator) -> None:
    """What else a hand does while the lab may be at work: a button, a preset, another window, the page anew."""
    kind = rng.integers(5)
    if kind == 0:
        lab.save()
        lab.reload()
        lab.figure.wait_for()
    elif kind == 1:
        height, width = (int(rng.integers(*ends)) for ends in WINDOWS)
        lab.page.set_viewport_size({"width": width, "height": height})
    elif kind == 2:
        presets = lab.page.get_by_label("preset").locator("option:not(:disabled)").all_inner_texts()
        lab.choose("preset", str(rng.choice([each for each in presets if each != "choose one"])))
    else:
        button = lab.page.get_by_role("button", name=str(rng.choice(BUTTONS)), exact=True)
        if button.count():
            button.press("Enter")
        # The next hand must find the controls where they stay.
        lab.settle()
    lab.sync()


def move(lab: Session, name: str, sliders: dict[str, Any], rng: np.random.Generator) -> str | None:
    """One drag, of a slider or over the figure; what was lost, if anything."""
    if name not in sliders:
        return point(lab, rng)
    if rng.random() < MEANWHILE:
        return drag_and_choose(lab, sliders[name], rng)
    return drag(lab, name, sliders[name], rng)


def stress(drags: int, seed: int) -> tuple[Counter, list[str]]:
    """Drags by kind of control, and what was lost."""
    rng, counts, lost = np.random.default_rng(seed), Counter(), []
    while counts.total() < drags:
        home = Path(tempfile.mkdtemp()) / "jupyter"
        home.mkdir()
        with running(home) as address, opened_browser() as browser:
            lab = Session(address, browser.new_context(), home)
            lab.write("labs.ipynb", "")
            lab.open("labs.ipynb")
            for _ in range(min(KERNEL, drags - counts.total())):
                if rng.random() < 0.1 or not lab.standing:
                    lab.stand(str(rng.choice(NAMES)))
                    lab.evaluate(NOTED)
                    lab.sync()
                if rng.random() < OFTEN:
                    interrupt(lab, rng)
                sliders = lab.sliders()
                name = str(rng.choice([*sliders, "figure"]))
                counts[sliders[name]["kind"] if name in sliders else "figure"] += 1
                try:
                    loss = move(lab, name, sliders, rng)
                except Error as problem:
                    loss = f"{name}: {str(problem).splitlines()[0]}"
                if loss:
                    lost.append(f"{lab.standing}, {loss}")
                    print(lost[-1], flush=True)
                    lab.evaluate("lab.reset()")
                    lab.sync()
            lab.close()
        print(f"{counts.total()} drags, {len(lost)} lost", flush=True)
    return counts, lost


def main(drags: int = 2000, beside: int = 2, seed: int = 0) -> int:
    """Print how many drags were lost, kind by kind; the exit code."""
    with busy(beside):
        counts, lost = stress(drags, seed)
    print(f"{len(lost)} of {counts.total()} quick drags lost, beside {beside} busy processes:")
    print("\n".join([*(f"  {kind} {count}" for kind, count in counts.items()), *lost]))
    return int(bool(lost))


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
