"""The problems that labs offer by name, and what is computed of them once."""

from collections.abc import Callable
from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np

from knnviz import problems
from knnviz.problems import Dataset, Grid, Problem

Source = Problem | Dataset

#: Names in the menu, the plane first, then the line, then data.
SOURCES: dict[str, Callable[[], Source]] = {
    "checkerboard": problems.checkerboard,
    "wave2d": problems.wave2d,
    "moons": problems.moons,
    "spirals": problems.spirals,
    "three gaussians": lambda: problems.gaussians(3, dimension=2),
    "jump": problems.jump,
    "linear": problems.linear,
    "bump": problems.bump,
    "power": problems.power,
    "plateau": lambda: problems.plateau(0.1, 0.3),
    "two levels": problems.two_level,
    "waves": problems.waves,
    "gaussians on a line": problems.gaussians,
    "breast cancer": problems.breast_cancer,
    "iris": lambda: problems.bundled("iris"),
    "wine": lambda: problems.bundled("wine"),
    "digits 3 against 8": lambda: problems.bundled("digits 3 against 8"),
}


class Field(NamedTuple):
    """The cells of a source: their grid, and where the distribution is known their eta (m, C) and weights (m,)."""

    grid: Grid
    eta: np.ndarray | None
    weights: np.ndarray


@cache
def known(name: str) -> Source:
    """A source by name, made once."""
    return SOURCES[name]()


@lru_cache(maxsize=8)
def field(name: str, resolution: int) -> Field:
    """The cells of a source by name, kept for the last few that were asked for."""
    source = known(name)
    grid = source.grid(resolution)
    if source.eta is None:
        return Field(grid, None, np.full(len(grid.points), 1 / len(grid.points)))
    return Field(grid, source.eta(grid.points), source.measure(resolution).weights)


@cache
def bayes_risk(name: str) -> float | None:
    """R* of a source by name, None where the distribution is not known."""
    source = known(name)
    return None if source.eta is None else source.bayes_risk()
