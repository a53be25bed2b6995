"""Nearest neighbors that learn from bags of candidate labels, as a scikit-learn estimator."""

from collections.abc import Sequence
from dataclasses import KW_ONLY
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from knnviz import checks
from knnviz.bags import as_bags
from knnviz.estimators.base import check_neighbors, estimator, n_rule_classes
from knnviz.estimators.stopping import StoppingClassifier
from knnviz.neighbors import NeighborTable
from knnviz.profiles import VoteProfile
from knnviz.rules import Adaptive, PartialAdaptive, Scan, Vote


@estimator
class PartialLabelKNeighborsClassifier(StoppingClassifier):
    """PL A-kNN: labels are eliminated as the ball around a point grows, until one is left; bags of candidates vote.

    Two other rules serve for comparison, see ``strategy``.

    There is no ``predict_proba``: the fractions of bags that hold each label do not sum to 1. How they relate to the
    probabilities of the labels depends on the unknown distribution of the bags.

    Source: Errandonea et al., Algorithms 1 and 2.

    Parameters
    ----------
    strategy : "adaptive", "vote" or "a-knn"
        "adaptive": PL A-kNN, see ``knnviz.rules.PartialAdaptive``. "vote": the label in most of the ``n_neighbors``
        nearest bags; a point is undecided if labels tie. "a-knn": the ball stops once the fraction of one label
        exceeds a baseline by a band, see ``knnviz.rules.Adaptive``; if none does, a point is undecided, with all labels
        left.
    n_neighbors : int
        k, at most n. Used with strategy="vote", and by ``kneighbors``.
    fallback : "lead" or "majority"
        Which label is predicted if several are left at T: the one that ever had the largest lead over the runner-up in
        votes, divided by sqrt(k), or the one in most bags. Used only with strategy="adaptive".
    baseline : "classes" or "bag_size"
        What the fraction of a label must exceed: 1 / C, or the mean size of a bag divided by C. Used only with
        strategy="a-knn".

    Attributes
    ----------
    classes_ : (C,) array
        The labels, in the order of the columns of ``predict_set``.

    Examples
    --------
    >>> from knnviz.estimators import PartialLabelKNeighborsClassifier
    >>> import numpy as np
    >>> X, bags = np.arange(100)[:, None], [[1, 1, 0], [1, 0, 1]] * 50
    >>> model = PartialLabelKNeighborsClassifier(classes=["a", "b", "c"]).fit(X, bags)
    >>> str(model.predict([[50]])[0]), model.predict_set([[50]]).tolist(), model.stopping_neighbors([[50]]).tolist()
    ('a', [[True, False, False]], [9])
    """

    max_neighbors: int | None = 400
    _: KW_ONLY
    strategy: Literal["adaptive", "vote", "a-knn"] = "adaptive"
    n_neighbors: int = 10
    classes: Sequence[Any] | None = None
    fallback: Literal["lead", "majority"] = "lead"

    def _rule(self) -> Adaptive | PartialAdaptive:
        # Both are made, so that all parameters are checked, also for "vote", which reads neither.
        checks.check_choice("strategy", self.strategy, ("adaptive", "vote", "a-knn"))
        checks.check_int("n_neighbors", self.n_neighbors, 1)
        shared = self.c1, self.delta, self.max_neighbors
        partial_adaptive, adaptive = PartialAdaptive(*shared, self.fallback), Adaptive(*shared, self.baseline)
        return adaptive if self.strategy == "a-knn" else partial_adaptive

    def _read(self, X: ArrayLike, y: ArrayLike, min_samples: int = 1) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        X, classes, observed = super()._read(X, y, min_samples)
        return X, classes, as_bags(observed, len(X), n_rule_classes(classes))

    def _scan(self, queries: np.ndarray, rule: Adaptive | PartialAdaptive) -> Scan:
        if self.strategy != "vote":
            return super()._scan(queries, rule)
        k = check_neighbors(self.n_neighbors, self.n_samples_fit_)
        table = NeighborTable.build(self._index, queries, k)
        profile = VoteProfile.count(table, self._labels, n_rule_classes(self.classes_))
        votes = profile.at(k)
        alive = votes == votes.max(axis=1, keepdims=True)
        return Scan(Vote().predict(profile, k), np.full(len(votes), k, np.int32), alive.sum(axis=1) == 1, alive)
