"""Count what a restless hand loses: ``python tests/browser/stress.py DRAGS BUSY SEED`` prints it,
and fails if it does.

A lab after another takes quick drags of its controls, in a kernel with a hash seed of its own,
beside so many busy processes. After each, once nothing moves any more, the place where the hand let
go is compared with what the page, the kernel and the picture hold.
"""

import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import numpy as np
from playwright.sync_api import Error
from server import PAGE, busy, opened_browser, running
from session import NAMES, Session, Share

#: How often something else is done before a drag, and how often a menu is used while the hand drags
#: a slider.
OFTEN = 0.2
MEANWHILE = 0.1

#: Drags that a kernel takes before a new one begins, with other hashes.
KERNEL = 100

#: How far a slider may be off by the hand, as a fraction of its track.
PIXELS = 0.02

#: Fractions of a track that the hand passes at most, and seconds after which what has not come is
#: lost.
MOST = 12
PATIENCE = 30.0


def comes(lab, holds):
    """Whether something comes to hold once nothing moves any more."""
    begun = time.monotonic()
    while time.monotonic() - begun < PATIENCE:
        lab.sync()
        if holds():
            return True
    return False


def across(element):
    """Where an element stands across the page, how wide it is, and the ends of a slider."""
    box = element.bounding_box()
    ends = element.evaluate("({ min, max }) => [min, max]")
    return box["x"], box["width"], ends


def agree(lab):
    """Whether kernel, frame and page hold the same values."""
    frame = lab.told("lab.view.frames.state['drawn']")
    return lab.told("lab.values") == frame == lab.state


def choose(lab, rng):
    """Choose something in one of the menus, if there are any, and do not wait for it."""
    menus = lab.page.locator(".knnviz-lab select:visible").all()
    if not menus:
        return
    menu = menus[rng.integers(len(menus))]
    menu.select_option(str(rng.choice(menu.locator("option:not(:disabled)").all_inner_texts())))


def fits(handle, fraction, step):
    """Whether a control stands where the hand let go, to a step; beyond an end, at that end."""
    low, high, at = handle.evaluate("({ min, max, value }) => [min, max, value].map(Number)")
    wanted = low + min(max(fraction, 0), 1) * (high - low)
    if wanted in (low, high):
        return at == wanted
    return abs(at - wanted) <= step + PIXELS * (high - low)


def drag(lab, name, slider, rng):
    """Drag a slider quickly to and fro, perhaps use a menu meanwhile, and let go; what was lost, if
    anything.
    """
    within = round(rng.uniform(0.05, 0.95), 2)
    end = float(rng.choice([-0.1, 1.1, within]))
    to_and_fro = rng.uniform(0, 1, rng.integers(2, MOST)).round(2).tolist()
    menu = rng.random() < MEANWHILE
    handle = lab.slider(slider["title"])
    before = across(handle)

    def meanwhile():
        if menu:
            choose(lab, rng)

    lab.pull(slider["title"], *to_and_fro, end, meanwhile=meanwhile)

    def holds():
        if not agree(lab):
            return False
        # Of a control that a menu or the lab moved away under the hand, or whose ends moved, nobody
        # knows where the hand let go.
        moved_away = menu or bool(lab.message) or across(handle) != before
        return moved_away or fits(handle, end, slider["step"])

    if comes(lab, holds):
        return None
    return f"{slider['title']}: let go at {end}, picture {lab.state[name]}"


#: Keep where a hand points.
NOTED = """
at, pick = {}, lab.pick
lab.pick = lambda panel, x, *more: (at.update(panel=panel, x=x), pick(panel, x, *more))[1]
"""


def places(panels):
    """Where panels stand, and their limits."""
    return [[each[key] for key in ("name", "rectangle", "xlim", "log")] for each in panels]


def point(lab, rng):
    """Drag quickly over a panel, from a handle if one is under the hand; what was lost, if
    anything.
    """
    # On a narrow page panels lie elsewhere.
    lab.page.set_viewport_size(PAGE)
    lab.sync()
    panels = lab.sheet["panels"]
    before = across(lab.figure)
    axes = panels[rng.integers(len(panels))]
    panel = axes["name"]
    log = axes["log"]
    fractions = rng.uniform(0.05, 0.95, (rng.integers(2, MOST), 2))
    lab.drag_in(panel, *((Share(x), Share(y)) for x, y in fractions.tolist()))
    end = fractions[-1][0]
    low, high = np.log10(axes["xlim"]) if log else axes["xlim"]
    wanted = low + end * (high - low)
    three_pixels = 3 * (high - low) / axes["rectangle"][2]

    def holds():
        pointed, x = lab.told("[at.get('panel'), at.get('x')]")
        at = x or 0
        if log and x:
            at = np.log10(x)
        near = abs(at - wanted) < three_pixels
        stays = across(lab.figure) == before and places(lab.sheet["panels"]) == places(panels)
        return agree(lab) and pointed == panel and (near or not stays)

    if comes(lab, holds):
        return None
    return f"panel {panel}: let go at {end:.2f}"


#: Heights and widths of a window, and buttons.
WINDOWS = ((500, 1000), (700, 1600))
BUTTONS = ("New sample", "Stop", "Reset", "Projector")


def interrupt(lab, rng):
    """What else a hand does while the lab may be at work: a button, a preset, another window, the
    page anew.
    """
    kind = rng.integers(5)
    if kind == 0:
        lab.save()
        lab.reload()
        lab.figure.wait_for()
    elif kind == 1:
        height, width = (int(rng.integers(*ends)) for ends in WINDOWS)
        lab.page.set_viewport_size({"width": width, "height": height})
    elif kind == 2:
        options = lab.page.get_by_label("preset").locator("option:not(:disabled)")
        presets = [each for each in options.all_inner_texts() if each != "choose one"]
        if presets:
            lab.choose("preset", str(rng.choice(presets)))
    else:
        button = lab.page.get_by_role("button", name=str(rng.choice(BUTTONS)), exact=True)
        if button.count():
            button.press("Enter")
        # The next hand must find the controls where they stay.
        lab.settle()
    lab.sync()


def stress(drags, seed):
    """Drags by kind of control, and what was lost."""
    rng = np.random.default_rng(seed)
    counts = Counter()
    lost = []
    while counts.total() < drags:
        home = Path(tempfile.mkdtemp()) / "jupyter"
        home.mkdir()
        with running(home) as address, opened_browser() as browser:
            lab = Session(address, browser.new_context())
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
                try:
                    if name in sliders:
                        counts[sliders[name]["kind"]] += 1
                        loss = drag(lab, name, sliders[name], rng)
                    else:
                        counts["figure"] += 1
                        loss = point(lab, rng)
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


def main(drags=2000, beside=2, seed=0):
    """Print how many drags were lost, kind by kind; the exit code."""
    with busy(beside):
        counts, lost = stress(drags, seed)
    print(f"{len(lost)} of {counts.total()} quick drags lost, beside {beside} busy processes:")
    for kind, count in counts.items():
        print(f"  {kind} {count}")
    for each in lost:
        print(each)
    return int(bool(lost))


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
