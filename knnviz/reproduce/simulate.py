"""Samples of a distribution on a line, and how far the vote on each is from the Bayes rule, exactly."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple, Self

import numpy as np
from joblib import Parallel, delayed

from knnviz import checks
from knnviz.problems import Problem, Sample
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
        """Integrate over a fine grid; exact for the Bayes rule where its changes fall on edges of cells.

        Parameters
        ----------
        problem : Problem
            With a density on a line.

        Returns
        -------
        line : Line

        Raises
        ------
        ValueError
            For a problem without a density on a line.
        """
        sure = Antiderivative.of(without_doubt(problem))
        return cls(problem, Antiderivative.of(problem), sure, problem.bayes_risk())


def without_doubt(problem: Problem) -> Problem:
    """The problem with the Bayes rule for its labels, beyond doubt: there a risk is the disagreement with that rule.

    Parameters
    ----------
    problem : Problem
        With any number of classes.

    Returns
    -------
    sure : Problem
        The same marginal, and eta of 0 and 1.
    """
    return replace(problem, eta=lambda X: np.eye(problem.n_classes)[problem.bayes(X)], log_joint=None)


def votes_on_line(line: Line, n: int, k: int, runs: int, seed: int) -> np.ndarray:
    """Disagreement with the Bayes rule and excess risk of the plain vote of k among n, on each of several samples.

    Each run draws from a stream of its own, that of (seed, n, run); runs go side by side through joblib.

    Parameters
    ----------
    line : Line
        A problem with its integrals.
    n, k : int
        Sample size, and neighbors that vote, at most n.
    runs : int
        Samples.
    seed : int
        Seed of the samples.

    Returns
    -------
    risks : (runs, 2) array
        Disagreement and excess risk.

    Raises
    ------
    ValueError
        For n or k out of range.
    """
    work = (delayed(_vote)(line, n, k, np.random.default_rng([seed, n, each])) for each in range(runs))
    return np.array(Parallel(n_jobs=-1, prefer="threads")(work))


def _vote(line: Line, n: int, k: int, rng: np.random.Generator) -> tuple[float, float]:
    sample = line.problem.sample(n, rng)
    windows = Windows.of(sample.X)
    labels = Vote().predict(WindowProfile.count(windows, sample.y, line.problem.n_classes), k)
    excess = on_line(windows, labels, k, line.eta) - line.bayes_risk
    return on_line(windows, labels, k, line.bayes), excess


def over_samples(work: Callable[[Sample], Sequence], problem: Problem, n: int, repeats: int, seed: int) -> np.ndarray:
    """What ``work`` finds on each of several samples.

    Each run draws from a stream of its own, that of (seed, n, run); runs go side by side through joblib.

    Parameters
    ----------
    work : callable
        Takes a sample, and gives as many numbers for each.
    problem : Problem
        Where samples are from.
    n : int
        Sample size.
    repeats : int
        Samples, at least 2.
    seed : int
        Seed of the samples.

    Returns
    -------
    found : (repeats, ...) array

    Raises
    ------
    ValueError
        For fewer than 2 repeats, and for n out of range.
    """

    def one(run: int) -> Sequence:
        return work(problem.sample(n, np.random.default_rng([seed, n, run])))

    runs = range(checks.check_int("repeats", repeats, 2))
    return np.array(Parallel(n_jobs=-1, prefer="threads")(delayed(one)(run) for run in runs))


def estimate(name: str, values: np.ndarray) -> dict[str, float]:
    """Mean and standard error of what runs gave, as two columns of a row.

    Parameters
    ----------
    name : str
        The column of the mean; that of its error is ``name_se``.
    values : (runs,) array
        Two or more.

    Returns
    -------
    columns : dict of float
    """
    # From the first value, so that values without spread have none by rounding either.
    spread = np.std(np.asarray(values) - values[0], ddof=1)
    return {name: float(np.mean(values)), f"{name}_se": float(spread / np.sqrt(len(values)))}


def columns(found: np.ndarray, names: Sequence[str]) -> Row:
    """Means and standard errors of what was found, as columns of a row.

    Parameters
    ----------
    found : (repeats, len(names)) array
        A row for each sample.
    names : sequence of str
        Names of the means.

    Returns
    -------
    row : dict of float
    """
    row = {}
    for name, values in zip(names, found.T, strict=True):
        row |= estimate(name, values)
    return row


def title(problem: Problem) -> str:
    """A problem as it is called.

    Parameters
    ----------
    problem : Problem
        Its parameters are numbers.

    Returns
    -------
    title : str
        Its name and parameters.
    """
    return f"{problem.name}({', '.join(f'{name}={value:g}' for name, value in problem.parameters.items())})"
