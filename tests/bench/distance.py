"""Labs at a distance from their kernel, as in a Binder session: a relay delays each byte both ways.

``python tests/bench/distance.py NAMES`` prints the rows of some labs, by default of all that are
named here.
"""

import json
import statistics
import sys
import tempfile
from contextlib import nullcontext
from pathlib import Path
from typing import NamedTuple

import hops
import page as pages
from playwright.sync_api import Browser
from reference import slowness_of_browser
from rows import Row, table

sys.path.append(str(Path(__file__).parents[1] / "browser"))

from relay import delayed
from server import chromium, opened_browser, running
from session import Session

from knnviz import labs

#: Labs, what they are made with, and the control that a lesson moves most.
MAIN = {
    "NeighborLab": ("n=8000", "k"),
    "NoiseLab": ("", "k"),
    "ThresholdLab": ("", "t"),
    "WeightLab": ("", "q1"),
    "TuningLab": ("", "n_steps"),
    "ActiveLab": ("labels=1100", "labels"),
    "ActiveRatesLab": ("", "smoothness_constant"),
    "BandLab": ("", "epsilon"),
    "EliminationLab": ("k=20", "k"),
    "ImbalanceLab": ("a=0.2", "a"),
    "LearnabilityLab": ("", "eta0"),
    "RatesLab": ("", "smoothness_constant"),
}

#: How many of them ``make bench`` has at a distance.
FEW = 5

#: Milliseconds of a round trip: on the same machine, to a server nearby, to one far away.
ROUND_TRIPS = (0, 50, 150)

#: Key presses of a round, the first two of them for nothing.
PRESSES = 10

#: Steps of a drag in one second, along so much of the track.
STEPS = 40
ALONG = 0.9

#: Milliseconds of the reference machine from the last step of a drag to its picture.
LAST = 40

#: Moves that a page has drawn before its kernel answered, where pages do.
AHEAD = "Number(document.querySelector('.knnviz-figure').dataset.ahead ?? 0)"

#: The values of the picture that a key press brought first.
PICTURE = "window.shown[0].picture"


class Stand(NamedTuple):
    """A lab on a page, its control, and the page of an empty round trip over the same way."""

    lab: pages.Shown
    name: str
    nothing: pages.Shown


def rows(quick: bool) -> list[Row]:
    """All labs at all distances; one lab at both ends of them if it must be quick."""
    if quick:
        return measured(["NeighborLab"], ROUND_TRIPS[::2], 1)
    return measured(list(MAIN)[:FEW], ROUND_TRIPS, 3)


def measured(names: list[str], round_trips: tuple[int, ...], times: int) -> list[Row]:
    """Some labs, at the shortest round trip first, with so many rounds of key presses and drags."""
    if chromium() is None:
        print("no Chromium found: the rows at a distance are left out")
        return []
    found = []
    slowness = 0.0
    home = Path(tempfile.mkdtemp(prefix="knnviz-distance-"))
    with running(home) as server, opened_browser() as browser:
        for round_trip in round_trips:
            way = delayed(server, round_trip / 2000) if round_trip else nullcontext(server)
            with way as address:
                nothing, _ = pages.opened(address, browser, pages.EMPTY, pages.ECHO)
                empty = pages.Shown(nothing, nothing.page.locator(".echo"))
                if not slowness:
                    slowness = slowness_of_browser(trip(empty, 2 * times))
                    found.append(pages.browser_row(slowness))
                lab = opened(address, browser)
                for name in names:
                    what = f"{name} at {round_trip} ms"
                    found += of_lab(what, stand(lab, name, empty), times, slowness)
                for session in (lab, nothing):
                    session.close()
    return found


def trip(empty: pages.Shown, rounds: int) -> float:
    """Milliseconds of an empty round trip."""
    presses = pages.timed({pages.NOTHING: empty}, rounds, 8)
    median, _ = pages.waits(presses[pages.NOTHING])
    return median


def opened(address: str, browser: Browser) -> Session:
    """A page with a notebook of one cell."""
    context = browser.new_context()
    context.add_init_script(hops.PAGE)
    session = Session(address, context)
    notebook = f"distance-{len(browser.contexts)}.ipynb"
    session.write(notebook, "")
    session.open(notebook)
    session.page.evaluate(pages.WATCH.replace("PICTURE", pages.FIGURE))
    return session


