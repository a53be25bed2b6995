"""Rules that decide at a given k.

A new rule is a ``Rule``, a frozen dataclass. ``predict`` reads the votes at its own k alone: on a
line, rows at another k are other windows. One that chooses its own k has ``scan``, as ``Adaptive``.
``knnviz/rules/__init__.py``, ``knnviz/__init__.pyi`` and ``TOPICS`` of ``docs/book.py`` name it.
Tests in ``tests/rules/``: ties, a plain twin on random votes, numbers of its paper from
``tests/reference/``; and in ``tests/risk/`` if it has ``fit``.
"""

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Literal, Self

import numpy as np

from knnviz import kernels, noise
from knnviz.checks import (
    Weights,
    check_choice,
    check_class_weights,
    check_flip_rates,
    check_fractions,
    check_int,
    check_n_classes,
    check_real,
    require,
    rescaled,
    shown,
)
from knnviz.noise import NeighborSource, Rates, decimal_fraction, theta
from knnviz.profiles import Votes


class Rule:
    """A decision rule that predicts classes from the votes at a given k."""

    def neighbors_needed(self, k: int) -> int:
        """How many neighbors of each training point, itself included, ``fit`` reads at k; 0 if it
        estimates nothing.
        """
        return 0

    def fit(
        self, train: NeighborSource | None, observed: np.ndarray, k: int, n_classes: int
    ) -> Self:
        """The rule, with its estimates from the labels of each training point's neighbors.

        ``observed`` are class codes (n,) or bags (n, C) bool of the training points. ``train`` are
        their neighbors, or votes counted over them; rules that estimate nothing take None.
        """
        return self

    def predict(self, profile: Votes, k: int) -> np.ndarray:
        """Class codes (m,) uint8 from the votes at k, a row for each of m queries or windows."""
        raise NotImplementedError


@dataclass(frozen=True)
class Vote(Rule):
    """Majority vote of the k nearest neighbors.

    A tie goes to class 1 if there are two classes and labels vote, else to the smallest class.

    Examples
    --------
    >>> from knnviz import NeighborTable, Vote, VoteProfile
    >>> import numpy as np
    >>> table = NeighborTable.build(np.array([[0.0], [1.0], [2.0]]), np.array([[0.2]]), 3)
    >>> votes = VoteProfile.build(table, np.array([0, 1, 1]), n_classes=2)
    >>> [Vote().predict(votes, k).tolist() for k in (1, 2, 3)]
    [[0], [1], [1]]
    """

    def predict(self, profile: Votes, k: int) -> np.ndarray:
        if profile.n_classes == 2 and not profile.bags_vote:
            return MAJORITY.predict(profile, k)
        votes = profile.at(k)
        labels = np.empty(len(votes), np.uint8)
        kernels.most_votes(votes.T, labels)
        return labels


@dataclass(frozen=True)
class Threshold(Rule):
    """Class 1 iff its fraction of k votes reaches a threshold in [0, 1]; a tie gives class 1,
    unless ``strict``.

    The comparison is exact: a float counts as the decimal that was typed, rounded to 12 places.
    Raises ValueError for a threshold outside [0, 1], and for votes of bags or of more than two
    classes.

    Examples
    --------
    >>> from knnviz import Threshold
    >>> Threshold(0.4).min_votes(k=5), Threshold(0.4, strict=True).min_votes(k=5)
    (2, 3)
    >>> str(Threshold.from_rates(p0=0.1, p1=0.3).threshold)
    '2/5'
    """

    threshold: float | Fraction
    strict: bool = False

    def __post_init__(self) -> None:
        check_real("threshold", self.threshold, 0, 1)
        check_choice("strict", self.strict, (True, False))

    def __repr__(self) -> str:
        strict = ", strict=True" if self.strict else ""
        return f"Threshold(threshold={self.threshold!r}{strict})"

    @classmethod
    def from_rates(cls, p0: float, p1: float) -> Self:
        """theta = (1 + p0 - p1) / 2, which undoes label noise of known flip rates (Gao et al.,
        section 4).

        p0 and p1 are the probabilities that a label of class 0 and of class 1 is flipped.
        """
        return cls(theta(*check_flip_rates(p0, p1)))

    def min_votes(self, k: int) -> int:
        """Fewest votes of class 1 among k that reach the threshold, or exceed it if ``strict``."""
        fraction = decimal_fraction(self.threshold) * check_int("k", k, 1)
        if self.strict:
            return math.floor(fraction) + 1
        return math.ceil(fraction)

    def predict(self, profile: Votes, k: int) -> np.ndarray:
        if profile.n_classes != 2 or profile.bags_vote:
            voters = "bags" if profile.bags_vote else "labels"
            got = f"got {voters} of {profile.n_classes}"
            raise ValueError(f"a threshold needs votes of labels of two classes, {got}")
        ones = profile.at(k)[:, 1]
        return (ones >= self.min_votes(k)).view(np.uint8)


