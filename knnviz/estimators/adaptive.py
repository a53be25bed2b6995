"""A-kNN, nearest neighbors that choose their own number, as a scikit-learn estimator."""

from typing import Literal

from knnviz.estimators.stopping import StoppingClassifier
from knnviz.neighbors import Metric
from knnviz.rules import Adaptive


class AdaptiveKNeighborsClassifier(StoppingClassifier):
    """A-kNN: the ball around a point grows until one label stands out of a baseline by a band that shrinks with k.

    Two classes and plain labels have the original rule, everything else the extension to several classes and to bags of
    candidate labels, see ``knnviz.rules.Adaptive``. Neighbors are sorted by (distance, index); under another metric
    than the Euclidean, ties are those of the distances that scikit-learn computes. All parameters may be set anew
    without a new fit, but for those of the metric.

    There is no ``predict_proba``: a ball stops where the fraction of a label happens to be large, which overstates it,
    and the fractions of bags do not sum to 1.

    Parameters
    ----------
    c1 : float
        Constant of the band, above 0. The larger, the farther a ball grows.
    delta : float
        Failure probability, strictly between 0 and 1.
    max_neighbors : int, optional
        T, the largest k that is looked at; by default and at most n. Where no label stands out by then the majority of
        those neighbors decides, and the point is undecided (the original abstains).
    baseline : "classes" or "bag_size"
        What a label must stand out of where there are bags: 1 / C, or the mean size of a bag over C. The same for plain
        labels.
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
        The labels, sorted; of bags the columns, in their order.
    n_samples_fit_, n_features_in_ : int
        n and d.
    feature_names_in_ : (d,) array
        Columns of X, if it is a data frame whose columns all have names.

    Source: Balsubramani et al. (2019); the extension as in Errandonea et al., the second baseline is ours.
    """

    def __init__(
        self,
        c1: float = 0.5,
        delta: float = 0.1,
        max_neighbors: int | None = None,
        *,
        baseline: Literal["classes", "bag_size"] = "classes",
        algorithm: Literal["auto", "ball_tree", "brute", "kd_tree"] = "auto",
        metric: Metric = "minkowski",
        p: float = 2,
        n_jobs: int | None = None,
    ) -> None:
        self.c1 = c1
        self.delta = delta
        self.max_neighbors = max_neighbors
        self.baseline = baseline
        self.algorithm = algorithm
        self.metric = metric
        self.p = p
        self.n_jobs = n_jobs

    @property
    def n_neighbors(self) -> int:
        """How many neighbors ``kneighbors`` gives if it is not told: those that the rule may look at, at most n - 1."""
        within = self.n_samples_fit_ - 1 if hasattr(self, "n_samples_fit_") else 1
        return within if self.max_neighbors is None else min(self.max_neighbors, within)

    def _rule(self) -> Adaptive:
        """The rule that the parameters ask for; ValueError if they are out of range."""
        return Adaptive(self.c1, self.delta, self.max_neighbors, self.baseline)
