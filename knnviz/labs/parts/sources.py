"""The problems that labs offer by name, and their cells and Bayes rules, computed once."""

from collections.abc import Callable, Container
from dataclasses import replace
from functools import cache, lru_cache
from typing import Any, NamedTuple, Protocol, TypeVar

from knnviz import problems
from knnviz.problems import Dataset, Problem
from knnviz.views import map as map_view
from knnviz.views.layers import Lines
from knnviz.views.names import class_name, feature_name

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
    "logistic": problems.logistic,
    "two levels": problems.two_level,
    "rare class": problems.rare,
    "one wave against the rest": lambda: problems.one_against_rest(problems.waves(), 0),
    "waves": problems.waves,
    "gaussians on a line": problems.gaussians,
    "zipf on a line": lambda: problems.gaussians(3, problems.zipf(3, 2)),
    "breast cancer": problems.breast_cancer,
    "iris": lambda: problems.bundled("iris"),
    "wine": lambda: problems.bundled("wine"),
    "digits 3 against 8": lambda: problems.bundled("digits 3 against 8"),
}

#: Further ones for labs on bags.
BAG_SOURCES: dict[str, Callable[[], Source]] = {
    "five gaussians": lambda: problems.gaussians(5, dimension=2),
    "thirds": problems.segments,
    "contested line": problems.contested,
    "five pieces": lambda: problems.segments(5, 0.6),
    "fractions 50 49 1": problems.constant,
    "fractions 40 30 30": lambda: problems.constant((0.4, 0.3, 0.3)),
    "worked example": lambda: problems.constant((1.0, 0.0, 0.0)),
    "digits 0 to 4": lambda: problems.bundled("digits 0 to 4"),
}

#: Those with three classes, and those with two.
THREE_CLASSES = ("waves", "three gaussians", "gaussians on a line", "zipf on a line", "iris", "wine")
TWO_CLASSES = tuple(name for name in SOURCES if name not in THREE_CLASSES)

#: Problems and data sets of readers' own, by their names in the menu.
OWN_SOURCES: dict[str, Source] = {}


class Field(NamedTuple):
    """The cells of a source: a ``Grid``; and, None for data, a ``Measure``, their probabilities, and eta (m, C)."""

    grid: Any
    measure: Any
    eta: Any


@cache
def problem_named(name: str) -> Source:
    """A problem or data set by its name in the menu, made once; names of own classes and features so that they fit."""
    makers = SOURCES | BAG_SOURCES
    if name in makers:
        return makers[name]()
    own = OWN_SOURCES[name]
    if isinstance(own, Problem):
        return own
    classes, features = map(class_name, own.table.class_names), map(feature_name, own.table.feature_names)
    return replace(own, table=replace(own.table, class_names=tuple(classes), feature_names=tuple(features)))


#: Rows of a table that a lab takes: with these a move takes about a second.
MOST_ROWS = 1_000_000


def check_rows(rows: int) -> None:
    """Raise ValueError for more rows than a lab takes."""
    if rows > MOST_ROWS:
        raise ValueError(f"a lab takes at most {MOST_ROWS:,} rows, got {rows:,}: give it a sample of them")


class Described(Protocol):
    """What has a name, and a description that tells it from all others."""

    @property
    def name(self) -> str: ...
    def spec(self) -> dict[str, Any]: ...


D = TypeVar("D", bound=Described)


def register(source: D, own: dict[str, D], taken: Container[str]) -> str:
    """Give what is the reader's own a name in the menu, and put it among ``own``: numbered if the name is taken."""
    name, number = source.name, 1
    while name in taken or own.setdefault(name, source).spec() != source.spec():
        number += 1
        name = f"{source.name} ({number})"
    return name


@lru_cache(maxsize=12)
def field(name: str, resolution: int) -> Field:
    """The cells of a source by name, kept for the last few that were asked for."""
    source = problem_named(name)
    if source.eta is None:
        return Field(source.grid(resolution), None, None)
    measure, eta = source.cells(resolution)
    return Field(measure.grid, measure, eta)


class Truth(NamedTuple):
    """``measure`` and ``eta`` as in ``Field``, and the Bayes risk, None if unknown; the Bayes boundary, None on a line.

    Where eta is unknown, the boundary is a layer without points.
    """

    measure: Any
    eta: Any
    bayes_risk: float | None
    boundary: Lines | None


def truth(name: str, resolution: int) -> Truth:
    """The Bayes rule of a source by name, on a grid of its own."""
    source = problem_named(name)
    if source.eta is None:
        return Truth(None, None, None, map_view.bayes_boundary(source))
    measure, eta = source.cells(resolution)
    risk = float(measure.weights @ (1 - eta.max(axis=1)))
    boundary = map_view.bayes_boundary(source, resolution, eta) if source.dimension == 2 else None
    return Truth(measure, eta, risk, boundary)
