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
    largest = error**2 * (1 + 1e-12)
    return next(n for n in count(1) if eta * (1 - eta) / n <= largest)


def held_out(X_train, y_train, X_test, y_test, k):
    rule = make_pipeline(StandardScaler(), ClassWeightedKNeighborsClassifier(k))
    rule.fit(X_train, y_train)
    return (rule.predict(X_test) != y_test).mean()


def limit_of_knn(eta, mass, p0, p1):
    clean = np.stack([1 - eta, eta], axis=1)
    noisy = LabelNoise(p0, p1).corrupt(clean)[:, 1]
    error = 0
    for of_point, of_class_1, vote in zip(mass, eta, noisy, strict=True):
        wrong = 1 - of_class_1 if vote >= 0.5 else of_class_1
        error += of_point * wrong
    return error


def cut(rates: Rates):
    return (1 + rates.p0 - rates.p1) / 2


def repaired_error(data, p0, p1, k, k_noise):
    sample = data.sample(data.max_size)
    observed = LabelNoise(p0, p1).flip(sample.y, sample.v)
    own = NeighborTable.build(sample.X, None, k_noise + 1)
    threshold = cut(estimate(own, observed, k_noise))
    near = NeighborTable.build(sample.X, data.X_test, k).indices
    predicted = observed[near].mean(axis=1) >= threshold
    return (predicted != data.y_test).mean()


def template(model, X, observed, queries):
    rule = NoiseRobustPlugIn(model)
    return rule.fit(X, observed).predict(queries)


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
    joint = mass[:, None] * eta
    return recall_score(truth, predicted, sample_weight=joint.ravel(), average=None)


def digit_f1(X, y, X_test, y_test):
    tuned = TunedClassWeightKNeighborsClassifier(25, scoring="f1", search="grid", grid_parts=20)
    tuned.fit(X, y)
    weighted = ClassWeightedKNeighborsClassifier(25, class_weight=tuned.class_weight_)
    predicted = weighted.fit(X, y).predict(X_test)
    return f1_score(y_test, predicted)


def chosen_k(X, y, ks):
    """Left out one by one, with the first class of a tie."""
    rule = KNeighborsClassifier(max(ks)).fit(X, y)
    near = y[rule.kneighbors(return_distance=False)]
    classes = np.arange(y.max() + 1)
    scores = []
    for k in ks:
        votes = (near[:, :k, None] == classes).sum(axis=1)
        scores.append(f1_score(y, votes.argmax(axis=1), average="macro"))
    return ks[int(np.argmax(scores))]


def greedy_step(score, q, step):
    return weights.greedy_search(score, q, step=step, n_steps=1).q


def is_close(fraction, k, delta):
    """Both classes are likely enough: the band of Hoeffding's inequality holds one half."""
    off = np.asarray(fraction) - 0.5
    return 2 * np.exp(-k * off**2 / 4) > delta


def two_round_vote(X, y, stage, queries, hard, k):
    def most(x, voters):
        squares = ((X - x) ** 2).sum(axis=1)
        order = squares[voters].argsort(kind="stable")
        near = voters[order[:k]]
        return int(2 * y[near].sum() >= len(near))

    from_r = np.array(stage) == FROM_R
    inside = np.flatnonzero(from_r)
    outside = np.flatnonzero(~from_r)
    pairs = zip(queries, hard, strict=True)
    return [most(x, inside if is_hard else outside) for x, is_hard in pairs]


def lead(bags):
    *_, second, first = sorted(bags.mean(axis=0))
    return first - second


def still_alive(tau, alive, k, band):
    pairs = list(zip(tau, alive, strict=True))
    most = max(votes for votes, left in pairs if left)
    return [left and (most - votes) / k < band for votes, left in pairs]


def misled(inclusion, nu, eta):
    process = BagProcess(inclusion, nu)
    found = process.frequency(np.zeros((len(eta), 1)), eta)
    return found.argmax(axis=1) != eta.argmax(axis=1)


def largest_lead(counts, *_):
    bags = np.diff(counts, axis=0, prepend=0).astype(bool)
    n, n_classes = bags.shape
    table = NeighborTable(np.arange(n, dtype=np.int32)[None], n)
    c1 = 5.0 if n_classes == 2 else 0.3
    rule = PartialAdaptive(c1=c1, max_neighbors=100)
    return rule.trace(table, bags, n_classes).label


def bayes_risk(eta, mass):
    others = np.delete(np.sort(eta), -1, axis=1)
    return sum(mass * others.sum(axis=1))


def estimated_threshold(observed, near, k):
    table = NeighborTable(near, len(observed))
    return cut(estimate(table, observed, k))


def rates_of(fractions):
    return min(fractions), 1 - max(fractions)


def draws(pi, q, m):
    return rittler.expected_draws(m, pi, q)


def is_reconstructible(process):
    return rank(process) == process.shape[1]


#: The answer to each case of an exercise.
ANSWERS = {
    "bayes-risk": bayes_risk,
    "error-bars": error_bars,
    "held-out": held_out,
    "limit-of-knn": limit_of_knn,
    "estimated-threshold": estimated_threshold,
    "repaired-error": repaired_error,
    "read-off-the-rates": rates_of,
    "the-template": template,
    "mean-cost": mean_cost,
    "votes-needed": votes_needed,
    "threshold-for-f1": best_threshold,
    "weighted-recall": weighted_recall,
    "one-digit": digit_f1,
    "chosen-k": chosen_k,
    "greedy-step": greedy_step,
    "close-vote": is_close,
    "draws-for-labels": draws,
    "two-round-vote": two_round_vote,
    "lead-in-bags": lead,
    "struck-out": still_alive,
    "misled-points": misled,
    "largest-lead": largest_lead,
    "reconstructible": is_reconstructible,
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
    both = frequency(moved, eta)[[first, other]]
    return close(np.ptp(both), 0)


def has_power(power, n, excess, m, later):
    return close(excess * (n / m) ** power, later)


def have_range(rates, low, high, a, b):
    eta = np.array([[1 - a, a], [1 - b, b]])
    noisy = LabelNoise(*rates).corrupt(eta)[:, 1]
    return close(noisy, np.array([low, high]))


def buys_fraction(pi, fraction, q):
    return close(rittler.expected_passive_fraction(pi, q), fraction)


def is_repaired(repaired, process, _):
    return not is_label_aligned(process) and is_label_aligned(repaired)


#: What holds for the answer to each case of another one.
PROPERTIES = {
    "which-power": has_power,
    "a-known-range": have_range,
    "tied-weight": is_tied,
    "coin-for-a-fraction": buys_fraction,
    "least-confusion": evens_out,
    "repaired": is_repaired,
}


@pytest.mark.parametrize("name", [name for name, each in content.exercises().items() if each.cases])
def test_a_solution_is_right(name):
    exercise = content.exercises()[name]
    known = exercises.known_results(exercise, exercise.solution)
    for case, answer in zip(exercises.cases(exercise), known, strict=True):
        if name in ANSWERS:
            expected = ANSWERS[name](*case)
            assert close(np.asarray(answer, float), np.asarray(expected, float))
        else:
            assert PROPERTIES[name](answer, *case)


def test_the_first_exercise_counts_what_the_observed_labels_miss_of_class_1():
    exercise = content.exercises()["flipped"]
    names = {}
    exec(f"{exercise.imports}\n{exercise.solution}", names)
    found = recall_score(names["sample"].y, names["observed"])
    assert names["flipped"] == pytest.approx(1 - found)
