"""Where F1 is high: over k, over the weights of the Bayes rule, and for a long tail of rare classes."""

from collections.abc import Sequence

import numpy as np

from knnviz import checks, metrics
from knnviz.metrics import WeightScorer
from knnviz.problems import Sample, expected_seen, expected_singletons, gaussians, waves, zipf
from knnviz.profiles.vote_profiles import OwnWindowProfile, WindowProfile
from knnviz.weights import grid_search, simplex_grid
from knnviz.windows import Windows
from knnviz_papers.khim.pieces import EQUAL, Q
from knnviz_papers.khim.searches import CELLS, GRID_STEPS, SHOWN_SEED, START, WEIGHT_NAMES
from knnviz_papers.simulate import Row, Tables, mean_and_error, means_and_errors, over_samples

#: Where F1 is counted for a k: on the sample with and without a point's own label, and on new points.
COUNTED = ("resubstitution", "loo", "new_points")

#: Cells over which F1 of the Bayes rule is integrated, for thousands of weights.
BAYES_CELLS = 4000

#: Losses of macro F1 against the best weights.
WITHIN = (0.001, 0.005, 0.01, 0.05)

#: Number of rarer and rarer classes, their spread, exponents of their priors, and cells for integrals.
CLASSES, SCALE, EXPONENTS, ZIPF_CELLS = 8, 0.2, (0, 1, 2), 20_000

#: Weights by name, as powers of the prior.
POWERS = {"equal": 0.0, "prior^(-1/2)": -0.5, "prior^(-1)": -1.0}

#: A class with less than this fraction of the decisions is never predicted.
NEVER = 1e-4

#: Numbers of classes and of examples in the long tail.
TAIL = (1000, 1000)


def khim_neighbors(
    ks: Sequence[int] = (1, 5, 20, 50, 200, 1000),
    n: int = 1000,
    repeats: int = 200,
    seed: int = 0,
    progress: bool = False,
) -> Tables:
    """Macro F1 over k with equal weights, on the sample and on new points: a point's own vote makes it too optimistic.

    Where a point does not count itself, k = n are the n - 1 others. The single sample is always the same.

    Tables: "one_sample" and "means", a row for each k: macro F1 at the training points with their own labels, without
    them ("loo"), and on new points; "chosen", a row for each of these three: macro F1 on new points at the k for which
    it is highest.

    Source: Khim et al., section 6, where a training point counts itself.
    """
    ks = [checks.check_int("k", k, 1, n) for k in ks]
    found = over_samples(lambda sample: macro_f1_by_k(sample, ks), waves(), n, repeats, seed, progress)
    one, runs = macro_f1_by_k(waves().sample(n, SHOWN_SEED), ks), np.arange(repeats)
    chosen = [found[runs, found[:, :, way].argmax(axis=1), -1] for way in range(len(COUNTED))]
    return {
        "one_sample": [{"n": n, "k": k} | dict(zip(COUNTED, row, strict=True)) for k, row in zip(ks, one, strict=True)],
        "means": [{"n": n, "k": k} | means_and_errors(found[:, j], COUNTED) for j, k in enumerate(ks)],
        "chosen": [
            {"chosen_by": way} | mean_and_error("macro", each) for way, each in zip(COUNTED, chosen, strict=True)
        ],
    }


def macro_f1_by_k(sample: Sample, ks: Sequence[int]) -> np.ndarray:
    """Macro F1 (ks, 3) of kNN with equal weights, in the order of ``COUNTED``."""
    problem, n, x = waves(), len(sample.X), np.arange(CELLS) / CELLS
    windows, eta, labels = Windows.of(sample.X), problem.eta(x[:, None]), np.eye(problem.n_classes)[sample.y]
    own, new = (kind.count(windows, sample.y, problem.n_classes) for kind in (OwnWindowProfile, WindowProfile))
    equal, rows = np.array(EQUAL), []
    for k in ks:
        others = min(k, n - 1)
        # Each point is the first of its own neighbors: the others are those of one more without it.
        fractions = own.at(k) / k, (own.at(others + 1) - labels) / others, new.at(k)[windows.starts(x, k)] / k
        truths = labels, labels, eta
        rows.append([WeightScorer.of(each, truth)(equal) for each, truth in zip(fractions, truths, strict=True)])
    return np.array(rows)


def khim_bayes_weights(resolution: int = BAYES_CELLS, seed: int = 0, progress: bool = False) -> Tables:
    """F1 of the weighted Bayes rule over all weights: how much there is to gain on the example.

    Tables: "weights", a row for each of several weights, the best of 5151 among them: macro and micro F1; "within",
    what fraction of the 5151 loses at most so much against the best.

    Source: Khim et al., sections 4 and 6.
    """
    eta = waves().eta(waves().grid(resolution).points)
    macro, micro = (WeightScorer.of(eta, eta, scoring=f"f1_{mean}") for mean in ("macro", "micro"))
    grid = simplex_grid(len(START), GRID_STEPS)
    best = {f"best {name}": grid_search(score, grid).q for name, score in (("macro F1", macro), ("micro F1", micro))}
    fixed = {"equal": EQUAL, "start of the search": START, "Figures 1 and 2": Q}
    weights = {name: np.array(q) for name, q in (fixed | best).items()}
    rows = [
        {"weights": name} | dict(zip(WEIGHT_NAMES, q, strict=True)) | {"macro": macro(q), "micro": micro(q)}
        for name, q in weights.items()
    ]
    lost = macro(best["best macro F1"]) - macro(grid)
    return {"weights": rows, "within": [{"within": most, "fraction": np.mean(lost <= most)} for most in WITHIN]}


def khim_zipf(
    exponents: Sequence[int] = EXPONENTS, resolution: int = ZIPF_CELLS, seed: int = 0, progress: bool = False
) -> Tables:
    """Eight classes, each rarer than the one before: which are never predicted, and what weights bring back.

    ``exponents`` in 0 to 10 are s of priors that fall like (c + 1)^(-s).

    Tables: "scores" of the weighted Bayes rule, a row for each exponent and weights; "classes", one for each exponent,
    weights and class: its prior, how often it is predicted, and its recall; "tail", a row for each exponent: among a
    thousand examples of a thousand classes, how many classes are expected to occur, and what fraction of the examples
    to be the only ones of their class.

    Source: Khim et al. have weights for many classes, of which some are rare; the problem is ours.
    """
    scores, classes = [], []
    for exponent in exponents:
        prior = zipf(CLASSES, exponent)
        measure, eta = gaussians(CLASSES, prior, SCALE).cells(resolution)
        for name, power in POWERS.items():
            found = metrics.confusion_bayes(eta, [p**power for p in prior], weights=measure.weights, rule="argmax")
            key, fraction = {"exponent": exponent, "weights": name}, found.tp + found.fp
            means = {score: getattr(found, score) for score in ("accuracy", "balanced_accuracy", "macro_f1")}
            scores.append(key | {"predicted": int((fraction > NEVER).sum())} | means)
            rows = zip(prior, fraction, found.recall, strict=True)
            classes += [key | {"class": c, "prior": p, "fraction": s, "recall": r} for c, (p, s, r) in enumerate(rows)]
    return {"scores": scores, "classes": classes, "tail": [_tail(exponent) for exponent in exponents]}


def _tail(exponent: int) -> Row:
    number, n = TAIL
    falling = np.arange(1.0, number + 1) ** -exponent
    prior = (falling / falling.sum()).tolist()
    seen, alone = expected_seen(prior, n), expected_singletons(prior, n)
    return {"exponent": exponent, "classes": number, "n": n, "seen": seen, "alone": alone / n}
