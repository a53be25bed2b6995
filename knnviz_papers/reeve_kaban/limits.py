"""Where plain kNN is not misled although labels are noisy, and where noisy labels themselves prefer it."""

from collections.abc import Sequence
from functools import partial

import numpy as np
from tqdm import tqdm

from knnviz import checks, risk
from knnviz.problems import Sample, levels, plateau
from knnviz.rules import Vote
from knnviz_papers.reeve_kaban.comparison import COLUMNS, P0, P1, NoisyProblem, ObservedSample, compare, theorem_k
from knnviz_papers.simulate import Tables, limit_risks, means_and_errors, over_samples, title

#: What is measured in ``reeve_validation``.
VALIDATED = ("vote", "robust", "vote_noisy", "robust_noisy", "clean_picks_vote", "noisy_picks_vote")


def reeve_two_levels(
    gaps: Sequence[float] = (0.2, 0.17, 0.16, 0.13),
    sizes: Sequence[int] = (16_000, 1_024_000),
    fraction: float = 0.1,
    repeats: int = 20,
    seed: int = 0,
    progress: bool = False,
) -> Tables:
    """Plain kNN on two levels 1/2 - gap and 1/2 + gap: consistent where gap exceeds w = (p1 - p0) / (2 (1 - p0 - p1)).

    Here w is 1/6: noise carries the upper level across 1/2 or not. Near w the limit is far off: at 0.17 the level of
    the noisy labels is 0.502, and it takes hundreds of thousands of votes to distinguish that from 1/2. ``gaps`` are
    positive and at most 1/2; beside the theorem's k is one of ``fraction`` * n, in (0, 1].

    Tables: "levels", a row for each gap, n and k: risks of the three rules, the estimates, and the limits, that of kNN
    and for the others the Bayes risk.

    Source: Reeve & Kaban, section 5, on the mass of the misled points.
    """
    fraction = checks.check_positive("fraction", fraction, 1)
    rows = []
    for gap, n in tqdm([(gap, n) for gap in gaps for n in sizes], "reeve_two_levels", disable=not progress):
        noisy_problem = NoisyProblem.of(levels(0.5 - gap, 0.5 + gap))
        problem, ks = noisy_problem.problem, [theorem_k(n), round(fraction * n)]
        limits = {"vote_limit": risk.vote_limit(problem, noisy_problem.noise), "bayes_risk": problem.bayes_risk()}
        found = over_samples(partial(compare, noisy_problem, ks=ks), problem, n, repeats, seed)
        for k, each in zip(ks, found.swapaxes(0, 1), strict=True):
            rows.append({"problem": title(problem), "n": n, "k": k} | means_and_errors(each, COLUMNS) | limits)
    return {"levels": rows}


def reeve_validation(
    sizes: Sequence[int] = (1000, 16_000, 256_000),
    m: int = 2000,
    repeats: int = 100,
    seed: int = 0,
    progress: bool = False,
) -> Tables:
    """Plain kNN against Algorithm 2 on ``m`` validation labels: noisy ones prefer the rule that is worse on true ones.

    Tables: "limits": risks on true and on noisy labels of the limit of kNN and of the Bayes rule, which is that of
    Algorithm 2; "validated", a row for each n, with the theorem's k: exact risks of both rules on both labels, and
    the fractions of samples whose m validation points have fewer errors of plain kNN ("noisy_picks_vote",
    "clean_picks_vote").

    Source: Reeve & Kaban, section 5; on the plateau at their Figure 1's flip rates.
    """
    noisy_problem, m = NoisyProblem.of(plateau(P0, P1)), checks.check_int("m", m, 1)
    rows = []
    for n in tqdm(sizes, "reeve_validation", disable=not progress):
        k = theorem_k(n)
        work = partial(_validated, noisy_problem, m=m, k=k)
        found = over_samples(work, noisy_problem.problem, n + m, repeats, seed)
        rows.append({"n": n, "k": k, "m": m} | means_and_errors(found, VALIDATED))
    limits = zip(("vote", "robust"), limit_risks(noisy_problem.problem, noisy_problem.noise), strict=True)
    return {"limits": [{"rule": rule} | row for rule, row in limits], "validated": rows}


def _validated(noisy_problem: NoisyProblem, sample: Sample, m: int, k: int) -> list[float]:
    """Risks of both rules on both labels, and whether the last m points make fewer errors with the plain vote."""
    seen = ObservedSample.of(noisy_problem, Sample(sample.X[:-m], sample.y[:-m], None, sample.v[:-m]))
    rules = Vote(), seen.robust(k)
    risks = [seen.risk(rule, k, eta) for eta in (noisy_problem.eta, noisy_problem.observed) for rule in rules]
    serving = seen.windows.starts(sample.X[-m:, 0], k)
    vote, robust = (rule.predict(seen.votes, k)[serving] for rule in rules)
    clean, noisy = sample.y[-m:], noisy_problem.noise.flip(sample.y[-m:], sample.v[-m:])
    return [*risks, *(np.sum(vote != labels) < np.sum(robust != labels) for labels in (clean, noisy))]
