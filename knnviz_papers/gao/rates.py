"""The flip rates that RkNN estimates on the draws of Figure 1."""

from collections.abc import Sequence

import numpy as np
from tqdm import tqdm

from knnviz import checks, noise
from knnviz.neighbors import NeighborTable
from knnviz.profiles import VoteProfile
from knnviz_papers.gao.draws import (
    ASYMMETRIC,
    NOISE_NEIGHBORS,
    SYMMETRIC,
    draw_figure_1,
    reference,
)
from knnviz_papers.simulate import Tables, means_and_errors


def gao_rates(
    noise_neighbors: Sequence[int] = NOISE_NEIGHBORS,
    n: int = 8000,
    flips: int = 20,
    seed: int = 0,
    progress: bool = False,
) -> Tables:
    """The flip rates that RkNN estimates against k', on the draws of Figure 1.

    Tables: "rates": a row for each setting of noise and k', with the threshold that the estimates give.

    Source: Gao et al., Algorithm 1, equation 5.
    """
    data, rows = draw_figure_1(n, 7000, flips, seed), []
    table = NeighborTable.build(data.X, None, checks.check_int("largest k'", max(noise_neighbors), 1, n - 1) + 1)
    for p0, p1 in tqdm(ASYMMETRIC + SYMMETRIC, "gao_rates", disable=not progress):
        counted = [
            VoteProfile.count(table, labels, 2, [each + 1 for each in noise_neighbors])
            for labels in data.flipped(p0, p1)
        ]
        references = [reference(name, p0, p1, over="k_noise") for name in ("p0_hat", "p1_hat")]
        for k_noise in noise_neighbors:
            found = [noise.estimate(votes, votes.labels, k_noise) for votes in counted]
            rates = np.array([[*each, each.threshold] for each in found], float)
            row = {"p0": p0, "p1": p1, "k_noise": k_noise} | means_and_errors(rates, ("p0_hat", "p1_hat", "threshold"))
            rows.append(row | {"reference_p0": references[0].get(k_noise), "reference_p1": references[1].get(k_noise)})
    return {"rates": rows}
