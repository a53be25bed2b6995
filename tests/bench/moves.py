"""Labs at many points, without a browser: from a change of a control to the last byte handed to the
page.
"""

from typing import Any

import numpy as np
from controls import REDRAWN, send, values
from rows import Row, median_ms

from knnviz import labs

#: Milliseconds to a coarse picture and to the full one.
COARSE = 150
FULL = 1000

LARGE = {"n": 8000}
WAVE = {"n": 8000, "problem": "wave2d"}
WEIGHTS = {"n": 8000, "k": 51}
LINE = {"neighbors": "k as set"}
GROWN = {"problem": "three gaussians", "n": 8000}
OF_GROWN = {"c1": 60, "bag_noise": 100, "inclusion": 100, "k": 20}
OF_WORLDS = {"eta0": 15, "probability_01_0": 15}

#: Controls that are moved near the start, and to the full picture: points are drawn anew, or balls
#: grow to their largest far away.
NEAR = {*REDRAWN, "c1"}

#: Labs, where they start, and the bar of each control that is moved.
MOVES: list[tuple[type[labs.Lab], dict[str, Any], dict[str, float]]] = [
    (labs.NeighborLab, LARGE, {"k": 5, "p1": 15, "n": COARSE, "seed": COARSE, "problem": COARSE}),
    (labs.NeighborLab, {"overlay": "effective boundary"} | WAVE, {"mass": 10, "margin": 10}),
    (labs.NeighborLab, {"overlay": "advantage"} | WAVE, {"mass_cap": 10}),
    (labs.NoiseLab, LARGE, {"k": 5, "k_noise": 5, "p1": 15, "n": COARSE}),
    (labs.WeightLab, {"problem": "three gaussians"} | WEIGHTS, {"q1": 5}),
    (labs.WeightLab, {"problem": "waves"} | WEIGHTS, {"q1": 5}),
    (labs.ImbalanceLab, {}, {"a": 5}),
    (labs.TuningLab, {"n": 1000}, {"q1": 8, "n_steps": 5, "step": 8, "k": 60}),
    (labs.ActiveLab, {"n": 1000}, {"labels": 15}),
    (labs.RatesLab, {"n": 100_000} | LINE, {"seed": COARSE}),
    (labs.RatesLab, {"n": 1_000_000} | LINE, {"seed": FULL}),
    (labs.EliminationLab, {"max_neighbors": 100} | GROWN, OF_GROWN),
    (labs.EliminationLab, {"max_neighbors": 400} | GROWN, OF_GROWN),
    (labs.LearnabilityLab, {"n": 2000, "model": "permutation", "beside": "swapped"}, OF_WORLDS),
    (labs.LearnabilityLab, {"n": 2000, "model": "two never apart"}, OF_WORLDS),
]


def rows(quick: bool) -> list[Row]:
    """All moves, each from where its lab starts."""
    found = []
    for kind, start, bars in MOVES:
        lab = kind(**start)
        _ = lab.widget
        settings = [f"{key}={value!r}" for key, value in start.items()]
        name = f"{kind.__name__}({', '.join(settings)})"
        for control, bar in bars.items():
            found += moved(lab.reset(), control, name, bar, 30 if quick else 200)
        lab.close()
    return found


def moved(lab: labs.Lab, control: str, name: str, bar: float, repeats: int) -> list[Row]:
    """The median of moves, each of which finds the lab at rest."""

    def move(value: Any) -> None:
        send(lab, "move", {control: value})

    def move_fully(value: Any) -> None:
        move(value)
        lab.readout()

    what = f"{name}: {lab.parameters[control].title} to the last byte"
    if control in NEAR:
        near = values(lab, control)
        return [
            Row(what, median_ms(move, near, 1, lab.readout), bar=bar),
            Row(f"{what}, full picture", median_ms(move_fully, near, 1), bar=FULL),
        ]
    steps = lab.parameters[control].steps(*lab.setting.ends[control])
    anywhere = np.random.default_rng(0).choice(steps, repeats).tolist()
    return [Row(what, median_ms(move, anywhere, 2, lab.readout), bar=bar)]
