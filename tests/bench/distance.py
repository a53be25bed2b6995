"""Labs at a distance from their kernel, as in a Binder session: a relay delays each byte both
ways.
"""

from contextlib import nullcontext

import page
from reference import slowness_of_browser
from relay import delayed
from server import chromium

from knnviz import labs

#: Labs, what they are made with, and the control that a lesson moves most.
MAIN = {
    "NeighborLab": ("n=8000", "k"),
    "NoiseLab": ("", "k"),
    "ThresholdLab": ("", "t"),
    "WeightLab": ("", "q1"),
    "TuningLab": ("", "n_steps"),
}

#: Milliseconds of a round trip: on the same machine, to a server nearby, to one far away.
ROUND_TRIPS = (0, 50, 150)


def rows(quick):
    """Some labs at all distances; one lab at both ends of them if it must be quick."""
    if chromium() is None:
        return []
    if quick:
        return measured(["NeighborLab"], ROUND_TRIPS[::2], 1)
    return measured(list(MAIN), ROUND_TRIPS, 3)


def measured(names, round_trips, times):
    """Some labs, at the shortest round trip first, with so many rounds of key presses and drags."""
    found = []
    slowness = 0.0
    with page.lab_and_browser() as (server, browser):
        for round_trip in round_trips:
            way = delayed(server, round_trip / 2000) if round_trip else nullcontext(server)
            with way as address:
                nothing = page.nothing(address, browser)
                session, _ = page.opened(address, browser)
                for name in names:
                    arguments, control = MAIN[name]
                    session.page.bring_to_front()
                    session.stand(name, arguments)
                    session.settle()
                    slider = session.slider(getattr(labs, name).parameters[control].title)
                    lab = page.Shown(session, slider, control)
                    pressed = page.timed({"lab": lab, "nothing": nothing}, times, 8)
                    empty, _ = page.waits(pressed["nothing"])
                    if not slowness:
                        slowness = slowness_of_browser(empty)
                        found.append(page.browser_row(slowness))
                    what = f"{name} at {round_trip} ms, {control}"
                    pull = page.pulls_of(lab, times)
                    found += page.lab_rows(what, pressed["lab"], empty, pull, slowness)
                for each in (session, nothing.session):
                    each.close()
    return found
