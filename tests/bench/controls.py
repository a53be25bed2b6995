"""Controls of labs, without a browser: from a move to the last byte handed to the page, and to the
full picture.

``python tests/bench/controls.py NAMES`` prints the rows of all controls of some labs, by default of
all labs.
"""

import statistics
import sys
import time
from itertools import count

import numpy as np
from rows import Row, table

from knnviz import labs

#: Milliseconds to the first frame: where only labels of a map follow a control, for any, and where
#: it is a preview after a new sample or problem; to the full picture.
LABELS = 5
FRAME = 16
PREVIEW = 60
FULL = 500
REDRAWN = ("n", "seed", "problem", "preparation")

#: Settings with many points or much to draw, and controls that are moved there.
LARGE = {"n": 8000}
WAVE = {"n": 8000, "problem": "wave2d"}
WEIGHTS = {"n": 8000, "k": 51}
GROWN = {"max_neighbors": 400, "problem": "three gaussians", "n": 8000}
WORLDS = {"n": 2000, "model": "permutation", "beside": "swapped"}
SETTINGS = [
    ("NeighborLab", LARGE, ["k", "p1", *REDRAWN[:3]]),
    ("NeighborLab", {"overlay": "effective boundary"} | WAVE, ["mass", "margin"]),
    ("NeighborLab", {"overlay": "advantage"} | WAVE, ["mass_cap"]),
    ("NoiseLab", LARGE, ["k", "k_noise", "p1", "n"]),
    ("ThresholdLab", LARGE, ["k", "t"]),
    ("WeightLab", {"problem": "three gaussians"} | WEIGHTS, ["q1"]),
    ("WeightLab", {"problem": "waves"} | WEIGHTS, ["q1"]),
    ("TuningLab", {"n": 1000}, ["q1", "n_steps", "step", "k"]),
    ("EliminationLab", GROWN, ["c1", "bag_noise", "inclusion", "k"]),
    ("LearnabilityLab", WORLDS, ["eta0", "probability_01_0"]),
]

#: Controls of large samples that only move labels.
OF_LABELS = {"NeighborLab": "k", "NoiseLab": "k", "ThresholdLab": "t", "WeightLab": "q1"}

#: Running numbers of messages: one that the page has used before would be a message that is sent
#: again.
NUMBERS = count(1)


def rows(quick):
    """Some controls of large settings, then all of all labs; of one lab if it must be quick."""
    found = []
    for name, start, controls in SETTINGS:
        lab = getattr(labs, name)(**start)
        _ = lab.widget
        told = ", ".join(f"{key}={value!r}" for key, value in start.items())
        for control in controls:
            bar = LABELS if OF_LABELS.get(name) == control else FRAME
            others = values(lab, control, 10 if quick else 60, near=control in REDRAWN)
            found += moved(lab, f"{name}({told}), {control}", control, others, bar)
        lab.close()
    if quick:
        return found + measured(["NeighborLab"])
    return found + measured([])


def measured(names):
    """All controls of some labs that have an effect at the start values, of all labs by default."""
    found = []
    for name in names or [each for each in labs.__all__ if each != "Lab"]:
        lab = getattr(labs, name)()
        _ = lab.widget
        for control in lab.parameters:
            if control not in lab.setting.hidden:
                others = values(lab, control)
                found += moved(lab, f"{name}, {control}", control, others)
        lab.close()
    return found


def moved(lab, what, control, others, bar=FRAME):
    """Moves of a control, each of which finds the lab at rest: the first frame, and the full
    picture where that was a preview.
    """
    first = []
    full = []
    previews = []
    for value in others:
        lab.readout()
        begun = time.perf_counter()
        send(lab, "move", {control: value})
        first.append(1000 * (time.perf_counter() - begun))
        with lab.lock:
            previews.append(bool(lab.background.unfinished(slow=False)))
        lab.background.wait(lambda: lab.picture, slow=False)
        full.append(1000 * (time.perf_counter() - begun))
    lab.reset()

    most = PREVIEW if control in REDRAWN else bar
    found = [Row(f"{what}: first frame", statistics.median(first), bar=most)]
    if any(previews):
        found.append(Row(f"{what}: full picture", statistics.median(full), bar=FULL))
    return found


def send(lab, *step):
    """What a page has done when a hand moves a control or clicks into a panel."""
    message = {"page": "bench", "seq": next(NUMBERS), "steps": [list(step)]}
    lab.widget._receive(lab.widget, message)


def values(lab, control, moves=7, near=True):
    """Values to move to within the ends, other than the start: near it, or anywhere."""
    parameter = lab.parameters[control]
    start = lab.start[control]
    ends = lab.setting.ends[control]
    if parameter.kind == "menu":
        others = [each for each in ends if each != start]
        return [each for other in others for each in (other, start)][:moves]
    steps = [step for step in parameter.steps(*ends) if step != start]
    if not near:
        return np.random.default_rng(0).choice(steps, moves).tolist()
    at = int(np.searchsorted(steps, start))
    return (steps[max(at - moves, 0) : at + moves] * moves)[:moves]


if __name__ == "__main__":
    print(table(measured(sys.argv[1:])))
