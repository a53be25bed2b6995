"""Whether the hard region holds the effective boundary, as the paper states in passing."""

from collections.abc import Sequence
from functools import partial

import numpy as np
from tqdm import tqdm

from knnviz import regions
from knnviz.bounds.chaudhuri_dasgupta import margin, mass
from knnviz.bounds.rittler import hard_width
from knnviz.problems import Measure, Sample, bump, linear, power
from knnviz.profiles import BallProfile
from knnviz_papers.simulate import Row, Tables, means_and_errors, over_samples, title, window_votes

#: A bump, which is smooth for no exponent, and two that are smooth.
PROBLEMS = (bump(0.1, 0.95, 0.05), linear(1.0), power(2.0))


def rittler_containment(
    slacks: Sequence[float] = (0.0, 0.05, 0.1),
    k: int = 150,
    n: int = 1000,
    delta: float = 0.1,
    repeats: int = 100,
    seed: int = 0,
    progress: bool = False,
) -> Tables:
    """How much of the effective boundary of a vote of k among n labels the hard region of as many
    leaves out.

    ``slacks`` are constants c0 of the band. With m labels more the ball mass p is smaller, and so
    is the boundary. Table "containment", a row for each problem and c0: the width of the band, the
    masses of the boundary and of H, what fraction of the boundary is left out on average and at
    most, and how often nothing is.

    Source: Rittler & Chaudhuri, who state it for smooth eta, without a number.
    """
    p = mass(k, n, delta)
    Delta = margin(k, delta)
    widths = [hard_width(k, n, 1, delta, c0) for c0 in slacks]
    rows = []
    for problem in tqdm(PROBLEMS, "rittler_containment", disable=not progress):
        measure, eta = problem.cells(2000)
        ball = BallProfile.build(measure, eta, masses=[p])
        boundary = regions.effective_boundary(ball, p, Delta)
        key: Row = {"problem": title(problem), "n": n, "k": k}
        key |= {"mass": p, "margin": Delta}
        key["boundary_mass"] = measure.weights @ boundary

        work = partial(left_out, k=k, widths=widths, measure=measure, boundary=boundary)
        found = over_samples(work, problem, n, repeats, seed)
        for j, c0 in enumerate(slacks):
            row = key | {"c0": c0, "width": widths[j]}
            row |= means_and_errors(found[:, j], ("hard_mass", "uncovered", "contained"))
            row["largest_uncovered"] = found[:, j, 1].max()
            rows.append(row)
    return {"containment": rows}


def left_out(
    sample: Sample, k: int, widths: Sequence[float], measure: Measure, boundary: np.ndarray
) -> list[tuple[float, float, bool]]:
    """For each width: mu(H), the fraction of ``boundary`` outside H, and whether that is 0."""
    votes = window_votes(sample, 2)
    serving = votes.windows.starts(measure.points[:, 0], k)
    boundary_mass = measure.weights @ boundary
    found = []
    for width in widths:
        hard = regions.hard(votes, k, width)[serving]
        outside = measure.weights @ (boundary & ~hard) / boundary_mass
        found.append((measure.weights @ hard, outside, outside == 0))
    return found
