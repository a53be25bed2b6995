"""Labs without a browser: from a change of a control to the last byte handed to the page."""

from collections.abc import Iterator
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np
from controls import send
from rows import Row, median_ms

from knnviz import labs

#: Milliseconds to a coarse picture and to the full one.
COARSE = 150
FULL = 1000


class Moves(NamedTuple):
    """A control, or a panel where values are places in it, and the bar; ``full`` waits for all
    cells.
    """

    control: str
    values: list[Any]
    bar: float
    full: bool = False

    def row(self, lab: labs.Lab, name: str) -> Row:
        """The median of the moves, each of which finds the lab at rest; a single move is measured
        as it comes.
        """
        in_panel = self.control not in lab.parameters
        warm = min(len(self.values) - 1, 2)

        def move(value: Any) -> None:
            if in_panel:
                send(lab, "pick", self.control, *value, None, 0)
            else:
                send(lab, "move", {self.control: value})
            if self.full:
                lab.readout()

        what = self.control if in_panel else lab.parameters[self.control].title
        if not warm:
            what += f" {self.values[0]}"
        end = ", full picture" if self.full else ""
        took = median_ms(move, self.values, warm, lab.readout)
        return Row(f"{name}: {what} to the last byte{end}", took, bar=self.bar)


def rows(quick: bool) -> list[Row]:
    """All moves, each from where its lab starts."""
    found = []
    of_labs = groupby(declared(30 if quick else 200), key=lambda each: each[:2])
    for (kind, start), moves in of_labs:
        lab = kind(**start)
        _ = lab.widget
        settings = [f"{key}={value!r}" for key, value in start.items()]
        name = f"{kind.__name__}({', '.join(settings)})"
        found += [each.row(lab.reset(), name) for *_, each in moves]
        lab.close()
    return found


def declared(repeats: int) -> Iterator[tuple[type[labs.Lab], dict[str, Any], Moves]]:
    """Labs, where they start, and what is moved in each of them."""
    rng = np.random.default_rng(0)
    angles = np.linspace(0, 2 * np.pi, repeats)

    def drawn(low: float, high: float, step: float = 0.01) -> list[float]:
        """Multiples of a step between two ends, which are among them."""
        steps = rng.integers(round(low / step), round(high / step), repeats, endpoint=True)
        return (step * steps).round(3).tolist()

    def whole(low: int, high: int) -> list[int]:
        return rng.integers(low, high, repeats, endpoint=True).tolist()

    large = {"n": 8000}
    wave = {"n": 8000, "problem": "wave2d"}
    seeds = list(range(1, 7))
    ks = [2 * half + 1 for half in whole(0, 99)]
    sizes = [4000, 8000, 7950, 7900, 7850, 7800]

    yield labs.NeighborLab, large, Moves("k", ks, 5)
    yield labs.NeighborLab, large, Moves("p1", drawn(0, 0.44), 15)
    redrawn: list[tuple[str, list[Any]]] = [("n", sizes), ("seed", seeds)]
    redrawn += [("problem", [each]) for each in ("wave2d", "moons", "spirals", "jump")]
    for name, values in redrawn:
        yield labs.NeighborLab, large, Moves(name, values, COARSE)
        yield labs.NeighborLab, large, Moves(name, values, FULL, full=True)
    boundary = wave | {"overlay": "effective boundary"}
    yield labs.NeighborLab, boundary, Moves("mass", drawn(0.005, 0.245, 0.005), 10)
    yield labs.NeighborLab, boundary, Moves("margin", drawn(0, 0.49), 10)
    advantage = wave | {"overlay": "advantage"}
    yield labs.NeighborLab, advantage, Moves("mass_cap", drawn(0.005, 0.245, 0.005), 10)

    yield labs.NoiseLab, large, Moves("k", ks, 5)
    yield labs.NoiseLab, large, Moves("k_noise", whole(1, 200), 5)
    yield labs.NoiseLab, large, Moves("p1", drawn(0, 0.59), 15)
    yield labs.NoiseLab, large, Moves("n", sizes, COARSE)
    yield labs.NoiseLab, large, Moves("n", sizes, FULL, full=True)

    for problem in ("three gaussians", "waves"):
        start = {"n": 8000, "problem": problem, "k": 51}
        yield labs.WeightLab, start, Moves("q1", drawn(0.05, 0.95), 5)
    small = {"n": 1000}
    yield labs.ImbalanceLab, {}, Moves("a", drawn(0, 1), 5)
    around = zip(0.5 + 0.08 * np.cos(angles), 0.35 + 0.08 * np.sin(angles), strict=True)
    yield labs.TuningLab, small, Moves("triangle", list(around), 8)
    yield labs.TuningLab, small, Moves("n_steps", whole(0, 50), 5)
    yield labs.TuningLab, small, Moves("step", drawn(0.01, 0.2), 8)
    near_50 = (50 + 10 * np.sin(angles)).round().astype(int).tolist()
    yield labs.TuningLab, small, Moves("k", near_50, 60)
    yield labs.ActiveLab, small, Moves("labels", whole(1000, 2000), 15)

    many = [50_000, 100_000, 70_000, 100_000, 70_000, 100_000]
    start = {"n": 100_000, "neighbors": "k as set"}
    yield labs.RatesLab, start, Moves("n", many, COARSE)
    start = {"n": 1_000_000, "neighbors": "k as set"}
    yield labs.RatesLab, start, Moves("seed", seeds, FULL, full=True)

    for most in (100, 400):
        start = {"problem": "three gaussians", "n": 8000, "max_neighbors": most}
        yield labs.EliminationLab, start, Moves("c1", drawn(0.2, 1, 0.05), 60)
        yield labs.EliminationLab, start, Moves("bag_noise", drawn(0, 0.89), 100)
        yield labs.EliminationLab, start, Moves("inclusion", drawn(0, 0.89), 100)
        yield labs.EliminationLab, start, Moves("k", whole(1, most - 1), 20)
    for model, beside in (("permutation", "swapped"), ("two never apart", "same bags")):
        start = {"n": 2000, "model": model, "beside": beside}
        yield labs.LearnabilityLab, start, Moves("eta0", drawn(0.01, 0.99), 15)
        yield labs.LearnabilityLab, start, Moves("probability_01_0", drawn(0.01, 0.99), 15)
