"""Figure 1 of Gao et al.: risk against k under asymmetric and symmetric noise, and of 1-NN against n.

The figure is printed without numbers, and the text names neither noise levels nor k nor k': these are ours.
"""

from collections.abc import Sequence

from tqdm import tqdm

from knnviz import risk
from knnviz.corruption import LabelNoise
from knnviz.lessons.stored import published
from knnviz.problems import checkerboard
from knnviz.rules import Robust, Rule, Vote
from knnviz_papers.gao.draws import (
    ASYMMETRIC,
    KS,
    NOISE_NEIGHBORS,
    SIZES,
    SYMMETRIC,
    Figure1Data,
    Variant,
    draw_figure_1,
    reference,
    risks,
    rows_over_k,
)
from knnviz_papers.simulate import Row, Tables, mean_and_error, with_error


def gao_figure_1(
    n: int = 8000,
    m: int = 7000,
    flips: int = 20,
    ks: Sequence[int] = KS,
    noise_neighbors: Sequence[int] = NOISE_NEIGHBORS,
    resolution: int = 1000,
    seed: int = 0,
    progress: bool = False,
) -> Tables:
    """Figure 1(a), (b), (d): risk against k of kNN under noise, and of RkNN with known and with estimated rates.

    RkNN is the printed correction, the variant "gao". Where the rates are equal and known it is kNN: symmetric noise
    has the plain vote only. Limits are measured on ``resolution`` cells along a coordinate.

    Tables: "bayes": the Bayes risk of the distribution, at the test points and on their labels; "limits" of kNN under
    asymmetric noise, as k grows and k / n falls (under symmetric noise it is the Bayes risk); "vote" (a, b), "known"
    and "estimated" (d): risks with their errors over the flips.

    Source: Gao et al., Figure 1 and section 6.1.
    """
    data = draw_figure_1(n, m, flips, seed)
    tables = _asymmetric(data, ks, noise_neighbors, "gao")
    symmetric = risks(data, SYMMETRIC, [[Vote()]] * len(SYMMETRIC), ks)[:, :, 0]
    for (p0, p1), found in zip(SYMMETRIC, symmetric, strict=True):
        tables["vote"] += rows_over_k(found, ks, reference("vote", p0, p1), p0=p0, p1=p1)
    return {"bayes": _bayes(data), "limits": _limits(resolution)} | tables


def gao_figure_1_threshold(
    n: int = 8000,
    m: int = 7000,
    flips: int = 20,
    ks: Sequence[int] = KS,
    noise_neighbors: Sequence[int] = NOISE_NEIGHBORS,
    seed: int = 0,
    progress: bool = False,
) -> Tables:
    """Figure 1(d) with the variant "threshold" on the same draws.

    The variants differ where votes fall on 1/2 or on the threshold.

    Tables: "known" and "estimated", as in ``gao_figure_1``; estimated rates have no reference.

    Source: the setting of Gao et al., Figure 1, with the comparison of Reeve & Kaban, Algorithm 2.
    """
    tables = _asymmetric(draw_figure_1(n, m, flips, seed), ks, noise_neighbors, "threshold")
    return {name: tables[name] for name in ("known", "estimated")}


def _asymmetric(data: Figure1Data, ks: Sequence[int], noise_neighbors: Sequence[int], variant: Variant) -> Tables:
    """Under asymmetric noise the vote, and RkNN with known rates and with those that each k' estimates."""
    robust = [Robust(k_noise=each, variant=variant) for each in noise_neighbors]
    rules: list[list[Rule]] = [[Vote(), Robust(rates, variant=variant), *robust] for rates in ASYMMETRIC]
    vote, known, estimated = [], [], []
    for (p0, p1), found in zip(ASYMMETRIC, risks(data, ASYMMETRIC, rules, ks), strict=True):
        vote += rows_over_k(found[:, 0], ks, reference("vote", p0, p1), p0=p0, p1=p1)
        known += rows_over_k(found[:, 1], ks, reference(variant, p0, p1), p0=p0, p1=p1)
        for k_noise, curve in zip(noise_neighbors, found[:, 2:].swapaxes(0, 1), strict=True):
            references = reference("estimated", p0, p1, k_noise) if variant == "gao" else {}
            estimated += rows_over_k(curve, ks, references, p0=p0, p1=p1, k_noise=k_noise)
    return {"vote": vote, "known": known, "estimated": estimated}


def _bayes(data: Figure1Data) -> list[Row]:
    problem, references = checkerboard(), published("gao_figures")["bayes"]
    found = {
        "population": problem.bayes_risk(),
        "test points": data.eta.min(axis=1).mean(),
        "test labels": risk.held_out(problem.bayes(data.X_test), data.y_test),
    }
    return [{"over": over, "risk": value, "reference": references[over]} for over, value in found.items()]


def _limits(resolution: int) -> list[Row]:
    problem, references = checkerboard(), published("gao_figures")["limit"]
    found = [risk.vote_limit(problem, LabelNoise(p0, p1), resolution) for p0, p1 in ASYMMETRIC]
    return [
        {"p0": p0, "p1": p1, "risk": value, "reference": references[f"{p0},{p1}"]}
        for (p0, p1), value in zip(ASYMMETRIC, found, strict=True)
    ]


def gao_figure_1_one_nn(
    sizes: Sequence[int] = SIZES,
    n: int = 8000,
    m: int = 7000,
    flips: int = 20,
    repeats: int = 60,
    seed: int = 0,
    progress: bool = False,
) -> Tables:
    """Figure 1(c): the risk of 1-NN against n under symmetric noise, on one training set and on fresh ones.

    One training set of n points grows in its own order, and its risk varies where n is small; over fresh ones, with
    exact risks on cells of the square, the curves are flat at their limits.

    Tables: "fixed" and "fresh": a row for each noise level tau = p0 = p1 and each size, with the limit.

    Source: Gao et al., Figure 1(c) and Theorem 3.
    """
    data, problem = draw_figure_1(n, m, flips, seed), checkerboard()
    tables: Tables = {"fixed": [], "fresh": []}
    # One size is one search for all noise levels.
    grown = [risks(data, SYMMETRIC, [[Vote()]] * len(SYMMETRIC), [1], size)[:, :, 0, 0] for size in sizes]
    for i, (tau, _) in enumerate(tqdm(SYMMETRIC, "gao_figure_1_one_nn", disable=not progress)):
        noise = LabelNoise(tau, tau)
        limit = {"limit": risk.one_nn_limit(problem, noise)}
        curves = ("one_nn_fixed", "one_nn_fresh", "one_nn_fresh_se")
        references = [reference(name, tau, over="n") for name in curves]
        setting: Row = {"k": 1, "noise": noise, "repeats": repeats, "seed": seed, "n_jobs": -1}
        curve = risk.curve(problem, Vote(), over={"n": sizes}, **setting, progress=False)
        for j, size in enumerate(sizes):
            key = {"tau": tau, "n": size}
            fixed, fresh, fresh_error = (each.get(size) for each in references)
            tables["fixed"].append(key | mean_and_error("risk", grown[j][i]) | limit | {"reference": fixed})
            ours = with_error("risk", curve.mean[0, j], curve.standard_error[0, j])
            tables["fresh"].append(key | ours | limit | {"reference": fresh, "reference_se": fresh_error})
    return tables
