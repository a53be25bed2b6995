"""A line in three pieces: the excess risk as n grows, for aligned and misaligned bags, and the advantage at points."""

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
from tqdm import tqdm

from knnviz import checks, regions
from knnviz.bounds import errandonea as bounds
from knnviz.corruption import BagDraws, BagProcess
from knnviz.neighbors import NeighborTable
from knnviz.problems import Measure, Problem, contested, segments
from knnviz.problems.base import draw_classes
from knnviz.profiles import BallProfile
from knnviz.rules import PartialAdaptive
from knnviz_papers.simulate import Row, Tables, mean_and_error, means_and_errors, over_streams

#: Bags are misaligned on [0, WIDTH): fractions of the labels there, and how often each joins a bag of another.
WIDTH, FRACTIONS, MISALIGNED_INCLUSIONS = 0.3, (0.5, 0.4, 0.1), (0.1, 0.9, 0.1)

#: How often a wrong label joins a bag elsewhere.
ALIGNED_INCLUSION = 0.4

#: Points of the reference run, and levels of the advantage.
POINTS = (0.0175, 0.1675, 0.325833, 0.500833)
LEVELS = (0.001, 0.005, 0.01, 0.02, 0.05)

#: What is measured on a sample.
MEASURED = ("excess", "misled_excess", "mean_k", "undecided")


class BagProblem(NamedTuple):
    """Labels on a line and the process of their bags; ``limit`` bounds the excess risk as n grows (Theorem 3.5)."""

    problem: Problem
    process: BagProcess
    limit: float


def bag_problems() -> dict[str, BagProblem]:
    """Bags that are aligned everywhere, and bags that are not on [0, .3)."""
    even = BagProcess.even_inclusion(3, ALIGNED_INCLUSION)
    parts = np.stack([np.tile(MISALIGNED_INCLUSIONS, (3, 1)), even.inclusion[0]])
    process = BagProcess(parts, centers=[[WIDTH / 2], [1.5 * WIDTH]])
    theta = max(FRACTIONS) - FRACTIONS[int(process.frequency(np.zeros((1, 1)), np.array([FRACTIONS])).argmax())]
    return {
        "aligned": BagProblem(segments(3), even, 0.0),
        "misaligned": BagProblem(contested(WIDTH, FRACTIONS), process, bounds.theorem_3_5(theta, WIDTH)),
    }


