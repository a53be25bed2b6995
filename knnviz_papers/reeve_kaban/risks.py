"""Section 5 and Theorem 4.3: the risks of rules as n grows, and how fast they come down."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from tqdm import tqdm

from knnviz import risk
from knnviz.bounds.reeve_kaban import exponent
from knnviz.problems import Sample, ramp, terrace
from knnviz.risk import Antiderivative, RiskCurve
from knnviz.rules import Robust, Rule, Threshold, Vote
from knnviz_papers.reeve_kaban.comparison import (
    KNOWN,
    NOISE,
    PLATEAU,
    SIZES,
    SMOOTHNESS,
    NoisySample,
    estimates,
    theorem_k,
)
from knnviz_papers.simulate import (
    Row,
    Tables,
    fitted_exponent,
    means_and_errors,
    over_samples,
    title,
    with_error,
)

#: What ``compare`` measures.
COLUMNS = ("vote", "robust", "known", "p0_hat", "p1_hat", "theta_hat")

#: Where rates are fitted, from n to n.
RANGES = ((250, 4000), (4000, 64_000), (64_000, 1_024_000))

#: The vote at the true threshold.
TRUE_THRESHOLD = Threshold.from_rates(NOISE.p0, NOISE.p1)


def reeve_risks(
    sizes: Sequence[int] = SIZES, repeats: int = 40, seed: int = 0, progress: bool = False
) -> Tables:
    """Risk of kNN, Algorithm 2 and the true threshold on the plateau as n grows; k = k_n for L = 3,
    delta = 0.05.

    kNN stays above the Bayes risk however large n is; Algorithm 2 approaches it as if the noise
    were known.

    Table "risks", a row for each n: risks of the three rules, the estimates of p0, p1 and theta,
    and the limits, that of kNN and for the others the Bayes risk.
    """
    eta = Antiderivative.build(PLATEAU)
    rows = []
    for n in tqdm(sizes, "reeve_risks", disable=not progress):
        k = theorem_k(n)
        work = partial(compare, eta=eta, k=k)
        found = over_samples(work, PLATEAU, n, repeats, seed)
        row: Row = {"n": n, "k": k}
        row |= means_and_errors(found, COLUMNS)
        row |= {"bayes_risk": KNOWN.bayes_risk, "vote_limit": KNOWN.vote_limit}
        rows.append(row)
    return {"risks": rows}


def compare(sample: Sample, eta: Antiderivative, k: int) -> list[float]:
    """Exact risks and estimates of the noise on one sample, in the order of ``COLUMNS``."""
    seen = NoisySample.from_sample(sample)
    robust = seen.robust(k)
    risks = [seen.risk(rule, k, eta) for rule in (Vote(), robust, TRUE_THRESHOLD)]
    return [*risks, *estimates(robust)]


def reeve_rate(
    sizes: Sequence[int] = SIZES,
    ranges: Sequence[tuple[int, int]] = RANGES,
    repeats: int = 200,
    seed: int = 0,
    progress: bool = False,
) -> Tables:
    """How fast the excess risk falls: fitted exponents beside those of Theorem 4.3.

    On the plateau, on one that is nearer to 1/2, on one far from it, and on a ramp; all reach 0 and
    1, and cross 1/2 at a slope, so that beta = 1 holds for each of them, with constants that
    differ. While k votes cannot resolve a plateau near 1/2 the excess falls slowly, while it is
    being resolved fast, and at the rate of the theorem after that. ``ranges`` are pairs of n
    between which rates are fitted.

    Tables: "excess", a row for each problem and n: mean excess risks of Algorithm 2 ("robust") and
    of the vote at the true threshold ("known"); "rates", a row for each problem, rule and range:
    the exponent fitted, None where too few of the excesses are clearly above 0, and alpha (beta +
    1) / (2 alpha + 1) for beta = 0 and beta = 1.
    """
    rules: dict[str, Rule] = {"robust": Robust(votes="order"), "known": TRUE_THRESHOLD}
    options: dict[str, Any] = {"k": theorem_k, "noise": NOISE, "repeats": repeats}
    options |= {"seed": seed, "n_jobs": -1, "progress": False}
    problems = [PLATEAU, terrace(0.54), terrace(0.8), ramp()]
    excess = []
    rates = []
    for problem in tqdm(problems, "reeve_rate", disable=not progress):
        curve = risk.curve(problem, rules, over={"n": sizes}, **options)
        key = {"problem": title(problem)}
        excess += [key | _excess(curve, j) for j in range(len(sizes))]
        for i in range(len(rules)):
            rates += [key | _rate(curve, i, *ends) for ends in ranges]
    return {"excess": excess, "rates": rates}


def _excess(curve: RiskCurve, j: int) -> Row:
    """Excess risks of the rules at the j-th size."""
    n = curve.values[j]
    row: Row = {"n": n, "k": theorem_k(int(n))}
    for i, rule in enumerate(curve.names):
        excess = curve.mean[i, j] - curve.bayes_risk
        row |= with_error(rule, excess, curve.standard_error[i, j])
    return row


def _rate(curve: RiskCurve, i: int, low: int, high: int) -> Row:
    """The exponent fitted to the i-th rule from n to n, and those of the theorem."""
    within = (curve.values >= low) & (curve.values <= high)
    n = curve.values[within]
    excess = curve.mean[i, within] - curve.bayes_risk
    errors = curve.standard_error[i, within]
    row: Row = {"rule": curve.names[i], "from_n": low, "to_n": high}
    row |= fitted_exponent("exponent", n, excess, errors)
    return row | {f"theorem_beta_{beta}": exponent(SMOOTHNESS, beta) for beta in (0, 1)}
