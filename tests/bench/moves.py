"""Labs without a browser: from a change of a control to the last byte handed to the page."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from controls import send
from rows import Row, median_ms

from knnviz.labs import (
    ActiveLab,
    EliminationLab,
    ImbalanceLab,
    Lab,
    LearnabilityLab,
    NeighborLab,
    NoiseLab,
    RatesLab,
    TuningLab,
    WeightLab,
)

#: Sizes and seeds to move to, and milliseconds to a coarse picture and to the full one.
SIZES, SEEDS, COARSE, FULL = [4000, 8000, 7950, 7900, 7850, 7800], list(range(1, 7)), 150, 1000


class Moves(NamedTuple):
    """A control, or a panel where values are places in it, and the bar; ``full`` waits for all cells."""

    control: str
    values: list[Any]
    bar: float | None = None
    full: bool = False
    warm: int = 2

    def row(self, lab: Lab, name: str) -> Row:
        """The median of the moves, each of which finds the lab at rest."""
        in_panel = self.control not in lab.parameters

        def move(value: Any) -> None:
            send(lab, *(["pick", self.control, *value, None, 0] if in_panel else ["move", {self.control: value}]))
            if self.full:
                lab.readout()

        what = self.control if in_panel else lab.parameters[self.control].title
        value = "" if self.warm else f" {self.values[0]}"
        what = f"{name}: {what}{value} to the last byte{', full picture' if self.full else ''}"
        return Row(what, median_ms(move, self.values, self.warm, lab.readout), bar=self.bar)


def rows(quick: bool) -> list[Row]:
    """All moves, each from where its lab starts."""
    found = []
    for kind, start, moves in declared(30 if quick else 200):
        lab = kind(**start)
        _ = lab.widget
        name = f"{kind.__name__}({', '.join(f'{key}={value!r}' for key, value in start.items())})"
        found += [each.row(lab.reset(), name) for each in moves]
        lab.close()
    return found


def with_full(control: str, values: list[Any], warm: int = 2) -> list[Moves]:
    """Moves to the coarse picture, and to the full one."""
    return [Moves(control, values, COARSE, warm=warm), Moves(control, values, FULL, full=True, warm=warm)]


def declared(repeats: int) -> Iterator[tuple[type[Lab], dict[str, Any], list[Moves]]]:
    """Labs, where they start, and what is moved in each of them."""
    rng, few = np.random.default_rng(0), max(repeats // 10, 5)
    odd = (2 * rng.integers(0, 100, repeats) + 1).tolist()

    def hundredths(low: int, high: int, count: int = repeats) -> list[float]:
        return (rng.integers(low, high, count) / 100).tolist()

    problems = [each for name in ("wave2d", "moons", "spirals", "jump") for each in with_full("problem", [name], 0)]
    masses = (0.005 * rng.integers(1, 50, repeats)).round(3).tolist()
    yield (
        NeighborLab,
        {"n": 8000},
        [
            Moves("k", odd, 5),
            Moves("p1", hundredths(0, 45), 15),
            Moves("x1", hundredths(0, 101)),
            *with_full("n", SIZES),
            *with_full("seed", SEEDS),
            *problems,
        ],
    )
    wave = {"n": 8000, "problem": "wave2d"}
    boundary = [Moves("mass", masses, 10), Moves("margin", hundredths(0, 50), 10)]
    yield NeighborLab, wave | {"overlay": "effective boundary"}, boundary
    yield NeighborLab, wave | {"overlay": "advantage"}, [Moves("mass_cap", masses, 10)]
    k_noises = rng.integers(1, 401, repeats).tolist()
    robust = [Moves("k", odd, 5), Moves("k_noise", k_noises, 5), Moves("p1", hundredths(0, 60), 15)]
    yield NoiseLab, {"n": 8000}, [*robust, *with_full("n", SIZES)]
    for problem in ("three gaussians", "waves"):
        yield WeightLab, {"n": 8000, "problem": problem, "k": 51}, [Moves("q1", hundredths(5, 96), 5)]
    for rule in ("Bayes rule", "kNN"):
        yield ImbalanceLab, {"n": 1000, "rule": rule}, [Moves("a", hundredths(0, 101), 5)]
    angles = np.linspace(0, 2 * np.pi, repeats)
    circle = list(zip(0.5 + 0.08 * np.cos(angles), 0.35 + 0.08 * np.sin(angles), strict=True))
    yield (
        TuningLab,
        {"n": 1000},
        [
            Moves("triangle", circle, 8),
            Moves("n_steps", rng.integers(0, 51, repeats).tolist(), 5),
            Moves("step", hundredths(1, 21), 8),
            Moves("k", (50 + 10 * np.sin(angles)).round().astype(int).tolist(), 60),
        ],
    )
    fractions = Moves("passive_fraction", hundredths(1, 100, few))
    yield ActiveLab, {"n": 1000}, [Moves("step", rng.integers(0, 1003, repeats).tolist(), 15), fractions]
    yield (
        ActiveLab,
        {"problem": "wave2d", "n": 2000, "m": 2000},
        [Moves("step", rng.integers(0, 2005, repeats).tolist()), fractions],
    )
    ks = Moves("k", rng.choice([100, 200, 300, 500, 700, 1000, 2000, 3000], repeats).tolist())
    rates = Moves("p1", hundredths(0, 49, few))
    sizes = Moves("n", [50_000, 100_000, 70_000, 100_000, 70_000, 100_000], COARSE)
    yield RatesLab, {"n": 100_000, "neighbors": "k as set"}, [ks, rates, sizes]
    yield RatesLab, {"n": 1_000_000, "neighbors": "k as set"}, [ks, rates, Moves("seed", SEEDS, FULL, full=True)]
    for most in (100, 400):
        yield (
            EliminationLab,
            {"problem": "five gaussians", "n": 8000, "max_neighbors": most},
            [
                Moves("c1", (0.05 * rng.integers(4, 21, repeats)).round(2).tolist(), 60),
                Moves("bag_noise", hundredths(0, 90), 100),
                Moves("inclusion", hundredths(0, 90), 100),
                Moves("k", rng.integers(1, most, repeats).tolist(), 20),
            ],
        )
    worlds = [Moves("eta0", hundredths(1, 100), 15), Moves("probability_01_0", hundredths(1, 100), 15)]
    yield LearnabilityLab, {"n": 2000, "model": "permutation", "beside": "swapped"}, worlds
    yield LearnabilityLab, {"n": 2000, "model": "two never apart", "beside": "same bags"}, worlds
