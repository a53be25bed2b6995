"""The solution of each exercise beside the library, scikit-learn or a plain loop."""

from itertools import count

import numpy as np
import pytest
from sklearn.metrics import confusion_matrix, f1_score, recall_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from knnviz import BagProcess, LabelNoise, NeighborTable, PartialAdaptive, weights
from knnviz.active import FROM_R
from knnviz.bounds import rittler
from knnviz.estimators import (
    ClassWeightedKNeighborsClassifier,
    NoiseRobustPlugIn,
    TunedClassWeightKNeighborsClassifier,
)
from knnviz.learnability import decode, frequency, is_label_aligned, rank
from knnviz.lessons import content, exercises
from knnviz.noise import Rates, estimate


def error_bars(eta, error):
    """The least n whose standard error, squared, is at most that of the error, to a rounding."""
    return next(n for n in count(1) if eta * (1 - eta) / n <= error**2 * (1 + 1e-12))


def held_out(X_train, y_train, X_test, y_test, k):
    rule = make_pipeline(StandardScaler(), ClassWeightedKNeighborsClassifier(k))
    return (rule.fit(X_train, y_train).predict(X_test) != y_test).mean()


def limit_of_knn(eta, mass, p0, p1):
    predicted = LabelNoise(p0, p1).corrupt(np.stack([1 - eta, eta], axis=1))[:, 1] >= 0.5
    return sum(
        each * (1 - e if one else e) for each, e, one in zip(mass, eta, predicted, strict=True)
    )


def cut(rates: Rates):
    return (1 + rates.p0 - rates.p1) / 2


def repaired_error(data, p0, p1, k, k_noise):
    sample = data.sample(data.max_size)
    observed = LabelNoise(p0, p1).flip(sample.y, sample.v)
    threshold = cut(estimate(NeighborTable.build(sample.X, None, k_noise + 1), observed, k_noise))
    votes = observed[NeighborTable.build(sample.X, data.X_test, k).indices].mean(axis=1)
    return ((votes >= threshold) != data.y_test).mean()


def template(model, X, observed, queries):
    return NoiseRobustPlugIn(model).fit(X, observed).predict(queries)


def mean_cost(predicted, truth, miss):
    (_, false_positives), (misses, _) = confusion_matrix(truth, predicted)
    return (miss * misses + false_positives) / len(truth)


def votes_needed(k, q0, q1):
    return next(votes for votes in range(k + 1) if q1 * votes >= q0 * (k - votes))


def best_threshold(fractions, labels):
    return max(np.unique(fractions), key=lambda t: f1_score(labels, fractions >= t))


def weighted_recall(eta, mass, q):
    classes = range(len(q))
    truth = np.tile(classes, len(eta))
    predicted = np.repeat((q * eta).argmax(axis=1), len(q))
    return recall_score(truth, predicted, sample_weight=(mass[:, None] * eta).ravel(), average=None)


def digit_f1(X, y, X_test, y_test):
    found = TunedClassWeightKNeighborsClassifier(
        25, scoring="f1", search="grid", grid_parts=20
    ).fit(X, y)
    weighted = ClassWeightedKNeighborsClassifier(25, class_weight=found.class_weight_).fit(X, y)
    return f1_score(y_test, weighted.predict(X_test))


def chosen_k(X, y, ks):
    """Left out one by one, with the first class of a tie."""
    near = y[KNeighborsClassifier(max(ks)).fit(X, y).kneighbors(return_distance=False)]
    votes = [(near[:, :k, None] == np.arange(y.max() + 1)).sum(axis=1).argmax(axis=1) for k in ks]
    return ks[int(np.argmax([f1_score(y, each, average="macro") for each in votes]))]


def greedy_step(score, q, step):
    return weights.greedy_search(score, q, step=step, n_steps=1).q


def is_close(fraction, k, delta):
    """Both classes are likely enough: the band of Hoeffding's inequality holds one half."""
    return [2 * np.exp(-k * (each - 0.5) ** 2 / 4) > delta for each in fraction]


def two_round_vote(X, y, stage, queries, hard, k):
    def most(x, there):
        near = sorted(np.flatnonzero(there), key=lambda i: (((X[i] - x) ** 2).sum(), i))[:k]
        return int(2 * y[near].sum() >= len(near))

    from_r = np.array(stage) == FROM_R
    return [most(x, from_r if inside else ~from_r) for x, inside in zip(queries, hard, strict=True)]


