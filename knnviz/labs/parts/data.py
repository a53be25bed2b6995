"""A sample of a problem from the menu, and the distribution if it is known."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from knnviz.labs.engine import ByName, Choice, Int, Memo, Range, Seed, Values
from knnviz.labs.parts.sources import SOURCES, Source, named
from knnviz.neighbors import SpatialIndex
from knnviz.problems import Dataset, Sample
from knnviz.views import map as map_view
from knnviz.views.layers import Lines

#: Cells along each side, by dimension, for a preview of the Bayes risk and the Bayes boundary.
PREVIEW = {1: 2000, 2: 60}

PROBLEM = Choice("problem", SOURCES, "*problem*", "Where the points come from")
N = Int("n", 2000, 50, 8000, "sample size *n*", "Number of training points", step=50)
SEED = Seed("Another seed draws another sample")
PARAMETERS = ("Data", PROBLEM, N, SEED)


def next_seed(lab: Any) -> None:
    """Draw anew."""
    lab.set(seed=lab.seed + 1)


BUTTONS = (("New sample", "Draw the points again with the next seed", next_seed),)


def ranges(values: ByName) -> dict[str, Any]:
    """n is at most the size of the training part of a data set."""
    source = named(values["problem"])
    most = source.max_size
    if not most:
        return {}
    return {"n": Range((source.least_size, most), f"{most} points are for training")}


def sizes_from(least: int, sizes: Sequence[int], source: Source) -> list[int]:
    """The ascending ``sizes`` that a source can have, from ``least`` on, and its largest, if it is
    smaller than their last.
    """
    most = min(source.max_size or sizes[-1], sizes[-1])
    return [size for size in sorted({*sizes, most}) if least <= size <= most]


class Truth(NamedTuple):
    """The known distribution: probabilities of fine cells, eta there, the Bayes risk and boundary.

    Without it the first three are None, and the boundary is a layer without points; on a line it is
    None.
    """

    weights: Any = None
    eta: Any = None
    bayes_risk: Any = None
    boundary: Lines | None = None


@dataclass(frozen=True)
class Data:
    """A problem or a data set, a sample of it, and its distribution.

    ``source`` differs from ``problem`` only for a data set, which the seed splits into training and
    test points.
    """

    problem: Source
    source: Any
    sample: Sample
    index: SpatialIndex
    truth: Truth


def data(p: Values, memo: Memo, sample: Sample | None = None, with_truth: bool = True) -> Data:
    """The source that is chosen, and a sample of it, unless another one is given; ``with_truth``
    its distribution.
    """
    problem = named(p.problem)
    source: Any = memo(problem.with_seed, p.seed)
    if sample is None:
        drawn_by = () if isinstance(source, Dataset) else (p.seed,)
        sample = memo(source.sample, p.n, *drawn_by)
    index = memo(SpatialIndex, sample.X)
    known = known_truth(p, memo, problem) if with_truth else Truth()
    return Data(problem, source, sample, index, known)


def known_truth(p: Values, memo: Memo, problem: Source) -> Truth:
    """The known distribution: on few cells first."""
    line = p.resolution.integral_cells[0]
    plane = 2 * p.resolution.map_cells[1]
    finest = {1: line, 2: plane}[problem.dimension]
    if not problem.eta:
        return memo.refine(truth, [finest], problem)
    coarse = min(PREVIEW[problem.dimension], finest)
    return memo.refine(truth, sorted({coarse, finest}), problem)


def truth(n_cells: int, problem: Source) -> Truth:
    """The known distribution of a problem, at ``n_cells`` cells along each side."""
    if problem.eta is None:
        return Truth(boundary=map_view.bayes_boundary(problem))
    measure, eta = problem.cells(n_cells)
    boundary = None
    if problem.dimension == 2:
        boundary = map_view.bayes_boundary(problem, eta)
    bayes_risk = measure.weights @ (1 - eta.max(axis=1))
    return Truth(measure.weights, eta, float(bayes_risk), boundary)
