"""Nearest neighbors that learn from bags of candidate labels, as a scikit-learn estimator."""

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from knnviz import checks
from knnviz.estimators.base import within
from knnviz.estimators.stopping import StoppingClassifier, known
from knnviz.neighbors import Metric, NeighborTable
from knnviz.profiles import VoteProfile
from knnviz.rules import Adaptive, PartialAdaptive, Scan, Vote

STRATEGIES = ("adaptive", "vote", "a-knn")


class PartialLabelKNeighborsClassifier(StoppingClassifier):
    """PL A-kNN: labels are struck out as the ball around a point grows, until one is left; bags of candidates vote.

    Two other rules are there to compare with. A plain label is a bag of one. Neighbors are sorted by (distance, index);
    under another metric than the Euclidean, ties are those of the distances that scikit-learn computes. All parameters
    may be set anew without a new fit, but for ``classes`` and those of the metric.

    There is no ``predict_proba``: the fractions of bags that hold each label do not sum to 1, and how they relate to
    the probabilities of the labels depends on where the bags come from, which nobody knows.

    Parameters
    ----------
    c1 : float
        Constant of the band, above 0. The larger, the farther a ball grows before a label is struck out.
    delta : float
        Failure probability, strictly between 0 and 1.
    max_neighbors : int, optional
        T, the largest k that is looked at, and at most n; None stands for n.
    strategy : "adaptive", "vote" or "a-knn"
        "adaptive": PL A-kNN, see ``knnviz.rules.PartialAdaptive``. "vote": the label in most of the ``n_neighbors``
        nearest bags; a point is undecided where several are. "a-knn": the ball stops where one label stands out of a
        baseline, see ``knnviz.rules.Adaptive``; a point is undecided, and all labels are left, where none does.
    n_neighbors : int
        k of strategy="vote" alone, at most n.
    classes : sequence, optional
        The labels, in the order that settles ties. By default those that occur, sorted; of a data frame the columns; of
        another table of bags 0 to C - 1. Names the columns of a table, puts those of a data frame in order, and
        brings in labels that do not occur in y.
    fallback : "lead" or "majority"
        Who wins if several labels are left at T: the one that ever had the largest scaled lead, or the one in most
        bags. Read for strategy="adaptive" alone.
    baseline : "classes" or "bag_size"
        What a label must stand out of: 1 / C, or the mean size of a bag over C. Read for strategy="a-knn" alone.
    algorithm : "auto", "ball_tree", "brute" or "kd_tree"
        How scikit-learn searches where the metric is not the Euclidean, whose neighbors are exact whatever it says.
    metric : str or callable
        A name that scikit-learn has for a distance of two points, or a function of two points; what it does with them,
        and what it says where it cannot, are scikit-learn's.
    p : float
        Exponent of the Minkowski distance, from 1 to infinity; 2 is the Euclidean.
    n_jobs : int, optional
        Threads of scikit-learn's search; Euclidean neighbors use all processors.

    Attributes
    ----------
    classes_ : (C,) array
        The labels, in the order of the columns of ``predict_set``.
    n_samples_fit_, n_features_in_ : int
        n and d.
    feature_names_in_ : (d,) array
        Columns of X, if it is a data frame whose columns all have names.

    Source: Errandonea et al., Algorithms 1 and 2.
    """

    def __init__(
        self,
        c1: float = 0.5,
        delta: float = 0.1,
        max_neighbors: int | None = 400,
        *,
        strategy: Literal["adaptive", "vote", "a-knn"] = "adaptive",
        n_neighbors: int = 10,
        classes: Sequence[Any] | None = None,
        fallback: Literal["lead", "majority"] = "lead",
        baseline: Literal["classes", "bag_size"] = "classes",
        algorithm: Literal["auto", "ball_tree", "brute", "kd_tree"] = "auto",
        metric: Metric = "minkowski",
        p: float = 2,
        n_jobs: int | None = None,
    ) -> None:
        self.c1 = c1
        self.delta = delta
        self.max_neighbors = max_neighbors
        self.strategy = strategy
        self.n_neighbors = n_neighbors
        self.classes = classes
        self.fallback = fallback
        self.baseline = baseline
        self.algorithm = algorithm
        self.metric = metric
        self.p = p
        self.n_jobs = n_jobs

    def _rule(self) -> Adaptive | PartialAdaptive:
        """The rule that the parameters ask for, that of "adaptive" beside a vote; ValueError if they are none."""
        if self.strategy not in STRATEGIES:
            raise ValueError(f"strategy must be 'adaptive', 'vote' or 'a-knn', got {self.strategy!r}")
        checks.check_int("n_neighbors", self.n_neighbors, 1)
        band = self.c1, self.delta, self.max_neighbors
        rules = PartialAdaptive(*band, self.fallback), Adaptive(*band, self.baseline)
        return rules[self.strategy == "a-knn"]

    def _seen(self, codes: np.ndarray, n_classes: int) -> np.ndarray:
        """Bags (n, C) of one label each."""
        return codes[:, None] == np.arange(n_classes)

    def _scan(self, queries: np.ndarray, rule: Adaptive | PartialAdaptive) -> Scan:
        """The scan of the strategy around queries (m, d); in a vote the labels are left that are in most bags."""
        if self.strategy != "vote":
            return super()._scan(queries, rule)
        k = within(self.n_neighbors, self.n_samples_fit_)
        table = NeighborTable.build(self._points, queries, k)
        profile = VoteProfile.count(table, self._labels, known(self.classes_))
        votes = profile.at(k)
        alive = votes == votes.max(axis=1, keepdims=True)
        return Scan(Vote().predict(profile, k), np.full(len(votes), k, np.int32), alive.sum(axis=1) == 1, alive)
