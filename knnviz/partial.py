"""Rules that read bags, compared on held-out points while the bags grow noisier."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, Self

import numpy as np
from sklearn.model_selection import train_test_split

from knnviz import checks
from knnviz.corruption import BagDraws, BagProcess
from knnviz.corruption.bags import Kind
from knnviz.metrics.partial import error_known, mean_known
from knnviz.neighbors import NeighborTable
from knnviz.preprocessing import tabular_pipeline, vision_pipeline
from knnviz.profiles import VoteProfile
from knnviz.rules import Adaptive, PartialAdaptive

Preparation = Literal["raw", "vision", "tabular"]
PIPELINES = {"vision": vision_pipeline, "tabular": tabular_pipeline}

#: Share of the points that is held out.
HELD_OUT = 0.2

Rules = Mapping[str, Adaptive | PartialAdaptive]


@dataclass(frozen=True, eq=False)
class Split:
    """Points held out, their neighbors among the training points, and where bags of those would come from.

    ``X`` (n, d) and ``y`` (n,) are the training points as they were given; ``table`` has the neighbors, found after the
    preparation, of the points held out, whose classes are ``y_test`` (m,). ``process`` and ``draws`` make the bags.
    """

    X: np.ndarray
    y: np.ndarray
    y_test: np.ndarray
    table: NeighborTable
    process: BagProcess
    draws: BagDraws

    @classmethod
    def of(
        cls,
        X: np.ndarray,
        y: np.ndarray,
        seed: int | np.random.SeedSequence,
        *,
        k_max: int = 100,
        preparation: Preparation = "vision",
        largest: float = 0.8,
        kind: Kind = "confusion",
    ) -> Self:
        """Hold a fifth of the points X (n, d) with classes y (n,) out, and look up k_max neighbors of each of them.

        Bags come from five k-means clusters of the training points, with chances up to ``largest``, both drawn anew for
        each split. ``preparation`` is "raw", or one of the pipelines in ``preprocessing``. ValueError for values out of
        range.
        """
        if preparation not in ("raw", *PIPELINES):
            raise ValueError(f"preparation must be 'raw', 'vision' or 'tabular', got {preparation!r}")
        X = checks.points("X", X)
        y = checks.codes("y", y, len(X), 255)
        rng = np.random.default_rng(seed)
        train, test = train_test_split(
            np.arange(len(y)), test_size=HELD_OUT, random_state=int(rng.integers(2**31)), shuffle=True
        )
        process = BagProcess.clustered(X[train], int(y.max()) + 1, rng, largest=largest, kind=kind)
        draws = BagDraws.of(len(train), process.n_classes, rng)
        known, queries = X[train], X[test]
        if preparation in PIPELINES:
            steps = PIPELINES[preparation]()
            known, queries = steps.fit_transform(known), steps.transform(queries)
        return cls(X[train], y[train], y[test], NeighborTable.build(known, queries, k_max), process, draws)

    def bags(self, bag_noise: float) -> np.ndarray:
        """Bags (n, C) of the training points at one noise nu, from the same draws at every noise."""
        return replace(self.process, bag_noise=bag_noise).draw(self.X, self.y, self.draws)


@dataclass(frozen=True, eq=False)
class Comparison:
    """How rules did on split after split at each bag noise, as far as it is known; NaN elsewhere.

    ``noises`` (J,) are the values of nu, ``names`` those of the rules. ``errors``, ``stops`` and ``decided``
    (splits, J, rules) are the share of wrong decisions on the points held out, the mean stopping k, and the share of
    points where the ball stopped by itself; ``by_k`` (splits, J, K) is the error of the plain vote of the k = 1 to K
    nearest bags; ``apart`` (splits, J, rules, rules) on what share of the points two rules decide differently.
    """

    noises: np.ndarray
    names: tuple[str, ...]
    errors: np.ndarray
    stops: np.ndarray
    decided: np.ndarray
    by_k: np.ndarray
    apart: np.ndarray

    @property
    def done(self) -> int:
        """Splits and noises that are done."""
        return int(np.isfinite(self.by_k[:, :, 0]).sum())

    @property
    def pieces(self) -> int:
        """Splits and noises in all."""
        return self.by_k.shape[0] * self.by_k.shape[1]

    def mean(self, read: Literal["errors", "stops", "decided"], name: str) -> np.ndarray:
        """Mean (J,) over the splits of what one rule did."""
        return mean_known(self._of(read, name))

    def standard_error(self, read: Literal["errors", "stops", "decided"], name: str) -> np.ndarray:
        """Standard error (J,) of that mean; NaN where fewer than two splits are known."""
        return error_known(self._of(read, name))

    def _of(self, read: str, name: str) -> np.ndarray:
        return getattr(self, read)[:, :, self.names.index(name)]

    def vote(self, k: int) -> np.ndarray:
        """Errors (splits, J) of the plain vote of the k nearest bags."""
        return self.by_k[:, :, checks.whole("k", k, 1, self.by_k.shape[2]) - 1]

    def best_k(self) -> np.ndarray:
        """The k (J,) whose vote errs least in the mean over the splits at each noise, the smallest of several.

        It knows the answers: a line of reference, not a method. 0 where nothing is known.
        """
        means = mean_known(self.by_k)
        known = np.isfinite(means[:, 0])
        return np.where(known, np.where(known[:, None], means, 0).argmin(axis=1) + 1, 0)

    def best_vote(self) -> np.ndarray:
        """Errors (splits, J) of the vote at ``best_k``: one k for each noise."""
        return self.by_k[:, np.arange(len(self.noises)), np.maximum(self.best_k(), 1) - 1]

    def best_vote_each(self) -> np.ndarray:
        """Errors (splits, J) of the vote at the best k of each split alone: more hindsight still."""
        return self.by_k.min(axis=2)


def compare(
    X: np.ndarray,
    y: np.ndarray,
    rules: Rules,
    noises: Sequence[float],
    *,
    splits: int = 20,
    seed: int = 0,
    k_max: int = 100,
    preparation: Preparation = "vision",
    largest: float = 0.8,
    kind: Kind = "confusion",
) -> Iterator[Comparison]:
    """Rules on bags of ever more noise, split after split: the comparison so far, after each split at each noise.

    Parameters
    ----------
    X, y : (n, d) and (n,) arrays
        Points and their classes 0 to C - 1; a fifth of them is held out in each split.
    rules : mapping
        Rules that choose their own k, by name; none may look at more than ``k_max`` neighbors.
    noises : sequence of float
        Values of nu in [0, 1].
    splits : int
        How many; each has a stream of its own from the seed, for the split, the clusters, their chances and the bags.
    seed : int
        Not negative.
    k_max : int
        Most neighbors that are looked up.
    preparation, largest, kind
        As in ``Split.of``.

    Yields
    ------
    comparison : Comparison
        As far as it is done; the last one is complete.

    Raises
    ------
    ValueError
        For values out of range.

    Source: Errandonea et al., section 4.
    """
    noises = [checks.real("each of noises", noise, 0, 1) for noise in noises]
    shape = checks.whole("splits", splits, 1), len(noises), len(rules)
    errors, stops, decided = (np.full(shape, np.nan) for _ in range(3))
    by_k, apart = (np.full((*shape[:2], *each), np.nan) for each in ((k_max,), (len(rules), len(rules))))
    options = {"k_max": k_max, "preparation": preparation, "largest": largest, "kind": kind}
    for i, stream in enumerate(np.random.SeedSequence(checks.whole("seed", seed, 0)).spawn(splits)):
        split = Split.of(X, y, stream, **options)
        for j, noise in enumerate(noises):
            bags = split.bags(noise)
            by_k[i, j] = vote_errors(split, bags)
            scans = [rule.scan(split.table, bags, split.process.n_classes) for rule in rules.values()]
            labels = np.array([scan.labels for scan in scans], np.uint8).reshape(len(rules), len(split.y_test))
            errors[i, j] = np.mean(labels != split.y_test, axis=1)
            apart[i, j] = np.mean(labels[:, None] != labels, axis=2)
            stops[i, j] = [scan.stop_k.mean() for scan in scans]
            decided[i, j] = [scan.decided.mean() for scan in scans]
            held = (part.copy() for part in (errors, stops, decided, by_k, apart))
            yield Comparison(np.array(noises), tuple(rules), *held)


def vote_errors(split: Split, bags: np.ndarray) -> np.ndarray:
    """Share of wrong decisions (K,) of the plain vote of the k nearest bags, for every k of the table at once."""
    counts = VoteProfile.count(split.table, bags, split.process.n_classes).counts
    return np.mean(counts.argmax(axis=2) != split.y_test[:, None], axis=0)