def lead(bags):
    *_, second, first = sorted(bags.mean(axis=0))
    return first - second


def still_alive(tau, alive, k, band):
    most = max(votes for votes, left in zip(tau, alive, strict=True) if left)
    return [left and (most - votes) / k < band for votes, left in zip(tau, alive, strict=True)]


def misled(inclusion, nu, eta):
    found = BagProcess(inclusion, nu).frequency(np.zeros((len(eta), 1)), eta)
    return found.argmax(axis=1) != eta.argmax(axis=1)


def largest_lead(counts, *_):
    bags = np.diff(counts, axis=0, prepend=0).astype(bool)
    table = NeighborTable(np.arange(len(bags), dtype=np.int32)[None], len(bags))
    rule = PartialAdaptive(c1=5.0 if bags.shape[1] == 2 else 0.3, max_neighbors=100)
    return rule.trace(table, bags, bags.shape[1]).label


#: The answer to each case of an exercise.
ANSWERS = {
    "bayes-risk": lambda eta, mass: sum(mass * np.delete(np.sort(eta), -1, axis=1).sum(axis=1)),
    "error-bars": error_bars,
    "held-out": held_out,
    "limit-of-knn": limit_of_knn,
    "estimated-threshold": lambda observed, near, k: cut(
        estimate(NeighborTable(near, len(observed)), observed, k)
    ),
    "repaired-error": repaired_error,
    "read-off-the-rates": lambda fractions: (sorted(fractions)[0], 1 - sorted(fractions)[-1]),
    "the-template": template,
    "mean-cost": mean_cost,
    "votes-needed": votes_needed,
    "threshold-for-f1": best_threshold,
    "weighted-recall": weighted_recall,
    "one-digit": digit_f1,
    "chosen-k": chosen_k,
    "greedy-step": greedy_step,
    "close-vote": is_close,
    "draws-for-labels": lambda pi, q, m: rittler.expected_draws(m, pi, q),
    "two-round-vote": two_round_vote,
    "lead-in-bags": lead,
    "struck-out": still_alive,
    "misled-points": misled,
    "largest-lead": largest_lead,
    "reconstructible": lambda process: rank(process) == process.shape[1],
    "undone": decode,
}


def close(one, other):
    return one == pytest.approx(other, abs=1e-9)


def is_tied(answer, votes, q, c):
    scores = votes * np.where(np.arange(len(q)) == c, answer, q)
    return close(scores[c], np.delete(scores, c).max())


def evens_out(t, process, eta):
    first = eta.argmax()
    other = frequency(process, eta).argsort()[-2]
    moved = process.copy()
    moved[[1 << first, 1 << other], first] += [-t, t]
    return close(np.ptp(frequency(moved, eta)[[first, other]]), 0)


#: What holds for the answer to each case of another one.
PROPERTIES = {
    "which-power": lambda power, n, excess, m, later: close(excess * (n / m) ** power, later),
    "a-known-range": lambda rates, low, high, a, b: close(
        LabelNoise(*rates).corrupt(np.array([[1 - a, a], [1 - b, b]]))[:, 1], np.array([low, high])
    ),
    "tied-weight": is_tied,
    "coin-for-a-fraction": lambda pi, fraction, q: close(
        rittler.expected_passive_fraction(pi, q), fraction
    ),
    "least-confusion": evens_out,
    "repaired": lambda repaired, process, _: (
        not is_label_aligned(process) and is_label_aligned(repaired)
    ),
}


@pytest.mark.parametrize("name", [name for name, each in content.exercises().items() if each.cases])
def test_a_solution_is_right(name):
    exercise = content.exercises()[name]
    known = exercises.known_results(exercise, exercise.solution)
    for case, answer in zip(exercises.cases(exercise), known, strict=True):
        if name in ANSWERS:
            assert close(np.asarray(answer, float), np.asarray(ANSWERS[name](*case), float))
        else:
            assert PROPERTIES[name](answer, *case)


def test_the_first_exercise_counts_what_the_observed_labels_miss_of_class_1():
    exercise = content.exercises()["flipped"]
    names = {}
    exec(f"{exercise.imports}\n{exercise.solution}", names)
    assert names["flipped"] == pytest.approx(1 - recall_score(names["sample"].y, names["observed"]))