def errandonea_line(
    sizes: Sequence[int] = (250, 1000, 4000, 16_000),
    c1: float = 0.5,
    delta: float = 0.1,
    resolution: int = 300,
    cells: int = 600,
    repeats: int = 100,
    seed: int = 0,
    progress: bool = False,
) -> Tables:
    """The excess risk of PL A-kNN with T = n / 2 as n grows, for aligned and misaligned bags, beside its guarantees.

    Run r of each size draws the same points and uniforms for both kinds of bags. ``sizes`` are numbers n of training
    points, at least 4; risks and bounds are on ``resolution`` cells, both tables of the advantage on ``cells``.

    Tables: "consistency", a row for each kind of bags and n: the excess risk, what of it is on [0, .3), the mean
    stopping k, how much is undecided at T, and the limit of Theorem 3.5; "promises", for aligned bags and each n: the
    bound of Theorem 3.4 for the constant 1, which no proof covers, how much of the line has an advantage above its
    level, how often that errs, and how often it does at the worst point; "advantage", at some points: the advantage for
    A = 1 and A = 0.1, and the n that it takes with the constant 1; "low_advantage", for each level and the same A: how
    much of the line is no higher.

    Source: Errandonea et al., Theorems 3.1 to 3.5; the line is ours.
    """
    kinds = bag_problems()
    measure = segments(3).measure(resolution)
    tables: Tables = {"consistency": [], "promises": []}
    for n in tqdm(sizes, "errandonea_line", disable=not progress):
        rule = PartialAdaptive(c1, delta, checks.check_int("each of sizes", n, 4) // 2)
        found, errors = zip(*over_streams(partial(excess_on_sample, rule, n, measure), n, repeats, seed), strict=True)
        for kind, each in zip(kinds, np.array(found).swapaxes(0, 1), strict=True):
            row = {"bags": kind, "n": n, "T": n // 2} | means_and_errors(each, MEASURED)
            tables["consistency"].append(row | {"limit": kinds[kind].limit})
        tables["promises"].append(_guarantee(n, delta, measure, np.array(errors)))
    return tables | _advantages(cells, delta)


def excess_on_sample(
    rule: PartialAdaptive, n: int, measure: Measure, rng: np.random.Generator
) -> tuple[list[list[float]], np.ndarray]:
    """One sample of n points with both kinds of bags; the rule has a T, at most n.

    Gives what ``MEASURED`` names for each of ``bag_problems()``, and the cells that aligned bags get wrong.
    """
    assert rule.max_neighbors is not None
    X, u = rng.random((n, 1)), rng.random(n)
    draws, found, wrong = BagDraws.of(n, 3, rng), [], []
    table = NeighborTable.build(X, measure.points, rule.max_neighbors)
    inside = measure.points[:, 0] < WIDTH
    for problem, process, _ in bag_problems().values():
        bags = process.draw(X, draw_classes(problem.eta(X), u), draws)
        scan, eta = rule.scan(table, bags, 3), problem.eta(measure.points)
        excess = measure.weights * (eta.max(axis=1) - eta[np.arange(len(eta)), scan.labels])
        found.append([excess.sum(), excess[inside].sum(), scan.stop_k.mean(), 1 - scan.decided.mean()])
        wrong.append(excess > 0)
    return found, wrong[0]


def uniform_bags(
    problem: Problem, process: BagProcess, n: int, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """n uniform points (n, 1) of [0, 1] with bags (n, C)."""
    X, u = rng.random((n, 1)), rng.random(n)
    return X, process.draw(X, draw_classes(problem.eta(X), u), BagDraws.of(n, problem.n_classes, rng))


def advantage_on_line(resolution: int, mass_cap: float) -> np.ndarray:
    """The advantage of aligned bags on cells of the line; ``mass_cap`` is A in (0, 1], the largest mass that counts."""
    problem, process, _ = bag_problems()["aligned"]
    measure, eta = problem.cells(resolution)
    frequency = process.frequency(measure.points, eta)
    return regions.advantage(BallProfile.integrate(measure, frequency, masses=[mass_cap]), mass_cap)


def _guarantee(n: int, delta: float, measure: Measure, errors: np.ndarray) -> Row:
    """Theorems 3.2 and 3.4 for n points with the constant 1, beside where samples err (repeats, cells).

    A = 1/2. Points with an advantage above ``level`` would have a guarantee; ``low`` is the mass elsewhere. No proof
    covers this constant.
    """
    advantage = advantage_on_line(len(measure.points), 0.5)
    bound = bounds.theorem_3_4(n, 3, delta, (advantage, measure.weights))
    safe = advantage > bound.level
    row = {"n": n, "level": bound.level, "low": bound.low, "bound": bound.excess, "promised": measure.weights @ safe}
    if not safe.any():
        return row | {"errs": None, "errs_se": None, "largest_errs": None}
    errs = errors[:, safe]
    return row | mean_and_error("errs", errs.mean(axis=1)) | {"largest_errs": errs.mean(axis=0).max()}


def _advantages(cells: int, delta: float) -> Tables:
    """The advantage at ``POINTS`` with the n that it takes, and how much of the line is within ``LEVELS``."""
    whole, tenth = advantage_on_line(cells, 1.0), advantage_on_line(cells, 0.1)
    points = []
    for x in POINTS:
        i = min(int(x * cells), cells - 1)
        row = {"x": x, "advantage": whole[i], "advantage_tenth": tenth[i]}
        points.append(row | {"needed_n": bounds.needed_n(whole[i], 3, delta)})
    low = [{"level": a, "low": np.mean(whole <= a), "low_tenth": np.mean(tenth <= a)} for a in LEVELS]
    return {"advantage": points, "low_advantage": low}
