"""Rules beside each other as n grows, with the k of Theorem 4.3: their risks, and how fast these come down."""

from collections.abc import Sequence
from functools import partial

from tqdm import tqdm

from knnviz import risk
from knnviz.bounds import closed_forms
from knnviz.bounds.reeve_kaban import exponent as exponent_of
from knnviz.corruption import LabelNoise
from knnviz.problems import plateau, ramp, terrace
from knnviz.risk import RiskCurve
from knnviz.rules import Robust, Rule, Threshold
from knnviz_papers.reeve_kaban.comparison import COLUMNS, P0, P1, SIZES, SMOOTHNESS, NoisyProblem, compare, theorem_k
from knnviz_papers.simulate import Row, Tables, fitted_exponent, means_and_errors, over_samples, title, with_error

#: Where rates are fitted, from n to n.
RANGES = ((250, 4000), (4000, 64_000), (64_000, 1_024_000))


def reeve_risks(sizes: Sequence[int] = SIZES, repeats: int = 40, seed: int = 0, progress: bool = False) -> Tables:
    """Risk of kNN, Algorithm 2 and the true threshold on the plateau as n grows; k = k_n for L = 3, delta = 0.05.

    kNN stays above the Bayes risk however large n is; Algorithm 2 approaches it as if the noise were known.

    Tables: "risks", a row for each n: risks of the three rules ("known" is the vote at the true threshold), the
    estimates of p0, p1 and theta, and the limits, that of kNN and for the others the Bayes risk.

    Source: Reeve & Kaban, section 5 and Theorem 4.3.
    """
    noisy_problem, known, rows = NoisyProblem.of(plateau(P0, P1)), closed_forms.plateau(P0, P1), []
    limits = {"bayes_risk": known.bayes_risk, "vote_limit": known.vote_limit}
    for n in tqdm(sizes, "reeve_risks", disable=not progress):
        k = theorem_k(n)
        found = over_samples(partial(compare, noisy_problem, ks=[k]), noisy_problem.problem, n, repeats, seed)
        rows.append({"n": n, "k": k} | means_and_errors(found[:, 0], COLUMNS) | limits)
    return {"risks": rows}


def reeve_rate(
    sizes: Sequence[int] = SIZES,
    ranges: Sequence[tuple[int, int]] = RANGES,
    repeats: int = 200,
    seed: int = 0,
    progress: bool = False,
) -> Tables:
    """How fast the excess risk falls: fitted exponents beside those of Theorem 4.3.

    On the plateau, on one that is nearer to 1/2, on one far from it, and on a ramp; all reach 0 and 1, and cross 1/2 at
    a slope, so that beta = 1 holds for each of them, with constants that differ. While k votes cannot
    resolve a plateau near 1/2 the excess falls slowly, while it is being resolved fast, and at the rate of the theorem
    after that. ``ranges`` are pairs of n between which rates are fitted, each with at least two of the sizes.

    Tables: "excess", a row for each problem and n: mean excess risks of Algorithm 2 ("robust") and of the vote at the
    true threshold ("known"); "rates", a row for each problem, rule and range: the exponent fitted, None where too few
    of the excesses are clearly above 0, and alpha (beta + 1) / (2 alpha + 1) for beta = 0 and beta = 1.

    Source: Reeve & Kaban, Theorem 4.3.
    """
    for low, high in ranges:
        if sum(low <= n <= high for n in sizes) < 2:
            raise ValueError(f"a rate needs at least two sizes, but from {low} to {high} there are fewer")
    rules: dict[str, Rule] = {"robust": Robust(votes="order"), "known": Threshold.from_rates(P0, P1)}
    setting: Row = {"k": theorem_k, "noise": LabelNoise(P0, P1), "repeats": repeats, "seed": seed, "n_jobs": -1}
    excess, rates = [], []
    problems = [plateau(P0, P1), terrace(0.54), terrace(0.8), ramp()]
    for problem in tqdm(problems, "reeve_rate", disable=not progress):
        curve = risk.curve(problem, rules, over={"n": sizes}, **setting, progress=False)
        name = {"problem": title(problem)}
        excess += [name | row for row in _excess(curve)]
        rates += [name | _rate(curve, rule, *ends) for rule in rules for ends in ranges]
    return {"excess": excess, "rates": rates}


def _excess(curve: RiskCurve) -> list[Row]:
    rows = []
    for n, means, errors in zip(curve.values, curve.mean.T, curve.standard_error.T, strict=True):
        row = {"n": n, "k": theorem_k(int(n))}
        for rule, mean, error in zip(curve.names, means, errors, strict=True):
            row |= with_error(rule, mean - curve.bayes_risk, error)
        rows.append(row)
    return rows


def _rate(curve: RiskCurve, name: str, low: int, high: int) -> Row:
    """The exponent fitted to one rule from n to n, and those of the theorem."""
    rule, within = curve.names.index(name), (curve.values >= low) & (curve.values <= high)
    excess = curve.mean[rule, within] - curve.bayes_risk
    row = {"rule": name, "from_n": low, "to_n": high}
    row |= fitted_exponent("exponent", curve.values[within], excess, curve.standard_error[rule, within])
    return row | {f"theorem_beta_{beta}": exponent_of(SMOOTHNESS, beta) for beta in (0, 1)}
