"""A line in three pieces: the excess risk as n grows, for aligned and misaligned bags."""

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
from tqdm import tqdm

from knnviz.bags import BagDraws, BagProcess
from knnviz.bounds import errandonea as bounds
from knnviz.neighbors import NeighborTable
from knnviz.problems import Measure, Problem, contested, segments
from knnviz.problems.base import draw_classes
from knnviz.rules import PartialAdaptive
from knnviz_papers.simulate import Row, Tables, means_and_errors, over_streams

#: Bags are misaligned on [0, WIDTH): fractions of the labels there, and how often each joins a bag
#: of another.
WIDTH = 0.3
FRACTIONS = (0.5, 0.4, 0.1)
MISALIGNED_INCLUSIONS = (0.1, 0.9, 0.1)

#: How often a wrong label joins a bag elsewhere.
ALIGNED_INCLUSION = 0.4

#: What is measured on a sample.
MEASURED = ("excess", "misled_excess", "mean_k", "undecided")


class BagProblem(NamedTuple):
    """Labels on a line, the process of their bags, and the ``limit`` of Theorem 3.5."""

    problem: Problem
    process: BagProcess
    limit: float


def bag_problems() -> dict[str, BagProblem]:
    """Bags that are aligned everywhere, and bags that are not on [0, .3)."""
    even = BagProcess.from_inclusion(3, ALIGNED_INCLUSION)
    aligned = BagProblem(segments(3), even, 0.0)

    on_width = np.tile(MISALIGNED_INCLUSIONS, (3, 1))
    parts = np.stack([on_width, even.inclusion[0]])
    centers = [[WIDTH / 2], [1.5 * WIDTH]]
    process = BagProcess(parts, centers=centers)
    # On [0, WIDTH) label 0 is the best, and label 1 is in the most bags.
    limit = bounds.theorem_3_5(FRACTIONS[0] - FRACTIONS[1], WIDTH)
    misaligned = BagProblem(contested(WIDTH, FRACTIONS), process, limit)
    return {"aligned": aligned, "misaligned": misaligned}


def errandonea_line(
    sizes: Sequence[int] = (250, 1000, 4000, 16_000),
    c1: float = 0.5,
    delta: float = 0.1,
    n_cells: int = 300,
    repeats: int = 100,
    seed: int = 0,
    progress: bool = False,
) -> Tables:
    """The excess risk of PL A-kNN with T = n / 2 as n grows, for aligned and misaligned bags.

    Run r of each size draws the same points and uniforms for both kinds of bags. Risks are on
    ``n_cells`` cells.

    Table: "consistency", a row for each kind of bags and n: the excess risk, what of it is on [0,
    .3), the mean stopping k, how much is undecided at T, and the limit of Theorem 3.5.

    Source: Errandonea et al., Theorems 3.1 and 3.5; the line is ours.
    """
    kinds = bag_problems()
    measure = segments(3).measure(n_cells)
    rows = []
    for n in tqdm(sizes, "errandonea_line", disable=not progress):
        rule = PartialAdaptive(c1, delta, n // 2)
        work = partial(excess_on_sample, rule, n, measure)
        found = np.array(over_streams(work, n, repeats, seed))
        for index, (kind, bags) in enumerate(kinds.items()):
            row: Row = {"bags": kind, "n": n, "T": n // 2}
            row |= means_and_errors(found[:, index], MEASURED)
            row["limit"] = bags.limit
            rows.append(row)
    return {"consistency": rows}


def excess_on_sample(
    rule: PartialAdaptive, n: int, measure: Measure, rng: np.random.Generator
) -> list[list[float]]:
    """What ``MEASURED`` names, for both kinds of bags of one sample of n points."""
    X = rng.random((n, 1))
    u = rng.random(n)
    draws = BagDraws.draw(n, 3, rng)
    table = NeighborTable.build(X, measure.points, n // 2)
    is_misled = measure.points[:, 0] < WIDTH
    found = []
    for problem, process, _ in bag_problems().values():
        y = draw_classes(problem.eta(X), u)
        bags = process.draw(X, y, draws)
        scan = rule.scan(table, bags, 3)

        eta = problem.eta(measure.points)
        of_labels = eta[np.arange(len(eta)), scan.labels]
        excess = measure.weights * (eta.max(axis=1) - of_labels)
        misled_excess = excess[is_misled].sum()
        mean_k = scan.stop_k.mean()
        undecided = 1 - scan.decided.mean()
        found.append([excess.sum(), misled_excess, mean_k, undecided])
    return found


def uniform_bags(
    problem: Problem, process: BagProcess, n: int, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """n uniform points (n, 1) of [0, 1] with bags (n, C)."""
    X = rng.random((n, 1))
    u = rng.random(n)
    y = draw_classes(problem.eta(X), u)
    draws = BagDraws.draw(n, problem.n_classes, rng)
    return X, process.draw(X, y, draws)
