"""Many risks of one sample: one neighbor search for all values of k, all draws and all rules."""

from collections.abc import Callable, Sequence
from functools import partial, reduce

import numpy as np

from knnviz import kernels
from knnviz.checks import check_codes, check_weights
from knnviz.neighbors import NeighborTable, SpatialIndex, Windows
from knnviz.noise import NeighborSource
from knnviz.profiles import VoteProfile, Votes, WindowProfile
from knnviz.risk.integrals import Antiderivative, on_line
from knnviz.rules import Rule
from knnviz.threads import parallel_map, slices

#: Most neighbors of queries in memory at one time.
MOST_ENTRIES = 2**22

#: Observed labels (n,), and the rules that read them.
Draw = tuple[np.ndarray, Sequence[Rule]]

#: Observed labels (n,), and each rule fitted at every k.
Fitted = tuple[np.ndarray, list[list[Rule]]]


def sweep(
    X: np.ndarray,
    queries: np.ndarray,
    eta: np.ndarray,
    draws: Sequence[Draw],
    ks: Sequence[int],
    *,
    weights: np.ndarray | None = None,
) -> np.ndarray:
    """Risks (draws, rules, ks) of rules trained on points X (n, d), measured at queries (m, d) of
    known eta (m, C).

    Each draw pairs observed labels (n,) with equally many rules, which may depend on the noise of
    the draw. Queries weigh the same by default; ``weights`` (m,) sum to 1. For held-out points eta
    is the one-hot code of their classes. Neighbors are searched once.
    """
    index = SpatialIndex(X)
    n = len(index.X)
    m, n_classes = eta.shape
    eta = np.ascontiguousarray(eta)
    weights = check_weights(weights, m)
    needed = max(_needed(draws, ks, n))
    train = NeighborTable.build(index, None, needed) if needed else None
    fitted = _fit(draws, train, ks, n_classes)
    k_max = max(ks)

    def part(piece: slice) -> np.ndarray:
        """What some queries contribute to the risks."""
        table = NeighborTable.build(index, queries[piece], k_max)
        count = partial(VoteProfile.build, table, n_classes=n_classes, ks=ks)

        def risk(labels: np.ndarray, k: int) -> float:
            return kernels.expected_error(eta[piece], labels, weights[piece])

        return _measure(fitted, ks, count, risk)

    pieces = slices(m, max(1, MOST_ENTRIES // k_max))
    return reduce(np.add, map(part, pieces))


def sweep_line(
    windows: Windows, antiderivative: Antiderivative, draws: Sequence[Draw], ks: Sequence[int]
) -> np.ndarray:
    """Risks (draws, rules, ks) on a line, integrated as in ``on_line``; draws as in ``sweep``."""
    n_classes = antiderivative.values.shape[1]
    draws = [
        (check_codes("labels", labels, windows.n, n_classes), rules) for labels, rules in draws
    ]
    count = partial(WindowProfile.build, windows, n_classes=n_classes)
    fitted = _fit(draws, windows, ks, n_classes)

    def risk(labels: np.ndarray, k: int) -> float:
        return on_line(antiderivative, windows.breakpoints(k), labels)

    return _measure(fitted, ks, count, risk)


def _needed(draws: Sequence[Draw], ks: Sequence[int], n: int) -> list[int]:
    """How many neighbors of n training points the rules read to estimate, at each k.

    At most n: a rule that needs more says so when it is fitted.
    """
    needed = []
    for _, rules in draws:
        for rule in rules:
            needed += [min(rule.neighbors_needed(k), n) for k in ks]
    return needed


def _fit(
    draws: Sequence[Draw], train: NeighborTable | Windows | None, ks: Sequence[int], n_classes: int
) -> list[Fitted]:
    """The rules of each draw, fitted; votes at the training points are counted once for all."""

    def fit(draw: Draw) -> Fitted:
        labels, rules = draw
        source: NeighborSource | None = train
        if isinstance(train, NeighborTable):
            needed = [k for k in _needed([draw], ks, train.n) if k]
            source = VoteProfile.build(train, labels, n_classes, needed)
        return labels, [[rule.fit(source, labels, k, n_classes) for k in ks] for rule in rules]

    return parallel_map(fit, draws)


def _measure(
    fitted: Sequence[Fitted],
    ks: Sequence[int],
    count: Callable[[np.ndarray], Votes],
    risk: Callable[[np.ndarray, int], float],
) -> np.ndarray:
    """Risks (draws, rules, ks) of predictions from the votes that ``count`` counts."""

    def measure(draw: Fitted) -> list[list[float]]:
        labels, rules = draw
        votes = count(labels)
        return [
            [risk(rule.predict(votes, k), k) for rule, k in zip(at_ks, ks, strict=True)]
            for at_ks in rules
        ]

    return np.array(parallel_map(measure, fitted))
