"""Which index searches the training points: ours for Euclidean distances, else scikit-learn's."""

import numpy as np

from knnviz import checks
from knnviz.neighbors.metric_index import Metric, MetricIndex
from knnviz.neighbors.spatial_index import ALGORITHMS, SpatialIndex

#: Names of the Euclidean distance; "minkowski" with p = 2 is another.
EUCLIDEAN = ("euclidean", "l2")


def prepare(
    X: np.ndarray, metric: Metric = "euclidean", p: float = 2, *, algorithm: str = "auto", n_jobs: int | None = None
) -> SpatialIndex | MetricIndex:
    """Build an index of training points X (n, d), for any number of queries under one metric.

    Raises ValueError for points that are not finite, an unknown metric or one that the algorithm cannot search, and
    parameters out of the ranges below.

    Parameters
    ----------
    X : (n, d) array
        Finite numbers.
    metric : str or callable
        A name that scikit-learn has for a distance of two points, or a function of two points (d,).
    p : float
        Exponent of the Minkowski distance, from 1 to infinity; read for metric="minkowski" alone.
    algorithm : "auto", "ball_tree", "brute" or "kd_tree"
        How neighbors are searched for. Euclidean neighbors do not depend on it, and "auto" is fastest.
    n_jobs : int, optional
        Threads of scikit-learn's search, as joblib counts them; Euclidean neighbors use all processors.

    Examples
    --------
    >>> from knnviz.neighbors import NeighborTable, prepare
    >>> import numpy as np
    >>> index = prepare(np.array([[0.0, 3.0], [2.0, 2.0]]), metric="manhattan")
    >>> NeighborTable.build(index, np.array([[0.0, 0.0]]), k_max=2).indices.tolist()
    [[0, 1]]
    """
    p = checks.check_real("p", p, 1, np.inf)
    if algorithm not in ALGORITHMS:
        raise ValueError(f"algorithm must be one of {', '.join(map(repr, ALGORITHMS))}, got {algorithm!r}")
    if n_jobs is not None and (isinstance(n_jobs, bool) or not isinstance(n_jobs, int | np.integer) or n_jobs == 0):
        raise ValueError(f"n_jobs must be None or a whole number other than 0, got {n_jobs!r}")
    if metric in EUCLIDEAN or (metric == "minkowski" and p == 2):
        return SpatialIndex.of(X, algorithm)
    return MetricIndex.of(X, metric, p, algorithm, n_jobs)
