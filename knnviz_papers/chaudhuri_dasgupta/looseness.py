"""The bound of Chaudhuri & Dasgupta 2014 beside what happens, in an experiment of ours."""

from collections.abc import Sequence
from itertools import product

import numpy as np
from tqdm import tqdm

from knnviz.bounds.chaudhuri_dasgupta import passive_neighbors
from knnviz.bounds.rittler import theorem_3
from knnviz.problems import bump, linear
from knnviz.problems.base import FINE_GRID
from knnviz_papers.simulate import Line, Row, Tables, mean_and_error, title, vote_errors


def looseness(
    sizes: Sequence[int] = (250, 1000, 4000, 16_000, 64_000),
    runs: int = 1000,
    delta: float = 0.1,
    seed: int = 0,
    progress: bool = False,
) -> Tables:
    """The bound of Theorem 3 beside the disagreement on samples, as n grows with the k of the
    passive rate.

    On the bump, where eta jumps, and on the line eta = x; k is that for smoothness 1 with constant
    1. Table "bounds", a row for each problem and n.
    """
    lines = [Line.build(bump()), Line.build(linear(1.0))]
    cases = list(product(lines, sizes))
    rows = []
    for line, n in tqdm(cases, "looseness", disable=not progress):
        k = round(passive_neighbors(n, 1, delta))
        row: Row = {"problem": title(line.problem), "n": n, "k": k}

        bound = theorem_3(line.problem, k, n, delta, n_cells=FINE_GRID[1])
        row |= {"mass": bound.mass, "margin": bound.margin}
        row |= {"boundary_mass": bound.boundary_mass, "bound": bound.value}
        row["vacuous"] = bound.value >= 1

        disagreement = vote_errors(line, k, n, runs, seed)[:, 0]
        row |= mean_and_error("disagreement", disagreement)
        row["largest_disagreement"] = disagreement.max()
        row["share_above"] = np.mean(disagreement > bound.value)
        rows.append(row)
    return {"bounds": rows}
