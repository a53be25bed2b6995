"""Theorems on all points together and on single labels, with smaller constants, beside samples of a line."""

from collections.abc import Sequence
from functools import partial
from math import ceil

import numpy as np
from tqdm import tqdm

from knnviz import checks
from knnviz.bounds import errandonea as bounds
from knnviz.neighbors import NeighborTable
from knnviz.profiles import BallProfile
from knnviz.rules import PartialAdaptive
from knnviz_papers.errandonea.line import POINTS, advantage_on_line, bag_problems, uniform_bags
from knnviz_papers.simulate import Row, Tables, mean_and_error, over_streams

#: VC dimension of balls on a line, which are intervals.
D0 = 2

#: Sample size at which eliminations are counted, and cells on which exact fractions of labels are integrated.
LABELS_N, CELLS = 1000, 600


def errandonea_promises(
    sizes: Sequence[int] = (250, 1000, 4000, 16_000),
    c1: float = 0.5,
    delta: float = 0.1,
    resolution: int = 300,
    repeats: int = 400,
    seed: int = 0,
    progress: bool = False,
) -> Tables:
    """How often PL A-kNN errs where the advantage is large, on aligned bags of a line, and when it eliminates labels.

    The line is that of ``errandonea_line``, with T = n / 2. ``sizes`` are at least 4. C' = 1 is our choice, and neither
    constant goes with the c1 of the proof, so no theorem covers what is measured.

    Tables: "everywhere", for each n and constant C', which is 1 or 16 c2^2 as printed for c0 = 1, with d0 = 2 in the
    band: the fraction of the line where condition (5) holds, the fraction on which samples err, how often a sample errs
    anywhere where (5) holds (delta^2 with the constants of the proof), and how often at the worst point. "labels", at
    n = 1000 for some points and each wrong label: its probability to be in a bag; its advantage alone, and the n that
    this takes with C' = 1; the k by which it is eliminated if fractions deviate by half the band at most, and the k at
    which it is with exact fractions. Then the mean k at which samples eliminate it (T where they never do), how often
    they do, and how often by the first of these k, or by T without one.

    Source: Errandonea et al., Theorem 3.3 and the remark on single labels after it; the line is ours.
    """
    constants = 1.0, bounds.proof_constants(c1).constant
    everywhere: list[Row] = []
    for n in tqdm(sizes, "errandonea_promises", disable=not progress):
        rule = PartialAdaptive(c1, delta, checks.check_int("each of sizes", n, 4) // 2, vc_dimension=D0)
        points = bag_problems()["aligned"].problem.measure(resolution).points
        wrong = np.array(over_streams(partial(wrong_points, rule, n, points), n, repeats, seed))
        everywhere += [_everywhere(n, delta, constant, wrong) for constant in constants]
    return {"everywhere": everywhere, "labels": _eliminations(PartialAdaptive(c1, delta, LABELS_N // 2), repeats, seed)}


def neighbors_and_bags(
    rule: PartialAdaptive, n: int, points: np.ndarray, rng: np.random.Generator
) -> tuple[NeighborTable, np.ndarray]:
    """One sample of aligned bags: the neighbors of points (m, 1) that a rule with a T needs, and the bags (n, C)."""
    assert rule.max_neighbors is not None
    problem, process, *_ = bag_problems()["aligned"]
    X, bags = uniform_bags(problem, process, n, rng)
    return NeighborTable.build(X, points, rule.max_neighbors), bags


def wrong_points(rule: PartialAdaptive, n: int, points: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """The points (m,) bool that the rule gets wrong on one sample."""
    table, bags = neighbors_and_bags(rule, n, points, rng)
    return rule.scan(table, bags, bags.shape[1]).labels != bag_problems()["aligned"].problem.bayes(points)


def _everywhere(n: int, delta: float, constant: float, wrong: np.ndarray) -> Row:
    """Theorem 3.3 for one constant, beside wrong points (repeats, m)."""
    found = bounds.theorem_3_3(n, advantage_on_line(wrong.shape[1], 0.5), 3, delta, constant)
    errs = wrong[:, found.guaranteed]
    row: Row = {"n": n, "constant": constant, "promised": found.fraction}
    row |= mean_and_error("errs", errs.sum(axis=1) / wrong.shape[1])
    row |= mean_and_error("anywhere", errs.any(axis=1).astype(float))
    return row | {"largest_errs": errs.mean(axis=0).max(initial=0)}


def _eliminations(rule: PartialAdaptive, repeats: int, seed: int) -> list[Row]:
    """Rows for each point of ``POINTS`` and each label that is wrong there; the rule has a T."""
    problem, process, *_ = bag_problems()["aligned"]
    measure, eta = problem.cells(CELLS)
    points, masses = np.array(POINTS)[:, None], (np.arange(1, CELLS + 1) / CELLS).tolist()
    balls_around = BallProfile.integrate(measure, process.frequency(measure.points, eta), points, masses)
    eliminated = np.array(over_streams(partial(eliminated_at, rule, LABELS_N, points), LABELS_N, repeats, seed))
    rows = []
    for i, x in enumerate(POINTS):
        rows += _label_rows(rule, LABELS_N, x, balls_around.masses, balls_around.frequency[:, :, i], eliminated[:, i])
    return rows


def eliminated_at(rule: PartialAdaptive, n: int, points: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """The k (m, C) at which each label is eliminated at each point on one sample; infinite where it stays."""
    table, bags = neighbors_and_bags(rule, n, points, rng)
    found = [rule.trace(table, bags, bags.shape[1], query).eliminated_at for query in range(len(points))]
    return np.where(np.array(found) == 0, np.inf, found)


def _label_rows(
    rule: PartialAdaptive, n: int, x: float, masses: np.ndarray, frequency: np.ndarray, eliminated: np.ndarray
) -> list[Row]:
    """A row for each wrong label at one point, from frequencies (J, C) in balls and the k (repeats, C) of samples."""
    band, most = rule.band_constant(n, frequency.shape[1]), float(rule.max_neighbors or n)
    within = masses * n <= most + 1e-9
    promised = bounds.guaranteed_eliminations(frequency[within], masses[within] * n, band)
    alone = bounds.label_advantages(frequency, masses, most / n)
    exact, needed = bounds.eliminations(frequency[0], band), bounds.needed_n(alone, frequency.shape[1], rule.delta)
    rows = []
    for label in np.flatnonzero(np.isfinite(exact)):
        by = ceil(promised[label]) if np.isfinite(promised[label]) else None
        row = {"x": x, "label": int(label), "in_bags": float(frequency[0, label]), "advantage": alone[label]}
        row |= {"needed_n": needed[label], "promised_k": by, "exact_k": int(exact[label])}
        row |= mean_and_error("mean_k", np.minimum(eliminated[:, label], most))
        row |= mean_and_error("eliminated", np.isfinite(eliminated[:, label]).astype(float))
        in_time = eliminated[:, label] <= (by or most)
        rows.append(row | mean_and_error("in_time", in_time.astype(float)))
    return rows
