"""Many risks of one sample: one neighbor search for all values of k, all draws and all rules."""

from collections.abc import Callable, Sequence
from typing import cast

import numpy as np

from knnviz import checks
from knnviz.neighbors import NeighborTable, SpatialIndex, Windows
from knnviz.profiles import VoteProfile, WindowProfile
from knnviz.risk.exact import Antiderivative, exact, on_line
from knnviz.rules import EstimatingRule, Rule, TrainingNeighbors
from knnviz.threads import parallel_map, slices

#: Observed labels (n,), and the rules that read them.
Draw = tuple[np.ndarray, Sequence[Rule]]

#: Rules, each fitted at every k.
Fitted = list[list[Rule]]

#: Most neighbors of queries in a table at once, so that memory stays bounded.
MAX_ENTRIES = 2**22


def sweep(
    X: np.ndarray,
    queries: np.ndarray,
    eta: np.ndarray,
    draws: Sequence[Draw],
    ks: Sequence[int],
    *,
    weights: np.ndarray | None = None,
) -> np.ndarray:
    """Risks (draws, rules, ks) of rules trained on points X (n, d), measured at queries (m, d) of known eta (m, C).

    Each draw pairs observed labels (n,) with equally many rules, which may depend on the noise of the draw. Queries
    weigh the same by default; ``weights`` (m,) sum to 1. For held-out points eta is the one-hot code of their classes.
    Neighbors are searched once, queries in pieces. Raises ValueError for shapes that do not fit each other, for weights
    that are negative or have another sum, and for a k that exceeds n.

    Examples
    --------
    >>> from knnviz import Vote, risk
    >>> import numpy as np
    >>> X, y, queries = np.array([[0.0], [1.0]]), np.array([0, 1]), np.array([[0.1], [0.9]])
    >>> eta = np.array([[0.9, 0.1], [0.2, 0.8]])
    >>> risk.sweep(X, queries, eta, draws=[(y, [Vote()])], ks=[1, 2]).round(4).tolist()
    [[[0.15, 0.55]]]
    """
    index, queries, ks = SpatialIndex(X), checks.check_points("queries", queries), _check_ks(ks, len(X))
    if np.shape(eta)[:-1] != (len(queries),):
        raise ValueError(f"eta must have a row for each of {len(queries)} queries, got shape {np.shape(eta)}")
    eta, weights = np.asarray(eta), checks.check_weights(weights, len(queries))
    needed = _neighbors_needed(draws, ks)
    train = NeighborTable.build(index, None, checks.check_k(needed, len(X))) if needed else None
    fitted = _fit_all(draws, train, ks, eta.shape[-1])
    risks = np.zeros((len(draws), len(draws[0][1]), len(ks)))
    for piece in slices(len(queries), max(1, MAX_ENTRIES // max(ks))):
        table = NeighborTable.build(index, queries[piece], max(ks))
        risks += _measure(fitted, table, draws, ks, eta[piece], weights[piece])
    return risks


def _fit_all(draws: Sequence[Draw], train: TrainingNeighbors, ks: Sequence[int], n_classes: int) -> list[Fitted]:
    fitted: list[Fitted] = [[]] * len(draws)

    def fit(i: int) -> None:
        fitted[i] = _fit(draws[i], train, ks, n_classes)

    parallel_map(fit, range(len(draws)))
    return fitted


def _measure(
    fitted: list[Fitted],
    table: NeighborTable,
    draws: Sequence[Draw],
    ks: Sequence[int],
    eta: np.ndarray,
    weights: np.ndarray,
) -> np.ndarray:
    """The part of the risks (draws, rules, ks) that these queries contribute."""
    risks = np.empty((len(draws), len(draws[0][1]), len(ks)))

    def measure(i: int) -> None:
        votes = VoteProfile.count(table, draws[i][0], eta.shape[-1], ks)
        risks[i] = _risks_of(fitted[i], ks, lambda rule, k: exact(rule.predict(votes, k), eta, weights))

    parallel_map(measure, range(len(draws)))
    return risks


def sweep_line(
    windows: Windows, antiderivative: Antiderivative, draws: Sequence[Draw], ks: Sequence[int]
) -> np.ndarray:
    """Risks (draws, rules, ks) on a line, integrated as in ``on_line``; draws as in ``sweep``.

    Examples
    --------
    >>> from knnviz import Vote, problems, risk, windows
    >>> import numpy as np
    >>> points, y = windows.Windows.from_points(np.array([[0.25], [0.75]])), np.array([0, 1])
    >>> antiderivative = risk.Antiderivative.of(problems.linear(1.0))
    >>> risk.sweep_line(points, antiderivative, draws=[(y, [Vote()])], ks=[1, 2]).round(4).tolist()
    [[[0.25, 0.5]]]
    """
    ks, n_classes = _check_ks(ks, windows.n), antiderivative.values.shape[1]
    train = windows if _neighbors_needed(draws, ks) else None
    risks = np.zeros((len(draws), len(draws[0][1]), len(ks)))

    def measure(i: int) -> None:
        votes = WindowProfile.count(windows, draws[i][0], n_classes)
        fitted = _fit(draws[i], train, ks, n_classes)
        risks[i] = _risks_of(fitted, ks, lambda rule, k: on_line(windows, rule.predict(votes, k), k, antiderivative))

    parallel_map(measure, range(len(draws)))
    return risks


def _check_ks(ks: Sequence[int], n: int) -> list[int]:
    if not len(ks):
        raise ValueError("ks must hold at least one value")
    return [checks.check_k(k, n) for k in ks]


def _neighbors_needed(draws: Sequence[Draw], ks: Sequence[int]) -> int:
    """Most neighbors of a training point that any rule reads to estimate; 0 if none estimates."""
    lengths = {len(rules) for _, rules in draws}
    if len(lengths) != 1 or 0 in lengths:
        raise ValueError("draws must each hold labels and rules, as many rules in each and at least one")
    return max((needed for _, rules in draws for needed in _needed_by(rules, ks)), default=0)


def _needed_by(rules: Sequence[Rule], ks: Sequence[int]) -> list[int]:
    estimating = [cast(EstimatingRule, rule) for rule in rules if rule.estimates]
    return [rule.neighbors_needed(k) for rule in estimating for k in ks]


def _fit(draw: Draw, train: TrainingNeighbors, ks: Sequence[int], n_classes: int) -> Fitted:
    """The rules of a draw, each fitted at every k; votes at the training points, if any, are counted once for all."""
    labels, rules = draw
    if isinstance(train, NeighborTable):
        train = VoteProfile.count(train, labels, n_classes, _needed_by(rules, ks))
    return [[rule.fit(train, labels, k, n_classes) for k in ks] for rule in rules]


def _risks_of(fitted: Fitted, ks: Sequence[int], risk: Callable[[Rule, int], float]) -> np.ndarray:
    return np.array([[risk(rule, k) for rule, k in zip(row, ks, strict=True)] for row in fitted])
