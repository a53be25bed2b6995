"""Monte Carlo risk curves, which fill in as pieces of work are done."""

import warnings
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from typing import Any, Literal

import numpy as np
from joblib import Parallel, delayed
from tqdm import tqdm

from knnviz.checks import Seed, check_int, check_ints, check_k, check_seed, require, shown
from knnviz.neighbors import Windows
from knnviz.neighbors.windows import distinct
from knnviz.noise import LabelNoise
from knnviz.problems import FULL_RESOLUTION, Dataset, Problem, Resolution
from knnviz.risk.curves import RiskCurve
from knnviz.risk.integrals import Antiderivative
from knnviz.risk.limits import CLEAN, check_noise
from knnviz.risk.sweeps import sweep, sweep_line
from knnviz.rules import Rule

#: Most pieces of work at a time.
MOST_JOBS = 1000

#: The values that a curve runs over.
Over = Mapping[Literal["k", "n"], Sequence[int]]

#: k at each n of a curve over n.
Ks = int | Sequence[int] | Callable[[int], int] | None

#: One rule, or several: named by the caller, or by how they print.
Rules = Rule | Mapping[str, Rule] | Sequence[Rule]


def curve(
    problem: Problem | Dataset,
    rules: Rules,
    *,
    over: Over,
    k: Ks = None,
    n: int | None = None,
    noise: LabelNoise = CLEAN,
    repeats: int | None = None,
    flips: int = 1,
    seed: Seed = 0,
    resolution: Resolution = FULL_RESOLUTION,
    n_jobs: int | None = None,
    progress: bool | None = None,
) -> RiskCurve:
    """Risk of rules on fresh samples, over k or over n.

    Raises ValueError for values out of range, such as k > n, and for noise on more than two
    classes.

    Parameters
    ----------
    problem : Problem or Dataset
        A ``Dataset`` is split anew in each repeat, and its risk is the error on the test part. On a
        line the risk is integrated between breakpoints (see ``on_line``), unless points coincide;
        else on cells.
    rules : rule, sequence of rules, or mapping of names to rules
        Unnamed rules are named by their ``repr``.
    over : {"k": values} or {"n": values}
        Over k, give ``n``. Over n, give ``k``: one number, one for each n, or a function of n.
    noise : LabelNoise
        Noise on the labels that the rules read; risks count errors on true labels.
    repeats, flips : int
        Samples, by default those of ``resolution``, and draws of noise on each of them.
    seed : int or Generator
        Each sample is drawn with its own child of the seed.
    resolution : Resolution
        Its ``integral_cells`` are those on which risks are measured.
    n_jobs : int, optional
        Pieces of work go through joblib: this, or ``joblib.parallel_config`` with a back-end,
        chooses where they run. The numbers do not depend on it.
    progress : bool, optional
        Whether to show a bar; by default in a terminal only.

    Examples
    --------
    >>> from knnviz import Vote, problems, risk
    >>> found = risk.curve(
    ...     problems.linear(1.0), Vote(), over={"k": [1, 25]}, n=500, repeats=4, progress=False
    ... )
    >>> found.mean.round(3).tolist()
    [[0.341, 0.261]]
    """
    curves = stream(problem, rules, over, k, n, noise, repeats, flips, seed, resolution, n_jobs)
    # With None, tqdm shows the bar in a terminal only.
    hidden = None if progress is None else not progress
    title = f"risk over {next(iter(over))}"
    with closing(curves), tqdm(desc=title, disable=hidden) as bar:
        for latest in curves:
            bar.total = latest.pieces
            bar.update()
    return latest


def stream(
    problem: Problem | Dataset,
    rules: Rules,
    over: Over,
    k: Ks = None,
    n: int | None = None,
    noise: LabelNoise = CLEAN,
    repeats: int | None = None,
    flips: int = 1,
    seed: Seed = 0,
    resolution: Resolution = FULL_RESOLUTION,
    n_jobs: int | None = None,
) -> Generator[RiskCurve, None, None]:
    """Yield the curve so far after each piece of work, with parameters as in ``curve``, which are
    checked at once.

    Closing the generator ends the work.
    """
    axis, ns, ks = _sizes(over, k, n, problem.max_size)
    named = _named(rules)
    check_noise(noise, problem.n_classes)
    if repeats is None:
        repeats = resolution.repeats
    repeats = check_int("repeats", repeats, 1)
    flips = check_int("flips", flips, 1)
    if n_jobs is not None:
        n_jobs = check_int("n_jobs", n_jobs, -MOST_JOBS, MOST_JOBS)
    rngs = check_seed(seed).spawn(repeats)

    cells = bayes_risk = antiderivative = None
    if isinstance(problem, Problem):
        cells = problem.cells(resolution.integral_cells[problem.dimension - 1])
        measure, eta = cells
        bayes_risk = float(measure.weights @ (1 - eta.max(axis=1)))
        if problem.has_line_density:
            antiderivative = Antiderivative.build(problem, resolution.integral_cells[0])

    shared: dict[str, Any] = {"problem": problem, "rules": tuple(named.values()), "noise": noise}
    shared |= {"flips": flips, "cells": cells, "antiderivative": antiderivative}
    work = delayed(partial(_risks_of_sample, **shared))
    pieces = []
    for repeat, rng in enumerate(rngs):
        split_seed = int(rng.bit_generator.seed_seq.generate_state(1)[0])
        if axis == "k":
            pieces.append(work(repeat, ks, ns[0], rng, split_seed))
            continue
        rng_of_n = rng.spawn(len(ns))
        for j in np.argsort(ns, kind="stable").tolist():
            place = np.s_[repeat, :, :, j : j + 1]
            pieces.append(work(place, [ks[j]], ns[j], rng_of_n[j], split_seed))

    values = np.array(ks if axis == "k" else ns)
    risks = np.full((repeats, flips, len(named), len(values)), np.nan)
    empty = RiskCurve(axis, values, tuple(named), risks, bayes_risk)
    return _filled_in(empty, pieces, n_jobs)