def stand(session: Session, name: str, empty: pages.Shown) -> Stand:
    """A lab on this page in place of the one before."""
    arguments, control = MAIN[name]
    session.page.bring_to_front()
    session.stand(name, arguments)
    session.settle()
    slider = session.slider(getattr(labs, name).parameters[control].title)
    return Stand(pages.Shown(session, slider), control, empty)


def of_lab(what: str, standing: Stand, times: int, slowness: float) -> list[Row]:
    """Key presses beside an empty round trip, and drags."""
    pressed = []
    empty = []
    for _ in range(times):
        at_hand(standing)
        pressed += [press(standing) for _ in range(PRESSES)][2:]
        empty.append(trip(standing.nothing, 1))
    pulls = []
    for _ in range(times):
        at_hand(standing)
        pulls.append(pull(standing))
    ahead = standing.lab.session.page.evaluate(AHEAD)

    median, late = pages.waits(pressed)
    least = statistics.median(empty)
    counts, changed, lasts = map(statistics.median, zip(*pulls, strict=True))
    beside = {"peer": least, "peer_name": pages.NOTHING}
    what = f"{what}, {standing.name}"
    first = f"{what}: key press to pixel, median"
    last = f"{what}: last picture after the last step"
    return [
        Row(first, median, "ms", pages.PRESS, **beside, slowness=slowness),
        Row(f"{what}: key press to pixel, 95th percentile", late, **beside),
        Row(f"{what}: pictures of {STEPS} steps in 1 s", counts, "", STEPS, more=True),
        Row(f"{what}: pictures of these that another one of their step followed", changed, "", 0),
        Row(last, lasts, "ms", LAST, slowness=slowness),
        Row(f"{what}: of {times * (PRESSES + STEPS)} moves, drawn ahead of the kernel", ahead, ""),
    ]


def at_hand(standing: Stand) -> None:
    """The lab as it begins, and the control in the hand of a reader who looks at it first."""
    session = standing.lab.session
    session.page.bring_to_front()
    standing.lab.control.blur()
    session.evaluate("lab.reset()")
    session.settle()
    standing.lab.control.focus()
    session.idle()
    session.page.wait_for_timeout(pages.LOOKS)


def value(standing: Stand) -> str | float:
    """What the picture on screen shows of the control's parameter."""
    return standing.lab.session.state[standing.name]


def press(standing: Stand) -> dict[str, float]:
    """Stamps of a key press, whose picture must be another one."""
    before = value(standing)
    stamps = pages.press(standing.lab)
    first = json.loads(standing.lab.session.page.evaluate(PICTURE))[standing.name]
    if first <= before:
        raise AssertionError(f"a key press to the right of {before} showed {first} first")
    return stamps


def pull(standing: Stand) -> tuple[int, int, float]:
    """Values shown in a drag, each step of which asks for another one, further pictures of the same
    values, and when the last one came after the last step.
    """
    session = standing.lab.session
    low, high = map(float, standing.lab.control.evaluate("({ min, max }) => [min, max]"))
    slider = session.sliders()[standing.name]
    places = round((high - low) / slider["step"])
    stride = int(ALONG * places / (STEPS - 1))
    first = (places - stride * (STEPS - 1)) // 2
    fractions = [(first + stride * step) / places for step in range(STEPS)]
    pictures, last = pages.pulled(standing.lab, fractions)
    shown = {json.loads(each)[standing.name] for each in pictures}
    end = float(standing.lab.control.evaluate("({ value }) => value"))
    wanted = low + fractions[-1] * (high - low)
    if abs(end - wanted) > slider["step"] * stride / 2 or not same(standing):
        raise AssertionError(f"let go at {wanted}, the slider is at {end}, shown {value(standing)}")
    return len(shown), len(pictures) - len(shown), last


def same(standing: Stand) -> bool:
    """Whether kernel and picture hold the same values."""
    session = standing.lab.session
    return (
        json.loads(session.evaluate("import json; print(json.dumps(lab.values))")) == session.state
    )


if __name__ == "__main__":
    names = sys.argv[1:]
    print(table(measured(names or list(MAIN), ROUND_TRIPS, 3)))
