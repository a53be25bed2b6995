"""The solution of each exercise beside the library, scikit-learn or a plain loop.

A function with the name of an exercise is another way to its answer, or tells of ``PROPERTIES``
whether they hold for the answer that it takes first.
"""

from itertools import count

import numpy as np
import pytest
from sklearn.metrics import confusion_matrix, f1_score, recall_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from knnviz import BagProcess, LabelNoise, NeighborTable, PartialAdaptive, weights
from knnviz.active import FROM_R
from knnviz.bounds import rittler
from knnviz.estimators import (
    ClassWeightedKNeighborsClassifier,
    NoiseRobustPlugIn,
    RobustKNeighborsClassifier,
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
    votes = LabelNoise(p0, p1).corrupt(clean)[:, 1]
    return mass @ np.where(votes >= 0.5, 1 - eta, eta)


def cut(rates: Rates):
    return (1 + rates.p0 - rates.p1) / 2


def repaired_error(data, p0, p1, k, k_noise):
    sample = data.sample(data.max_size)
    observed = LabelNoise(p0, p1).flip(sample.y, sample.v)
    rule = RobustKNeighborsClassifier(k, noise_neighbors=k_noise).fit(sample.X, observed)
    return (rule.predict(data.X_test) != data.y_test).mean()


def the_template(model, X, observed, queries):
    rule = NoiseRobustPlugIn(model)
    return rule.fit(X, observed).predict(queries)


def mean_cost(predicted, truth, miss):
    (_, false_positives), (misses, _) = confusion_matrix(truth, predicted)
    return (miss * misses + false_positives) / len(truth)


def votes_needed(k, q0, q1):
    return next(votes for votes in range(k + 1) if q1 * votes >= q0 * (k - votes))


def threshold_for_f1(fractions, labels):
    return max(np.unique(fractions), key=lambda t: f1_score(labels, fractions >= t))


def weighted_recall(eta, mass, q):
    predicted = (q * eta).argmax(axis=1)
    joint = mass[:, None] * eta
    found = [joint[predicted == c, c].sum() for c in range(len(q))]
    return found / joint.sum(axis=0)


def one_digit(X, y, X_test, y_test):
    tuned = TunedClassWeightKNeighborsClassifier(25, scoring="f1", search="grid", grid_parts=20)
    return f1_score(y_test, tuned.fit(X, y).predict(X_test))


def chosen_k(X, y, ks):
    codes, votes = weights.validation_set(X, y, y.max() + 1, max(ks), "loo")
    return max(ks, key=lambda k: f1_score(codes, votes.at(k).argmax(axis=1), average="macro"))


def greedy_step(score, q, step):
    return weights.greedy_search(score, q, step=step, n_steps=1).q


def close_vote(fraction, k, delta):
    """Both classes are likely enough: the band of Hoeffding's inequality holds one half."""
    off = np.asarray(fraction) - 0.5
    return 2 * np.exp(-k * off**2 / 4) > delta


def two_round_vote(X, y, stage, queries, hard, k):
    from_r = np.array(stage) == FROM_R
    predicted = []
    for x, is_hard in zip(queries, hard, strict=True):
        voters = np.flatnonzero(from_r == is_hard)
        squares = ((X[voters] - x) ** 2).sum(axis=1)
        near = y[voters[squares.argsort(kind="stable")[:k]]]
        predicted.append(2 * near.sum() >= len(near))
    return predicted


def lead_in_bags(bags):
    *_, second, first = sorted(bags.mean(axis=0))
    return first - second


def struck_out(tau, alive, k, band):
    pairs = list(zip(tau, alive, strict=True))
    most = max(votes for votes, left in pairs if left)
    return [left and (most - votes) / k < band for votes, left in pairs]


def misled_points(inclusion, nu, eta):
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


def read_off_the_rates(fractions):
    return min(fractions), 1 - max(fractions)


def draws_for_labels(pi, q, m):
    return rittler.expected_draws(m, pi, q)


def reconstructible(process):
    return rank(process) == process.shape[1]


undone = decode


def close(one, other):
    return one == pytest.approx(other, abs=1e-9)


def tied_weight(answer, votes, q, c):
    scores = votes * np.where(np.arange(len(q)) == c, answer, q)
    return close(scores[c], np.delete(scores, c).max())


def least_confusion(t, process, eta):
    first = eta.argmax()
    other = frequency(process, eta).argsort()[-2]
    moved = process.copy()
    moved[[1 << first, 1 << other], first] += [-t, t]
    both = frequency(moved, eta)[[first, other]]
    return close(np.ptp(both), 0)


def which_power(power, n, excess, m, later):
    return close(excess * (n / m) ** power, later)


def a_known_range(rates, low, high, a, b):
    eta = np.array([[1 - a, a], [1 - b, b]])
    noisy = LabelNoise(*rates).corrupt(eta)[:, 1]
    return close(noisy, np.array([low, high]))


def coin_for_a_fraction(pi, fraction, q):
    return close(rittler.expected_passive_fraction(pi, q), fraction)


def repaired(repaired, process, _):
    return not is_label_aligned(process) and is_label_aligned(repaired)


#: Exercises with more than one right answer: what holds for each.
PROPERTIES = {
    "which-power",
    "a-known-range",
    "tied-weight",
    "coin-for-a-fraction",
    "least-confusion",
    "repaired",
}


@pytest.mark.parametrize("name", [name for name, each in content.exercises().items() if each.cases])
def test_a_solution_is_right(name):
    exercise = content.exercises()[name]
    known = exercises.known_results(exercise, exercise.solution)
    own = globals()[name.replace("-", "_")]
    for case, answer in zip(exercises.cases(exercise), known, strict=True):
        if name in PROPERTIES:
            assert own(answer, *case)
        else:
            assert close(np.asarray(answer, float), np.asarray(own(*case), float))


def test_the_first_exercise_counts_what_the_observed_labels_miss_of_class_1():
    exercise = content.exercises()["flipped"]
    names = {}
    exec(f"{exercise.imports}\n{exercise.solution}", names)
    found = recall_score(names["sample"].y, names["observed"])
    assert names["flipped"] == pytest.approx(1 - found)
