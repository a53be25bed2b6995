"""Rules that read bags of candidate labels, compared on held-out points as the bag noise nu
increases.

A rule that chooses its own k enlarges the ball around a point until one label is left (the point is
decided) or the largest k is reached. The plain vote takes the label in most of the k nearest bags.
n points are for training, m are held out; J is the number of values of nu.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import Any, Literal, NamedTuple, Protocol, Self

import numpy as np

from knnviz import kernels
from knnviz.bags import BagDraws, BagProcess, GivenBags, Kind
from knnviz.checks import (
    MOST_CLASSES,
    Seed,
    check_bags,
    check_choice,
    check_codes,
    check_int,
    check_n_classes,
    check_points,
    check_real,
    check_seed,
    require,
)
from knnviz.neighbors import NeighborTable
from knnviz.profiles import VoteProfile
from knnviz.rules import Adaptive, PartialAdaptive

Preparation = Literal["raw", "vision", "tabular"]


class BagClassifier(Protocol):
    """Any classifier of scikit-learn that is fitted on points X (n, d) and bags (n, C)."""

    def fit(self, X: np.ndarray, y: np.ndarray) -> Any: ...
    def predict(self, X: np.ndarray) -> np.ndarray: ...


#: Rules that read bags: those that choose their own k, and all others.
BagRule = Adaptive | PartialAdaptive | BagClassifier

#: Fraction of the points that is held out.
TEST_FRACTION = 0.2


def n_train(n: int) -> int:
    """How many of n points are left to train on."""
    return n - ceil(TEST_FRACTION * n)


@dataclass(frozen=True, eq=False)
class BagSplit:
    """Training points, held-out points with their neighbors, and what draws the bags of the
    training points.

    ``X`` (n, d) and ``y`` (n,) are the training points, ``X_test`` (m, d) and ``y_test`` (m,) those
    held out, as given or standardized. ``table`` has the training neighbors of the held-out points.
    ``process``, here not a matrix but a ``BagProcess`` or ``GivenBags`` (bags of the data, to which
    noise is added), and ``draws``, its random numbers, make the bags.
    """

    X: np.ndarray
    y: np.ndarray
    X_test: np.ndarray
    y_test: np.ndarray
    table: NeighborTable
    process: BagProcess | GivenBags
    draws: BagDraws

    @classmethod
    def draw(
        cls,
        X: np.ndarray,
        y: np.ndarray,
        seed: Seed = 0,
        *,
        bags: np.ndarray | None = None,
        k_max: int = 100,
        preparation: Preparation = "vision",
        largest: float = 0.8,
        kind: Kind = "confusion",
        standardize: bool = False,
    ) -> Self:
        """Hold out a fifth of the points X with classes y, and find k_max training neighbors of
        each.

        ``bags`` are those of all points. Without them, bags come from a process on five k-means
        clusters of the training points, where wrong labels join with inclusion probabilities up to
        ``largest``. Both are drawn anew for each split. With probability nu, noise of ``kind``
        "removal" takes the true label out of its bag; "confusion" replaces it by any label, "other"
        by another one. Neighbors are found after a ``preparation``, one of the pipelines in
        ``preprocessing``, of which "raw" changes nothing. With ``standardize``, columns are first
        scaled to mean 0 and variance 1 on the training points.
        """
        from sklearn.model_selection import train_test_split
        from sklearn.preprocessing import StandardScaler

        from knnviz.learnability.preprocessing import PIPELINES

        X = check_points("X", X)
        n = len(X)
        largest = float(check_real("largest", largest, 0, 1))
        rng = check_seed(seed)
        n_classes = MOST_CLASSES
        if bags is not None:
            bags = check_bags("bags", bags, n)
            n_classes = check_n_classes(bags.shape[1])
        y = check_codes("y", y, n, n_classes, np.intp)
        check_choice("preparation", preparation, tuple(PIPELINES))

        state = int(rng.integers(2**31))
        train, test = train_test_split(np.arange(n), test_size=TEST_FRACTION, random_state=state)
        X_train = X[train]
        X_test = X[test]
        if standardize:
            scaler = StandardScaler().fit(X_train)
            X_train = scaler.transform(X_train)
            X_test = scaler.transform(X_test)

        process: BagProcess | GivenBags
        if bags is None:
            n_classes = int(y.max()) + 1
            process = BagProcess.from_clusters(X_train, n_classes, rng, largest=largest)
        else:
            process = GivenBags(bags[train])
        process = replace(process, kind=kind)
        draws = BagDraws.draw(len(train), n_classes, rng)

        steps = PIPELINES[preparation]()
        points = steps.fit_transform(X_train)
        table = NeighborTable.build(points, steps.transform(X_test), k_max)
        return cls(X_train, y[train], X_test, y[test], table, process, draws)

    def bags(self, bag_noise: float) -> np.ndarray:
        """Bags (n, C) bool of the training points at a noise nu, by the same draws at each."""
        process = replace(self.process, bag_noise=bag_noise)
        return process.draw(self.X, self.y, self.draws)


class RuleOutcome(NamedTuple):
    """What a rule did on the points held out.

    ``labels`` (m,) are its predictions and ``error`` the fraction of wrong ones, ``stop_k`` the
    mean stopping k, ``decided`` the fraction of decided points. ``stop_k`` and ``decided`` are NaN
    for a rule that does not choose its own k.
    """

    labels: np.ndarray
    error: float
    stop_k: float
    decided: float


def rule_outcome(split: BagSplit, bags: np.ndarray, rule: BagRule) -> RuleOutcome:
    """What a rule does on held-out points of a split, from bags (n, C) of the training points."""
    if isinstance(rule, Adaptive | PartialAdaptive):
        scan = rule.scan(split.table, bags, split.process.n_classes)
        labels = scan.labels
        stop_k = float(scan.stop_k.mean())
        decided = float(scan.decided.mean())
    else:
        labels = rule.fit(split.X, bags).predict(split.X_test)
        stop_k = np.nan
        decided = np.nan
    error = float(np.mean(labels != split.y_test))
    return RuleOutcome(labels, error, stop_k, decided)


def bag_vote_errors(split: BagSplit, bags: np.ndarray, k_max: int | None = None) -> np.ndarray:
    """Errors (K,) of the plain vote of the k nearest bags, for all k up to ``k_max``, by default
    all neighbors in the table.
    """
    known = split.table.k_max
    k_max = check_int("k_max", k_max or known, 1, known)
    # All k at once: a call for each would take longer than the votes.
    table = NeighborTable(split.table.indices[:, :k_max], split.table.n)
    votes = VoteProfile.build(table, bags, bags.shape[1]).counts.T
    labels = np.empty(votes[0].size, np.uint8)
    kernels.most_votes(votes.reshape(len(votes), -1), labels)
    return np.mean(labels.reshape(votes[0].shape) != split.y_test, axis=1)


class BagComparison(NamedTuple):
    """How rules did on each split at each bag noise.

    ``noises`` (J,) are the values of nu, ``names`` those of the rules. ``labels`` (splits, J,
    rules, m), ``errors``, ``stop_k`` and ``decided`` (splits, J, rules) are those of
    ``RuleOutcome``; ``vote_errors`` (splits, J, K) is the error of the plain vote of the k = 1 to K
    nearest bags.
    """

    noises: tuple[float, ...]
    names: tuple[str, ...]
    labels: np.ndarray
    errors: np.ndarray
    stop_k: np.ndarray
    decided: np.ndarray
    vote_errors: np.ndarray


def best_votes(vote_errors: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The k (J,) whose vote has the smallest mean error over the splits at each noise, the smallest
    k on a tie, and its errors (splits, J).

    Chosen with the true labels: a reference, not a method. ``vote_errors`` are (splits, J, K).
    """
    # Means of the same counts may differ in their last digit.
    means = vote_errors.mean(axis=0).round(12)
    best = means.argmin(axis=1)
    return best + 1, vote_errors[:, np.arange(len(best)), best]