def _sizes(
    over: Over, k: Ks, n: int | None, max_size: int | None
) -> tuple[Literal["k", "n"], list[int], list[int]]:
    """What a curve runs over, its sample sizes, and its k: all of one n, or one for each n."""
    is_one = isinstance(over, Mapping) and list(over) in (["k"], ["n"])
    got = shown(over)
    require(is_one, f"over must be {{'k': values}} or {{'n': values}}, got {got}")
    ((axis, given),) = over.items()
    fixed = k if axis == "k" else n
    text = f"{axis} is what the curve runs over, so it cannot be given as well"
    require(fixed is None, text)
    described = f"the values of {axis}"
    values = check_ints(described, given, 1, max_size)
    differ = len(set(values)) == len(values)
    require(differ, f"{described} must differ from each other, got {values}")
    if axis == "k":
        require(n is not None, "a curve over k needs a sample size n")
        n = check_int("n", n, 1, max_size)
        return axis, [n], [check_k(each, n) for each in values]

    require(k is not None, "a curve over n needs k")
    if callable(k):
        k = [k(size) for size in values]
    ks = list(k) if isinstance(k, Sequence | np.ndarray) else [k] * len(values)
    if len(ks) != len(values):
        got = shown(k)
        raise ValueError(f"k must be one number or one for each of {len(values)} n, got {got}")
    ks = [check_k(each, size) for each, size in zip(ks, values, strict=True)]
    return axis, values, ks


def _named(rules: Any) -> dict[str, Rule]:
    several = rules if isinstance(rules, Mapping | Sequence) else [rules]
    if isinstance(several, Mapping):
        named = dict(several)
    else:
        named = {repr(rule): rule for rule in several}
    if len(named) < len(several):
        raise ValueError(f"rules must differ from each other, got {shown(several)}")
    if not named or not all(isinstance(rule, Rule) for rule in named.values()):
        got = shown(rules)
        raise ValueError(
            f"rules must decide at a given k (Vote, Threshold, Robust, Weighted), got {got}"
        )
    return named


def _risks_of_sample(
    place: Any,
    ks: Sequence[int],
    n: int,
    rng: np.random.Generator,
    split_seed: int,
    *,
    problem: Problem | Dataset,
    rules: Sequence[Rule],
    noise: LabelNoise,
    flips: int,
    cells: Any,
    antiderivative: Antiderivative | None,
) -> tuple[Any, np.ndarray]:
    """Risks (flips, rules, ks) of a sample of size n, and their place in those of the curve.

    ``cells``, where risks of a known distribution are measured, and eta (m, C) there, are None for
    data; ``antiderivative`` is None unless mu has a density on a line.
    """
    problem = problem.with_seed(split_seed)
    sample = problem.sample(n) if isinstance(problem, Dataset) else problem.sample(n, rng)
    draws = []
    for v in (sample.v, *(rng.random(n) for _ in range(flips - 1))):
        observed = sample.y if noise == CLEAN else noise.flip(sample.y, v)
        draws.append((observed, rules))
    if isinstance(problem, Dataset):
        eta = np.eye(problem.n_classes)[problem.y_test]
        return place, sweep(sample.X, problem.X_test, eta, draws, ks)
    if antiderivative is not None and distinct(np.sort(sample.X[:, 0])):
        windows = Windows.from_points(sample.X)
        return place, sweep_line(windows, antiderivative, draws, ks)
    measure, eta = cells
    return place, sweep(sample.X, measure.points, eta, draws, ks, weights=measure.weights)


def _filled_in(
    empty: RiskCurve, pieces: Iterable[Any], n_jobs: int | None
) -> Generator[RiskCurve, None, None]:
    """Run pieces of work, and yield the curve after each of them."""
    options: dict[str, Any] = {"n_jobs": n_jobs, "prefer": "threads", "batch_size": 1}
    # In the order in which results are done, where the back-end can give them one by one.
    try:
        parallel = Parallel(**options, return_as="generator_unordered")
    except ValueError:
        parallel = Parallel(**options)
    risks = empty.risks.copy()
    results = parallel(pieces)
    try:
        for place, found in results:
            risks[place] = found
            yield replace(empty, risks=risks.copy())
    finally:
        if isinstance(results, Generator):
            # joblib warns of lost pieces of work, but this end is intended.
            with warnings.catch_warnings():
                warnings.filterwarnings("ignore", message=r".*input task\s+iterator")
                results.close()
