"""A-kNN, nearest neighbors that choose their own number, as a scikit-learn estimator."""

from knnviz.estimators.base import estimator
from knnviz.estimators.stopping import StoppingClassifier
from knnviz.rules import Adaptive


@estimator
class AdaptiveKNeighborsClassifier(StoppingClassifier):
    """A-kNN: the ball around a point grows until the fraction of one label exceeds a baseline by a band A / sqrt(k).

    With two classes and plain labels it is the original rule, otherwise its extension to several classes and to bags;
    see ``knnviz.rules.Adaptive``, also for A. A point is undecided (the original abstains) if the ball stops at no k up
    to T; then the majority at T is predicted.

    There is no ``predict_proba``: a ball stops where the fraction of a label happens to be large, which biases it
    upwards, and the fractions of bags do not sum to 1.

    Source: Balsubramani et al. (2019); the extension as in Errandonea et al.; the baseline "bag_size" is ours.

    Examples
    --------
    >>> from knnviz.estimators import AdaptiveKNeighborsClassifier
    >>> import numpy as np
    >>> X = np.arange(1000.0)[:, None]
    >>> model = AdaptiveKNeighborsClassifier().fit(X, X[:, 0] >= 500)
    >>> model.predict([[100], [900]]).tolist(), model.stopping_neighbors([[100], [480], [500]]).tolist()
    ([False, True], [3, 3, 1000])
    """

    @property
    def n_neighbors(self) -> int:
        """The default of ``kneighbors``: ``max_neighbors``, at most n - 1."""
        others = self.n_samples_fit_ - 1 if hasattr(self, "n_samples_fit_") else 1
        return others if self.max_neighbors is None else min(self.max_neighbors, others)

    def _rule(self) -> Adaptive:
        return Adaptive(self.c1, self.delta, self.max_neighbors, self.baseline)
