"""The bound of Chaudhuri & Dasgupta 2014 beside what happens. The paper has no experiments; this
one is ours.
"""

from collections.abc import Sequence
from itertools import product

import numpy as np
from tqdm import tqdm

from knnviz.bounds.chaudhuri_dasgupta import passive_neighbors
from knnviz.bounds.rittler import theorem_3
from knnviz.problems import bump, linear
from knnviz.problems.base import FINE_GRID
from knnviz_papers.simulate import Line, Tables, mean_and_error, title, vote_errors


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
    lines = [Line.of(problem) for problem in (bump(), linear(1.0))]
    rows = []
    for line, n in tqdm(list(product(lines, sizes)), "looseness", disable=not progress):
        k = round(passive_neighbors(n, 1, delta))
        bound = theorem_3(line.problem, n, k, delta, n_cells=FINE_GRID[1])
        disagreement = vote_errors(line, n, k, runs, seed)[:, 0]
        row = {
            "problem": title(line.problem),
            "n": n,
            "k": k,
            "mass": bound.mass,
            "margin": bound.margin,
        }
        row |= {
            "boundary_mass": bound.boundary_mass,
            "bound": bound.value,
            "vacuous": bound.value >= 1,
        }
        row |= mean_and_error("disagreement", disagreement) | {
            "largest_disagreement": disagreement.max()
        }
        rows.append(row | {"share_above": np.mean(disagreement > bound.value)})
    return {"bounds": rows}