#: 1/2 as a fraction, which is compared with other fractions faster than a float is.
HALF = Fraction(1, 2)

#: The vote between two labels.
MAJORITY = Threshold(HALF)


@dataclass(frozen=True)
class Robust(Rule):
    """Robust kNN for two classes: the vote with its threshold at theta = (1 + p0 - p1) / 2 instead
    of 1/2.

    ``predict`` raises ValueError where flip rates are neither known nor fitted, and as
    ``Threshold`` does.

    Source: Gao et al., Algorithm 1; Reeve & Kaban, Algorithm 2 is ``Robust(votes="order")``.

    Parameters
    ----------
    noise_rates : (p0, p1), optional
        Flip rates, if they are known: the probabilities that a label of class 0 and of class 1 is
        flipped, each in [0, 1), together below 1. Otherwise ``fit`` estimates them: the rule that
        it returns has them as ``Rates``, a pair of exact fractions of votes.
    k_noise : int, optional
        k': the estimate averages k' + 1 labels at each training point; p0 is the smallest of these
        averages, and p1 is 1 minus the largest. At least 1 for "own" labels, 0 for "order"; by
        default k - 1, or this if it is larger.
    votes : "own" or "order"
        Which k' + 1 labels are averaged at a training point: its own and those of the k' nearest
        others ("own"), or those of its k' + 1 nearest, sorted by (distance, index) ("order"). They
        differ only where points coincide.
    variant : "threshold" or "gao"
        "threshold": class 1 iff its fraction e of the votes reaches theta (Reeve & Kaban). "gao":
        the printed correction of the majority e >= 1/2, changed to class 0 for 1/2 < e < theta and
        to class 1 for theta < e < 1/2. They differ only at e = 1/2 where p0 > p1 ("gao" gives 1),
        and at e = theta where p0 < p1 ("gao" gives 0). Our copy prints e > 1/2, perhaps a misprint
        of e >= 1/2; with e > 1/2 the variants agree where p0 > p1.

    Examples
    --------
    >>> from knnviz import NeighborTable, Robust, VoteProfile
    >>> import numpy as np
    >>> table = NeighborTable.build(np.arange(5.0)[:, None], np.array([[2.0]]), 5)
    >>> votes = VoteProfile.build(table, np.array([0, 1, 0, 1, 0]), n_classes=2)
    >>> [Robust(noise_rates=(0.1, p1)).predict(votes, k=5).tolist() for p1 in (0.1, 0.3)]
    [[0], [1]]
    """

    noise_rates: Rates | tuple[float, float] | None = None
    k_noise: int | None = None
    votes: noise.Smoothing = "own"
    variant: Literal["threshold", "gao"] = "threshold"

    def __post_init__(self) -> None:
        rates = self.noise_rates
        # Rates were estimated; other pairs are typed.
        if rates is not None and not isinstance(rates, Rates):
            is_pair = isinstance(rates, tuple) and len(rates) == 2
            text = f"noise_rates must be a pair (p0, p1), got {shown(rates)}"
            require(is_pair, text)
            check_flip_rates(*rates)
        check_choice("votes", self.votes, noise.SMOOTHINGS)
        if self.k_noise is not None:
            check_int("k_noise", self.k_noise, noise.least_k_noise(self.votes))
        check_choice("variant", self.variant, ("threshold", "gao"))

    @property
    def estimates(self) -> bool:
        """Whether ``fit`` estimates the flip rates."""
        return self.noise_rates is None

    @cached_property
    def threshold(self) -> Fraction:
        """theta, exactly; 1/2 if all averages in the estimate are equal. ValueError without known
        or fitted rates.
        """
        rates = self.noise_rates
        if rates is None:
            raise ValueError("a robust rule needs noise_rates, or fit to estimate them")
        if isinstance(rates, Rates):
            return rates.threshold
        return theta(*rates)

    def neighbors_needed(self, k: int) -> int:
        """k' + 1, or 0 for known rates: a training point's own label and k' others, in the order of
        its neighbors.
        """
        return self._k_noise(k) + 1 if self.estimates else 0

    def _k_noise(self, k: int) -> int:
        """k', by default that of k."""
        if self.k_noise is not None:
            return self.k_noise
        return max(k - 1, noise.least_k_noise(self.votes))

    def fit(
        self, train: NeighborSource | None, observed: np.ndarray, k: int, n_classes: int
    ) -> Self:
        if train is None or not self.estimates:
            return self
        rates = noise.estimate(train, observed, self._k_noise(k), self.votes)
        return replace(self, noise_rates=rates)

    def predict(self, profile: Votes, k: int) -> np.ndarray:
        threshold = self.threshold
        is_gao = self.variant == "gao"
        # A fraction of theta, below 1/2, keeps the label of the majority, 0.
        rule = Threshold(threshold, strict=is_gao and threshold < HALF)
        labels = rule.predict(profile, k)
        # A fraction of 1/2, below theta, keeps the label of the majority, 1.
        if is_gao and threshold > HALF and k % 2 == 0:
            labels |= profile.at(k)[:, 1] == k // 2
        return labels


