"""Theorems on all points together and on single labels beside samples, with smaller constants."""

from collections.abc import Sequence
from functools import partial
from math import ceil

import numpy as np
from tqdm import tqdm

from knnviz import regions
from knnviz.bounds import errandonea as bounds
from knnviz.neighbors import NeighborTable
from knnviz.profiles import BallProfile
from knnviz.rules import PartialAdaptive
from knnviz_papers.errandonea.examples import stopping_k
from knnviz_papers.errandonea.line import bag_problems, uniform_bags
from knnviz_papers.simulate import Row, Tables, mean_and_error, over_streams

#: VC dimension of balls on a line, which are intervals.
D0 = 2

#: A = T / n.
MASS_CAP = 0.5

#: Where and at which sample size eliminations are counted, and cells on which exact fractions of
#: labels are integrated.
POINT = np.array([[0.325833]])
LABELS_N = 1000
CELLS = 600


def errandonea_promises(
    sizes: Sequence[int] = (250, 1000, 4000, 16_000),
    c1: float = 0.5,
    delta: float = 0.1,
    n_cells: int = 300,
    repeats: int = 400,
    seed: int = 0,
    progress: bool = False,
) -> Tables:
    """How often PL A-kNN errs where the advantage is large, on aligned bags of a line, and when it
    eliminates labels.

    The line is that of ``errandonea_line``, with T = n / 2. C' = 1 is our choice, and neither
    constant goes with the c1 of the proof, so no theorem covers what is measured.

    Tables: "everywhere", for each n and constant C', which is 1 or 16 c2^2 as printed for c0 = 1,
    with d0 = 2 in the band: the fraction of the line where condition (5) holds, how often a sample
    errs anywhere where (5) holds (delta^2 with the constants of the proof), and how often at the
    worst point. "labels", at n = 1000 for a point near a jump and each wrong label: its probability
    to be in a bag; its advantage alone, and the n that this takes with C' = 1; the k by which it is
    eliminated if fractions deviate by half the band at most, and the k at which it is with exact
    fractions. Then the mean k at which samples eliminate it (T where they never do), how often they
    do, and how often by the first of these k, or by T without one.

    Source: Errandonea et al., Theorem 3.3 and the remark on single labels after it; the line is
    ours.
    """
    problem, process, *_ = bag_problems()["aligned"]
    measure, eta = problem.cells(n_cells)
    frequency = process.frequency(measure.points, eta)
    balls = BallProfile.build(measure, frequency, masses=[MASS_CAP])
    advantage = regions.advantage(balls, MASS_CAP)

    constants = 1.0, bounds.printed_constant(bounds.proof_c2(c1))
    everywhere: list[Row] = []
    for n in tqdm(sizes, "errandonea_promises", disable=not progress):
        rule = PartialAdaptive(c1, delta, n // 2, vc_dimension=D0)
        work = partial(wrong_points, rule, n, measure.points)
        wrong = np.array(over_streams(work, n, repeats, seed))
        for constant in constants:
            guaranteed = bounds.theorem_3_3(n, advantage, 3, delta, constant)
            errs = wrong[:, guaranteed]
            row: Row = {"n": n, "constant": constant}
            row["promised"] = guaranteed.mean()
            row |= mean_and_error("anywhere", errs.any(axis=1).astype(float))
            row["largest_errs"] = errs.mean(axis=0).max(initial=0)
            everywhere.append(row)

    labels = _eliminations(PartialAdaptive(c1, delta, LABELS_N // 2), repeats, seed)
    return {"everywhere": everywhere, "labels": labels}


def neighbors_and_bags(
    n: int, points: np.ndarray, rng: np.random.Generator
) -> tuple[NeighborTable, np.ndarray]:
    """One sample of aligned bags (n, C), and the n / 2 neighbors of points (m, 1) in it."""
    problem, process, *_ = bag_problems()["aligned"]
    X, bags = uniform_bags(problem, process, n, rng)
    return NeighborTable.build(X, points, n // 2), bags


def wrong_points(
    rule: PartialAdaptive, n: int, points: np.ndarray, rng: np.random.Generator
) -> np.ndarray:
    """The points (m,) bool that the rule gets wrong on one sample."""
    table, bags = neighbors_and_bags(n, points, rng)
    labels = rule.scan(table, bags, 3).labels
    return labels != bag_problems()["aligned"].problem.bayes(points)


def _eliminations(rule: PartialAdaptive, repeats: int, seed: int) -> list[Row]:
    """A row for each label that is wrong at ``POINT``; the rule has a T."""
    problem, process, *_ = bag_problems()["aligned"]
    measure, eta = problem.cells(CELLS)
    in_bags = process.frequency(measure.points, eta)
    masses = np.arange(CELLS + 1) / CELLS
    positive_masses = masses[1:].tolist()
    around = BallProfile.build(measure, in_bags, POINT, masses=positive_masses)
    frequency = around.frequency[:, 0]

    most = LABELS_N // 2
    band = rule.band_constant(LABELS_N, 3)
    ks = masses * LABELS_N
    within = ks <= most
    promised = bounds.guaranteed_eliminations(frequency[within], ks[within], band)
    at_point = frequency[0].astype(float)
    gaps = at_point.max() - at_point
    exact = [stopping_k(gap, band) for gap in gaps.tolist()]
    alone = bounds.label_advantages(frequency, masses, most / LABELS_N)
    needed = bounds.needed_n(alone, 3, rule.delta)

    work = partial(eliminated_at, rule)
    found = np.array(over_streams(work, LABELS_N, repeats, seed))
    rows = []
    for label in np.flatnonzero(np.isfinite(exact)):
        row: Row = {"label": int(label)}
        row["in_bags"] = float(frequency[0, label])
        row |= {"advantage": alone[label], "needed_n": needed[label]}
        by = ceil(promised[label]) if np.isfinite(promised[label]) else None
        row |= {"promised_k": by, "exact_k": int(exact[label])}

        eliminated = found[:, label]
        row |= mean_and_error("mean_k", np.minimum(eliminated, most))
        row |= mean_and_error("eliminated", np.isfinite(eliminated).astype(float))
        in_time = eliminated <= (by or most)
        row |= mean_and_error("in_time", in_time.astype(float))
        rows.append(row)
    return rows


def eliminated_at(rule: PartialAdaptive, rng: np.random.Generator) -> np.ndarray:
    """The k (C,) at which each label is eliminated at ``POINT``; infinite where it stays."""
    table, bags = neighbors_and_bags(LABELS_N, POINT, rng)
    found = rule.trace(table, bags, 3).eliminated_at
    return np.where(found == 0, np.inf, found)
