"""Samples of a distribution on a line, and how far the vote on each is from the Bayes rule, exactly."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, Self

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import ArrayLike
from tqdm import tqdm

from knnviz import checks, risk
from knnviz.corruption import LabelNoise
from knnviz.problems import Problem, Sample
from knnviz.problems.base import FINE_GRID
from knnviz.profiles import WindowProfile
from knnviz.reproduce.registry import Row
from knnviz.risk import Antiderivative, on_line
from knnviz.rules import Vote
from knnviz.windows import Windows


class Line(NamedTuple):
    """A problem on a line with what its integrals need: of eta, and of the Bayes rule."""

    problem: Problem
    eta: Antiderivative
    bayes: Antiderivative
    bayes_risk: float

    @classmethod
    def of(cls, problem: Problem) -> Self:
        """Integrate a density on a line over a fine grid.

        Exact for the Bayes rule where its changes fall on edges of cells.
        """
        labels = Antiderivative.of(bayes_labels(problem))
        return cls(problem, Antiderivative.of(problem), labels, problem.bayes_risk())


def bayes_labels(problem: Problem) -> Problem:
    """The same marginal with the labels of the Bayes rule: a risk there is the disagreement with that rule."""
    return replace(problem, eta=lambda X: np.eye(problem.n_classes)[problem.bayes(X)], log_joint=None)


def votes_on_line(line: Line, n: int, k: int, runs: int, seed: int) -> np.ndarray:
    """Disagreement with the Bayes rule and excess risk (runs, 2) of the vote of k among n, on several samples."""
    return over_samples(lambda sample: _vote(line, sample, k), line.problem, n, runs, seed)


def _vote(line: Line, sample: Sample, k: int) -> tuple[float, float]:
    windows = Windows.of(sample.X)
    labels = Vote().predict(WindowProfile.count(windows, sample.y, line.problem.n_classes), k)
    excess = on_line(windows, labels, k, line.eta) - line.bayes_risk
    return on_line(windows, labels, k, line.bayes), excess


def over_runs(work: Callable[[Any], Any], runs: Sequence, progress: bool = False) -> list:
    """Results of ``work`` on each run, in their order; runs are in parallel, through joblib."""
    found = Parallel(n_jobs=-1, prefer="threads", return_as="generator")(delayed(work)(run) for run in runs)
    return list(tqdm(found, "samples", len(runs), disable=not progress))


def over_streams(
    work: Callable[[np.random.Generator], Any], n: int, repeats: int, seed: int, progress: bool = False
) -> list:
    """Results of ``work`` in each of several runs, with the random stream of (seed, n, run)."""
    streams = [np.random.default_rng([seed, n, run]) for run in range(checks.check_int("repeats", repeats, 2))]
    return over_runs(work, streams, progress)


def over_samples(
    work: Callable[[Sample], ArrayLike], problem: Problem, n: int, repeats: int, seed: int, progress: bool = False
) -> np.ndarray:
    """Results of ``work`` on each of several samples of size n, as an array (repeats, ...)."""

    return np.array(over_streams(lambda rng: work(problem.sample(n, rng)), n, repeats, seed, progress))


def limit_risks(problem: Problem, noise: LabelNoise, resolution: int = FINE_GRID[1]) -> list[Row]:
    """Risks on true and on noisy labels of the limit of kNN, then of the Bayes rule."""
    measure, eta = problem.cells(resolution)
    observed = noise.corrupt(eta)
    return [
        {"risk": risk.exact(labels, eta, measure.weights)}
        | {"noisy_risk": risk.exact(labels, observed, measure.weights)}
        for labels in (risk.vote_labels(observed), problem.bayes(measure.points))
    ]


def estimate(name: str, values: np.ndarray) -> dict[str, float]:
    """Mean ``name`` and standard error ``name_se`` of two or more values, as two columns of a row."""
    # From the first value, so that values without spread have none by rounding either.
    spread = np.std(np.asarray(values) - values[0], ddof=1)
    return {name: float(np.mean(values)), f"{name}_se": float(spread / np.sqrt(len(values)))}


def quantile(name: str, values: np.ndarray, fraction: float) -> Row:
    """A quantile ``name`` of values, and ``name_se``.

    The error is half the distance of the quantiles one standard error of the fraction below and above it.
    """
    error = math.sqrt(fraction * (1 - fraction) / len(values))
    below, found, above = np.quantile(values, [max(fraction - error, 0), fraction, min(fraction + error, 1)])
    return {name: found, f"{name}_se": (above - below) / 2}


def columns(found: np.ndarray, names: Sequence[str]) -> Row:
    """Means and standard errors of what was found (repeats, len(names)), as columns of a row."""
    row: Row = {}
    for name, values in zip(names, found.T, strict=True):
        row |= estimate(name, values)
    return row


def title(problem: Problem) -> str:
    """Name and parameters of a problem."""
    return f"{problem.name}({', '.join(f'{name}={value:g}' for name, value in problem.parameters.items())})"