def compare_rules(
    X: np.ndarray,
    y: np.ndarray,
    rules: Mapping[str, BagRule],
    noises: Sequence[float],
    *,
    splits: int = 20,
    seed: Seed = 0,
    k_max: int = 100,
    **options: Any,
) -> Iterator[BagComparison]:
    """Compare rules by name on bags of increasing noise: the comparison so far, after each split.

    Each split has a random stream of its own, for the points held out, the noise, and bags that are
    drawn. ``options`` are those of ``BagSplit.draw``. Classifiers are fitted to points before
    their preparation. Source: Errandonea et al., section 4, where the noise on given bags is of the
    kind "removal".
    """
    noises = tuple([float(check_real("bag noise nu", each, 0, 1)) for each in noises])
    require(noises and rules, f"name rules and noises, got {tuple(rules)} and {noises}")
    splits = check_int("splits", splits, 1)
    done = []
    for rng in check_seed(seed).spawn(splits):
        split = BagSplit.draw(X, y, rng, k_max=k_max, **options)
        at_noises = []
        for noise in noises:
            bags = split.bags(noise)
            outcomes = [rule_outcome(split, bags, rule) for rule in rules.values()]
            at_noises.append([*_stacked(outcomes), bag_vote_errors(split, bags)])
        done.append(_stacked(at_noises))
        yield BagComparison(noises, tuple(rules), *_stacked(done))


def _stacked(rows: Iterable[Sequence[Any]]) -> list[np.ndarray]:
    """The columns of rows of numbers or arrays, each as one array."""
    return [np.array(column) for column in zip(*rows, strict=True)]
