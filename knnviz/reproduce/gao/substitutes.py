"""Substitutes for Figures 2 to 4 of Gao et al. on the checkerboard, and the estimates behind them.

The figures show the accuracy on data sets that are not named; these show risks, which are 1 - accuracy, where eta is
known. The figures on real sets are in ``figures_2_to_4``.
"""

from collections.abc import Sequence

import numpy as np
from tqdm import tqdm

from knnviz import checks, noise, risk
from knnviz.corruption import LabelNoise
from knnviz.neighbors import NeighborTable
from knnviz.problems import checkerboard
from knnviz.profiles import VoteProfile
from knnviz.reproduce.gao.draws import (
    ASYMMETRIC,
    NOISE_NEIGHBORS,
    P0,
    P1,
    SIZES,
    SYMMETRIC,
    Variant,
    draw_figure_1,
    reference,
    risks,
)
from knnviz.reproduce.registry import Row, Tables, reproduction
from knnviz.reproduce.simulate import mean_and_error, means_and_errors, with_error
from knnviz.rules import Robust, Rule, Vote


@reproduction
def gao_neighbors(
    sizes: Sequence[int] = (500, 2000, 8000),
    ks: Sequence[int] = (1, 2, 5, 10, 20, 50, 100, 200, 400),
    repeats: int = 100,
    variant: Variant = "gao",
    resolution: int = 50,
    seed: int = 0,
    progress: bool = False,
) -> Tables:
    """In place of Figure 2: the risk of RkNN against k, on fresh samples; k' = n^(2/3) / 4 estimates the rates.

    ``ks`` neighbors vote, at most the smallest size.

    Tables: "risks": a row for each setting of noise, n and k.

    Source: Gao et al., Figure 2.
    """
    rows, settings = [], [(rates, n) for rates in ((0.2, 0.1), (P0, P1), (0.4, 0.4)) for n in sizes]
    for (p0, p1), n in tqdm(settings, "gao_neighbors", disable=not progress):
        rule = Robust(k_noise=risk.growing_neighbors(n), variant=variant)
        plan: Row = {"n": n, "noise": LabelNoise(p0, p1), "repeats": repeats, "seed": seed, "resolution": resolution}
        curve = risk.curve(checkerboard(), rule, over={"k": ks}, **plan, n_jobs=-1, progress=False)
        for k, mean, error in zip(ks, curve.mean[0], curve.standard_error[0], strict=True):
            key = {"p0": p0, "p1": p1, "n": n, "k_noise": rule.k_noise, "k": k}
            rows.append(key | with_error("risk", mean, error))
    return {"risks": rows}


@reproduction
def gao_noise_neighbors(
    noise_neighbors: Sequence[int] = (5, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 400),
    k: int = 200,
    n: int = 8000,
    m: int = 7000,
    flips: int = 20,
    variant: Variant = "gao",
    seed: int = 0,
    progress: bool = False,
) -> Tables:
    """In place of Figure 3: the risk of RkNN against k', at flip rates (0.1, 0.3), on the draws of Figure 1.

    Tables: "risks": a row for each k'; "others": the plain vote, and RkNN with known rates.

    Source: Gao et al., Figure 3.
    """
    rules: list[Rule] = [Vote(), Robust((P0, P1), variant=variant)]
    rules += [Robust(k_noise=each, variant=variant) for each in noise_neighbors]
    vote, known, *found = risks(draw_figure_1(n, m, flips, seed), [(P0, P1)], [rules], [k])[0, :, :, 0].T
    references = [reference("estimated", P0, P1, each).get(k) for each in noise_neighbors]
    others = {"vote": vote, "known rates": known}
    return {
        "risks": [
            {"k_noise": k_noise} | mean_and_error("risk", values) | {"reference": value}
            for k_noise, values, value in zip(noise_neighbors, found, references, strict=True)
        ],
        "others": [{"rule": name} | mean_and_error("risk", values) for name, values in others.items()],
    }


@reproduction
def gao_sample_size(
    sizes: Sequence[int] = SIZES,
    n: int = 8000,
    m: int = 7000,
    flips: int = 20,
    variant: Variant = "gao",
    seed: int = 0,
    progress: bool = False,
) -> Tables:
    """In place of Figure 4: risks against n with k = k' = n^(2/3) / 4, at flip rates (0.1, 0.3).

    Each of ``sizes`` takes the first of n training points.

    Tables: "risks": a row for each n, of RkNN and of the plain vote.

    Source: Gao et al., Figure 4.
    """
    data, rows = draw_figure_1(n, m, flips, seed), []
    robust, vote = (reference(f"sample_size_{name}", P0, P1, over="n") for name in ("robust", "vote"))
    for size in tqdm(sizes, "gao_sample_size", disable=not progress):
        k = risk.growing_neighbors(size)
        found = risks(data, [(P0, P1)], [[Robust(k_noise=k, variant=variant), Vote()]], [k], size)[0, :, :, 0].T
        row = {"n": size, "k": k}
        for name, values, beside in zip(("robust", "vote"), found, (robust, vote), strict=True):
            row |= mean_and_error(name, values) | {f"reference_{name}": beside.get(size)}
        rows.append(row)
    return {"risks": rows}


@reproduction
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
