"""What the runs share: samples drawn in parallel, exact risks on a line, and rows of means with
their errors.

On a line the k nearest points are consecutive, a window. Risks there are integrals over what each
window decides.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Self

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import ArrayLike
from tqdm import tqdm

from knnviz.neighbors import Windows
from knnviz.problems import Problem, Sample
from knnviz.profiles import WindowProfile
from knnviz.risk import Antiderivative, FittedRate, on_line
from knnviz.rules import Vote

#: A row of a table by column: numbers and strings. A column ``x_se`` holds the standard errors of
#: the column ``x``.
Row = dict[str, Any]

#: What a run gives: rows by the name of a table.
Tables = dict[str, list[Row]]


class Line(NamedTuple):
    """A problem on a line, with integrals of its class probabilities and of its Bayes rule."""

    problem: Problem
    eta: Antiderivative
    bayes: Antiderivative
    bayes_risk: float

    @classmethod
    def build(cls, problem: Problem) -> Self:
        """Integrate a density on a line over a fine grid."""
        eta = Antiderivative.build(problem)
        bayes = Antiderivative.build(problem, rule=problem.bayes)
        return cls(problem, eta, bayes, problem.bayes_risk())


def window_votes(sample: Sample, n_classes: int) -> WindowProfile:
    """Votes in every window of k consecutive points of a sample on a line."""
    return WindowProfile.build(Windows.from_points(sample.X), sample.y, n_classes)


def vote_errors(line: Line, k: int, n: int, runs: int, seed: int) -> np.ndarray:
    """Disagreement with the Bayes rule and excess risk (runs, 2) of votes of k among n."""

    def errors(sample: Sample) -> tuple[float, float]:
        votes = window_votes(sample, line.problem.n_classes)
        labels = Vote().predict(votes, k)
        breaks = votes.windows.breakpoints(k)
        disagreement = on_line(line.bayes, breaks, labels)
        risk = on_line(line.eta, breaks, labels)
        return disagreement, risk - line.bayes_risk

    return over_samples(errors, line.problem, n, runs, seed)


def over_runs(work: Callable[[Any], Any], runs: Sequence, progress: bool = False) -> list:
    """Results of ``work`` on each run, in their order; runs are in parallel, through joblib."""
    parallel = Parallel(n_jobs=-1, prefer="threads", return_as="generator")
    found = parallel(delayed(work)(run) for run in runs)
    return list(tqdm(found, "samples", len(runs), disable=not progress))


def over_streams(
    work: Callable[[np.random.Generator], Any],
    n: int,
    repeats: int,
    seed: int,
    progress: bool = False,
) -> list:
    """Results of ``work`` in each of several runs, with the random stream of (seed, n, run)."""
    streams = [np.random.default_rng([seed, n, run]) for run in range(repeats)]
    return over_runs(work, streams, progress)


def over_samples(
    work: Callable[[Sample], ArrayLike],
    problem: Problem,
    n: int,
    repeats: int,
    seed: int,
    progress: bool = False,
) -> np.ndarray:
    """Results of ``work`` on each of several samples of size n, as an array (repeats, ...)."""

    def on_sample(rng: np.random.Generator) -> ArrayLike:
        return work(problem.sample(n, rng))

    return np.array(over_streams(on_sample, n, repeats, seed, progress))


def mean_and_error(name: str, values: np.ndarray) -> Row:
    """Mean and standard error of two or more values, as columns ``name`` and ``name_se``."""
    # From the first value, so that values without spread have none by rounding either.
    offsets = np.asarray(values) - values[0]
    spread = np.std(offsets, ddof=1)
    error = spread / np.sqrt(len(values))
    return with_error(name, float(np.mean(values)), float(error))


def with_error(name: str, value: float | None, error: float | None) -> Row:
    """A value and its standard error, as two columns of a row."""
    return {name: value, f"{name}_se": error}


def quantile_and_error(name: str, values: np.ndarray, fraction: float) -> Row:
    """A quantile ``name`` of values, and its error ``name_se``.

    This is half the distance of the quantiles one standard error of the fraction below and above
    it.
    """
    error = math.sqrt(fraction * (1 - fraction) / len(values))
    low = max(fraction - error, 0)
    high = min(fraction + error, 1)
    below, found, above = np.quantile(values, [low, fraction, high])
    return with_error(name, found, (above - below) / 2)


def means_and_errors(found: np.ndarray, names: Sequence[str]) -> Row:
    """Means and standard errors of what was found (repeats, len(names)), as columns of a row."""
    row: Row = {}
    for name, values in zip(names, found.T, strict=True):
        row |= mean_and_error(name, values)
    return row


def maxima(found: np.ndarray, names: Sequence[str]) -> Row:
    """The largest of what was found (repeats, len(names)), as columns ``largest_name``."""
    columns = (f"largest_{name}" for name in names)
    return dict(zip(columns, found.max(axis=0), strict=True))


def fitted_exponent(name: str, n: np.ndarray, means: np.ndarray, errors: np.ndarray) -> Row:
    """The exponent of a power of 1 / n fitted to means, and its error; None without a fit."""
    rate = FittedRate.fit(n, means, errors)
    if rate is None:
        return with_error(name, None, None)
    return with_error(name, rate.exponent, rate.error)


def grouped(rows: Sequence[Row], *names: str) -> dict[tuple, list[Row]]:
    """Rows by their values in these columns, in the order in which they first occur."""
    groups: dict[tuple, list[Row]] = {}
    for row in rows:
        key = tuple(row[name] for name in names)
        groups.setdefault(key, []).append(row)
    return groups


def title(problem: Problem) -> str:
    """Name and parameters of a problem."""
    parameters = [f"{name}={value:g}" for name, value in problem.parameters.items()]
    return f"{problem.name}({', '.join(parameters)})"
