"""Sources: the problems and data sets that labs offer by name, with their cells and Bayes rules."""

from collections.abc import Callable, Container
from dataclasses import replace
from functools import cache, lru_cache
from typing import Any, NamedTuple

from knnviz import problems
from knnviz.problems import Dataset, Problem
from knnviz.views import map as map_view
from knnviz.views.layers import Lines
from knnviz.views.names import class_name, feature_name

Source = Problem | Dataset

#: Sources by their names in menus: problems in the plane, then on a line, then data sets.
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
    "two levels": lambda: problems.jump(0.17),
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

#: Further sources, for labs on bags.
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

#: Names in ``SOURCES`` with three classes, and with two.
THREE_CLASSES = ("waves", "three gaussians", "gaussians on a line", "zipf on a line", "iris", "wine")
TWO_CLASSES = tuple(name for name in SOURCES if name not in THREE_CLASSES)

#: The reader's own problems and data sets, by their names in menus.
OWN_SOURCES: dict[str, Source] = {}


class Field(NamedTuple):
    """The m cells of a source: their ``Grid``, a ``Measure`` with their probabilities, and eta (m, C) at them.

    A data set has only a grid.
    """

    grid: Any
    measure: Any
    eta: Any


@cache
def problem_named(name: str) -> Source:
    """A problem or data set by its name in the menu; the class and feature names of the reader's own are shortened."""
    makers = SOURCES | BAG_SOURCES
    if name in makers:
        return makers[name]()
    own = OWN_SOURCES[name]
    if isinstance(own, Problem):
        return own
    classes, features = map(class_name, own.table.class_names), map(feature_name, own.table.feature_names)
    return replace(own, table=replace(own.table, class_names=tuple(classes), feature_names=tuple(features)))


#: Most rows of a table: with these a lab takes about a second to answer.
MAX_ROWS = 1_000_000


def check_rows(rows: int) -> None:
    """Raise ValueError for more than ``MAX_ROWS``."""
    if rows > MAX_ROWS:
        raise ValueError(f"a lab takes at most {MAX_ROWS:,} rows, got {rows:,}: give it a sample of them")


def register(source: Any, own: dict[str, Any], taken: Container[str]) -> str:
    """Put the reader's own problem or data into ``own``; return its name in menus, with a number if that is ``taken``.

    A source has a ``name``, and a ``spec()`` that differs from that of any other source.
    """
    name, number = source.name, 1
    while name in taken or own.setdefault(name, source).spec() != source.spec():
        number += 1
        name = f"{source.name} ({number})"
    return name


@lru_cache(maxsize=12)
def field(name: str, resolution: int) -> Field:
    """The cells of a source by name, ``resolution`` along each side; cached for the last few calls."""
    source = problem_named(name)
    if source.eta is None:
        return Field(source.grid(resolution), None, None)
    measure, eta = source.cells(resolution)
    return Field(measure.grid, measure, eta)


class Truth(NamedTuple):
    """The known distribution of a source: ``measure`` and ``eta`` as in ``Field``, the Bayes risk and boundary.

    For a data set the first three are None, and the boundary is a layer without points; on a line it is None.
    """

    measure: Any
    eta: Any
    bayes_risk: float | None
    boundary: Lines | None


def truth(name: str, resolution: int) -> Truth:
    """The known distribution of a source by name, at ``resolution`` cells along each side."""
    source = problem_named(name)
    if source.eta is None:
        return Truth(None, None, None, map_view.bayes_boundary(source))
    measure, eta = source.cells(resolution)
    risk = float(measure.weights @ (1 - eta.max(axis=1)))
    boundary = map_view.bayes_boundary(source, resolution, eta) if source.dimension == 2 else None
    return Truth(measure, eta, risk, boundary)
