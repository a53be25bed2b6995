"""What tests do to any lab: move it at random or once, refuse, wait, and see what ran."""

import time
from collections import Counter

import ipywidgets as widgets
import numpy as np
import pytest

from knnviz.labs.engine.parameters import LogInt


def move_at_random(faced, times):
    """Move random controls to random values, look at all that must hold after each, and count the refusals."""
    rng, refused = np.random.default_rng(0), 0
    for _ in range(times):
        name = rng.choice(list(faced.parameters()))
        faced.face.controls[name].value = _value(faced, name, rng)
        with faced.updates.lock():
            message = faced.face.message.value
        assert "cannot be shown" not in message
        assert "went wrong" not in message
        refused += "last good value" in message
        assert faced.face.canvas.frame["state"] == faced.values
        controls = {name: control.value for name, control in faced.face.controls.items()}
        apart = [name for name, at in controls.items() if not faced.parameters()[name].same(at, faced.values[name])]
        assert not apart, (controls, faced.values)
    return refused


def _value(faced, name, rng):
    """A value within the limits of a parameter."""
    low, *_, high = faced.limits(name, faced.values)
    if isinstance(low, str):
        return str(rng.choice(faced.limits(name, faced.values)))
    if isinstance(faced.parameters()[name], LogInt):
        return int(rng.choice([value for _, value in faced.face.controls[name].options]))
    if isinstance(faced.values[name], int):
        return int(rng.integers(low, min(high, 400) + 1))
    return float(round(rng.uniform(low, high), 2))


def press(lab, text):
    """Do what a button of a lab does."""
    return next(action for name, _, action in lab.actions() if name == text)()


def is_slider(control):
    """Whether a control is one that a hand drags."""
    return isinstance(control, (widgets.IntSlider, widgets.FloatSlider, widgets.SelectionSlider))


def settle(lab):
    """Wait until what is pending is done: work in the background may have kept a handler from doing it."""
    with lab.updates.lock():
        pass


def each_runs_once(lab, expected, **changes):
    """For a change of what is on show these stages run, each of them once, and no other."""
    _ = lab.picture
    before = Counter(lab.runs())
    _ = lab.set(**changes).picture
    assert Counter(lab.runs()) - before == Counter(expected)


def ran(lab, **changes):
    """Stages that run for a change."""
    _ = lab.picture, lab.readout()
    before = lab.runs()
    _ = lab.set(**changes).picture, lab.readout()
    return {name for name, runs in lab.runs().items() if runs != before.get(name)}


def refuses(lab, changes, message):
    """Bad input is refused in a sentence, and changes nothing."""
    before = lab.readout()
    with pytest.raises(ValueError, match=f"^{message}$"):
        lab.set(**changes)
    assert lab.readout() == before


def until(there, seconds=20):
    """Wait for what another thread will do."""
    end = time.monotonic() + seconds
    while not there():
        assert time.monotonic() < end, "it does not come"
        time.sleep(0.01)
