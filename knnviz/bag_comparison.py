"""Rules that read bags, compared on held-out points while the bags grow noisier."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import Any, Literal, NamedTuple, Self

import numpy as np

from knnviz import checks, kernels
from knnviz.corruption import BagDraws, BagProcess, GivenBags
from knnviz.corruption.bag_process import Kind
from knnviz.linear import Linear
from knnviz.metrics.nan_means import nan_mean, nan_standard_error
from knnviz.neighbors import NeighborTable
from knnviz.profiles import VoteProfile
from knnviz.rules import Adaptive, PartialAdaptive

Preparation = Literal["raw", "vision", "tabular"]
PIPELINES = ("vision", "tabular")

#: Fraction of the points that is held out.
HELD_OUT = 0.2

Rule = Adaptive | PartialAdaptive | Linear
Rules = Mapping[str, Rule]


def training_rows(rows: int) -> int:
    """How many of some points are left to train on."""
    return rows - ceil(HELD_OUT * rows)


@dataclass(frozen=True, eq=False)
class Split:
    """Points held out, their neighbors among the training points, and where bags of those come from.

    ``X`` (n, d) and ``y`` (n,) are the training points, ``X_test`` (m, d) and ``y_test`` (m,) those held out, as they
    were given or, where that was asked, standardized. ``table`` has the neighbors of the latter, found after the
    preparation. ``process`` and ``draws`` make the bags, or the noise on given ones; ``parts`` (n,) are the parts of
    the process that the training points belong to.
    """

    X: np.ndarray
    y: np.ndarray
    X_test: np.ndarray
    y_test: np.ndarray
    table: NeighborTable
    process: BagProcess | GivenBags
    draws: BagDraws
    parts: np.ndarray

    @classmethod
    def of(
        cls,
        X: np.ndarray,
        y: np.ndarray,
        seed: int | np.random.SeedSequence,
        *,
        bags: np.ndarray | None = None,
        k_max: int = 100,
        preparation: Preparation = "vision",
        largest: float = 0.8,
        kind: Kind = "confusion",
        standardize: bool = False,
    ) -> Self:
        """Hold a fifth of the points X (n, d) with classes y (n,) out, and look up k_max neighbors of each of them.

        ``bags`` (n, C) are those of the points, which noise of a ``kind`` takes the true label from. Without them, bags
        come from five k-means clusters of the training points, with probabilities up to ``largest``, both drawn anew
        for each split. ``preparation`` is "raw", or one of the pipelines in ``preprocessing``. To ``standardize``
        is to scale all columns of the training points to mean 0 and variance 1, before all else. ValueError for values
        out of range.
        """
        from sklearn.model_selection import train_test_split
        from sklearn.preprocessing import StandardScaler

        checks.check_choice("preparation", preparation, ("raw", *PIPELINES))
        X = checks.check_points("X", X)
        bags = None if bags is None else checks.check_bags("bags", bags, len(X))
        y = checks.check_codes("y", y, len(X), 255 if bags is None else bags.shape[1])
        rng = np.random.default_rng(seed)
        train, test = train_test_split(
            np.arange(len(y)), test_size=HELD_OUT, random_state=int(rng.integers(2**31)), shuffle=True
        )
        X_train, X_test = X[train], X[test]
        if standardize:
            scaler = StandardScaler().fit(X_train)
            X_train, X_test = scaler.transform(X_train), scaler.transform(X_test)
        process: BagProcess | GivenBags
        if bags is None:
            process = BagProcess.clustered(X_train, int(y.max()) + 1, rng, largest=largest, kind=kind)
        else:
            process = GivenBags(bags[train], kind=kind)
        draws, known, queries = BagDraws.of(len(train), process.n_classes, rng), X_train, X_test
        if preparation in PIPELINES:
            from knnviz import preprocessing

            steps = getattr(preprocessing, f"{preparation}_pipeline")()
            known, queries = steps.fit_transform(X_train), steps.transform(X_test)
        table = NeighborTable.build(known, queries, k_max)
        return cls(X_train, y[train], X_test, y[test], table, process, draws, process.parts(X_train))

    def bags(self, bag_noise: float) -> np.ndarray:
        """Bags (n, C) of the training points at one noise nu, from the same draws at every noise."""
        return replace(self.process, bag_noise=bag_noise).draw(self.X, self.y, self.draws, self.parts)

    def scaled(self, fraction: float, kind: Kind) -> Self:
        """The same split with all probabilities of the process times a number in [0, 1], and another noise.

        Given bags have no probabilities, and only meet another noise.
        """
        fraction, process = checks.check_real("fraction", fraction, 0, 1), replace(self.process, kind=kind)
        if isinstance(process, BagProcess):
            process = replace(process, inclusion=fraction * process.inclusion)
        return replace(self, process=process)


class Outcome(NamedTuple):
    """What a rule did on the points held out.

    ``labels`` (m,) uint8 are its decisions and ``error`` the fraction of wrong ones, ``stop_k`` the mean stopping k,
    ``decided`` the fraction of points where the ball stopped by itself; NaN for a rule without a ball.
    """

    labels: np.ndarray
    error: float
    stop_k: float
    decided: float


@dataclass(frozen=True, eq=False)
class Comparison:
    """How rules did on each split at each bag noise; NaN where that is not known yet, and for rules without a ball.

    ``noises`` (J,) are the values of nu, ``names`` those of the rules. ``errors``, ``stops`` and ``decided`` (splits,
    J, rules) are the fraction of wrong decisions on the points held out, the mean stopping k, and the fraction of
    points where the ball stopped by itself; ``by_k`` (splits, J, K) is the error of the plain vote of the k = 1 to K
    nearest bags; ``apart`` (splits, J, rules, rules) on what fraction of the points two rules decide differently.
    """

    noises: np.ndarray
    names: tuple[str, ...]
    errors: np.ndarray
    stops: np.ndarray
    decided: np.ndarray
    by_k: np.ndarray
    apart: np.ndarray

    @classmethod
    def unknown(cls, noises: Sequence[float], names: Iterable[str], splits: int, k_max: int) -> Self:
        """A comparison of which nothing is known yet."""
        names = tuple(names)
        count = len(names)
        shapes = ((count,), (count,), (count,), (k_max,), (count, count))
        read = (np.full((splits, len(noises), *shape), np.nan) for shape in shapes)
        return cls(np.array(noises, float), names, *read)

    def note(self, split: int, noise: int, vote_errors: np.ndarray, outcomes: Sequence[Outcome]) -> None:
        """Store how votes, by their k (K,), and the rules, in order, did on a split at a noise."""
        at = split, noise
        self.by_k[at] = vote_errors
        labels, *(self.errors[at], self.stops[at], self.decided[at]) = zip(*outcomes, strict=True)
        self.apart[at] = (np.array(labels)[:, None] != labels).mean(axis=2)

    def measure(self, index: int, noise: int, split: Split, rules: Rules) -> None:
        """Measure and store how votes and rules do on a split at a noise, both by position."""
        bags = split.bags(self.noises[noise])
        self.note(index, noise, vote_errors(split, bags), [outcome(split, bags, rule) for rule in rules.values()])

    def copy(self) -> Self:
        arrays = {name: getattr(self, name).copy() for name in ("errors", "stops", "decided", "by_k", "apart")}
        return replace(self, **arrays)

    @property
    def done(self) -> int:
        return int(np.isfinite(self.by_k[:, :, 0]).sum())

    @property
    def pieces(self) -> int:
        return self.by_k.shape[0] * self.by_k.shape[1]

    def mean(self, read: Literal["errors", "stops", "decided"], name: str) -> np.ndarray:
        """Mean (J,) over the splits of what one rule did."""
        return nan_mean(self._of(read, name))

    def standard_error(self, read: Literal["errors", "stops", "decided"], name: str) -> np.ndarray:
        """Standard error (J,) of that mean; NaN where fewer than two splits are known."""
        return nan_standard_error(self._of(read, name))

    def _of(self, read: str, name: str) -> np.ndarray:
        return getattr(self, read)[:, :, self.names.index(name)]

    def vote(self, k: int) -> np.ndarray:
        """Errors (splits, J) of the plain vote of the k nearest bags."""
        return self.by_k[:, :, checks.check_int("k", k, 1, self.by_k.shape[2]) - 1]

    def best_k(self) -> np.ndarray:
        """The k (J,) whose vote errs least in the mean over the splits at each noise, the smallest of several.

        Chosen with the true labels: a reference, not a method. 0 where nothing is known.
        """
        # Means of the same counts may differ in their last digit.
        means = np.round(nan_mean(self.by_k), 12)
        known = np.isfinite(means[:, 0])
        return np.where(known, np.where(known[:, None], means, 0).argmin(axis=1) + 1, 0)

    def best_vote(self) -> np.ndarray:
        """Errors (splits, J) of the vote at ``best_k``: one k for each noise."""
        return self.by_k[:, np.arange(len(self.noises)), np.maximum(self.best_k(), 1) - 1]

    def best_vote_each(self) -> np.ndarray:
        """Errors (splits, J) of the vote at the best k of each split alone, chosen with the true labels too."""
        return self.by_k.min(axis=2)


def compare(
    X: np.ndarray,
    y: np.ndarray,
    rules: Rules,
    noises: Sequence[float],
    *,
    bags: np.ndarray | None = None,
    splits: int = 20,
    seed: int = 0,
    k_max: int = 100,
    preparation: Preparation = "vision",
    largest: float = 0.8,
    kind: Kind = "confusion",
    standardize: bool = False,
) -> Iterator[Comparison]:
    """Compare rules on bags of increasing noise: the comparison so far, after each split at each noise.

    Parameters
    ----------
    X, y : (n, d) and (n,) arrays
        Points and their classes 0 to C - 1; a fifth of them is held out in each split.
    rules : mapping
        Rules that choose their own k, none of which may look at more than ``k_max`` neighbors, and linear ones, which
        look at the points themselves with columns of mean 0 and variance 1; by name.
    noises : sequence of float
        Values of nu in [0, 1].
    bags : (n, C) array, optional
        Bags of the points, as truth values or 0 and 1. By default they are drawn, by the process of ``Split.of``.
    splits : int
        How many; each has a stream of its own from the seed, for the split, the noise, and bags that are drawn.
    seed, k_max : int
        Not negative, and the largest k.
    preparation, largest, kind, standardize
        As in ``Split.of``. In the paper the noise on given bags is of the kind "removal".

    Source: Errandonea et al., section 4.
    """
    noises = [checks.check_real("each of noises", noise, 0, 1) for noise in noises]
    found = Comparison.unknown(noises, rules, checks.check_int("splits", splits, 1), k_max)
    options: dict[str, Any] = {"k_max": k_max, "preparation": preparation, "largest": largest, "kind": kind}
    options |= {"standardize": standardize, "bags": bags}
    for i, stream in enumerate(np.random.SeedSequence(checks.check_int("seed", seed, 0)).spawn(splits)):
        split = Split.of(X, y, stream, **options)
        for j in range(len(noises)):
            found.measure(i, j, split, rules)
            yield found.copy()


def outcome(split: Split, bags: np.ndarray, rule: Rule) -> Outcome:
    """What a rule does on the points held out of a split, from bags (n, C) of the others."""
    if isinstance(rule, Linear):
        labels = rule.labels(split.X, bags, split.X_test).astype(np.uint8)
        return Outcome(labels, float(np.mean(labels != split.y_test)), np.nan, np.nan)
    scan = rule.scan(split.table, bags, split.process.n_classes)
    error = np.mean(scan.labels != split.y_test)
    return Outcome(scan.labels, float(error), float(scan.stop_k.mean()), float(scan.decided.mean()))


def vote_errors(split: Split, bags: np.ndarray, most: int | None = None) -> np.ndarray:
    """Fraction of wrong decisions (K,) of the plain vote of the k nearest bags, for all k up to ``most`` at once."""
    near = NeighborTable(np.ascontiguousarray(split.table.indices[:, :most]), split.table.n)
    votes = VoteProfile.count(near, bags, split.process.n_classes).counts.T
    labels = np.empty(votes.shape[1:], np.uint8)
    kernels.most_votes(votes.reshape(len(votes), -1), labels.ravel())
    return np.mean(labels != split.y_test, axis=1)