@dataclass(frozen=True)
class Weighted(Rule):
    """Class-weighted kNN: the class c whose weight times fraction, q_c * (count_c / k), is largest
    among the k nearest.

    Only the ratios of the weights count: q and 3 q predict alike. A tie goes to the smallest class,
    also with two classes.

    Raises ValueError for votes of another number of classes, and in a closed ball for those of
    bags.

    Source: Khim, Xu & Singh, section 2.

    Parameters
    ----------
    q : sequence of C floats
        Class weights, C at least 2: finite, none negative, not all 0; stored as a tuple. A class of
        weight 0 scores 0; where all classes do, class 0 is predicted.
    mode : "index" or "closed_ball"
        Which points vote: the k nearest, of points at one distance those of smaller index; or all
        that are no farther than the k-th nearest, for plain labels, with fractions of their number.
        They differ only where distances tie.
    tie_tol : float
        In [0, 1]. Weighted fractions tie with the largest one if they are below it by at most
        ``tie_tol`` times the largest weight. So rounding does not decide between products that are
        equal. 0 compares the doubles as they are.

    Examples
    --------
    >>> from knnviz import Weighted
    >>> import numpy as np
    >>> eta = np.array([[0.7, 0.3], [0.6, 0.4]])
    >>> Weighted((1, 1)).decide(eta).tolist(), Weighted((1, 2)).decide(eta).tolist()
    ([0, 0], [0, 1])
    """

    q: Weights
    mode: Literal["index", "closed_ball"] = "index"
    tie_tol: float = 1e-12

    def __post_init__(self) -> None:
        q = check_class_weights(self.q)
        object.__setattr__(self, "q", tuple(q.tolist()))
        check_n_classes(len(self.q))
        check_choice("mode", self.mode, ("index", "closed_ball"))
        check_real("tie_tol", self.tie_tol, 0, 1)

    def predict(self, profile: Votes, k: int) -> np.ndarray:
        if self.mode == "index":
            votes = profile.at(k).T
            return self._largest(votes, np.full(votes.shape[1], k, np.int64))
        require(not profile.bags_vote, "a closed ball counts plain labels, got bags")
        votes = profile.closed(k).T
        return self._largest(votes, votes.sum(axis=0))

    def decide(self, fractions: np.ndarray) -> np.ndarray:
        """Class codes (m,) uint8 of the largest weighted fraction, from fractions (m, C); for eta
        the Bayes rule.

        Ties are as in ``predict``.
        """
        fractions = check_fractions("fractions", fractions)
        return self._largest(fractions.T, np.ones(len(fractions), np.int64))

    def _largest(self, counts: np.ndarray, totals: np.ndarray) -> np.ndarray:
        """Class codes (m,) from counts (C, m) of ``totals`` (m,); fractions are counts of 1."""
        n_weights = len(self.q)
        if len(counts) != n_weights:
            raise ValueError(f"q holds weights of {n_weights} classes, but there are {len(counts)}")
        q = rescaled(np.array(self.q))
        slack = float(self.tie_tol) * q.max()
        labels = np.empty(len(totals), np.uint8)
        kernels.most_weight(counts, totals, q, slack, labels)
        return labels
