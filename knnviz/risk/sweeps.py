"""Many risks of one sample: one neighbor search for all values of k, all draws and all rules."""

from collections.abc import Callable, Sequence
from functools import partial, reduce

import numpy as np

from knnviz import checks, kernels
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
    n, dimension = index.X.shape
    queries = checks.check_points("queries", queries, dimension)
    eta = np.ascontiguousarray(checks.check_probabilities("eta", eta))
    m, n_classes = eta.shape
    if len(queries) != m:
        raise ValueError(f"eta must have a row for each of {len(queries)} queries, got {m}")
    weights = checks.check_weights(weights, m)
    ks = checks.check_ks(ks, n).tolist()
    draws = _read(draws, n, n_classes)
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
    ks = checks.check_ks(ks, windows.n).tolist()
    draws = _read(draws, windows.n, n_classes)
    count = partial(WindowProfile.build, windows, n_classes=n_classes)
    fitted = _fit(draws, windows, ks, n_classes)

    def risk(labels: np.ndarray, k: int) -> float:
        return on_line(antiderivative, windows, labels, k)

    return _measure(fitted, ks, count, risk)


def _read(draws: Sequence[Draw], n: int, n_classes: int) -> list[Draw]:
    """Draws with class codes (n,) and as many rules in each; or ValueError."""
    read = [(checks.check_codes("labels", labels, n, n_classes), rules) for labels, rules in draws]
    counts = {len(rules) for _, rules in read}
    fit = len(counts) == 1 and 0 not in counts
    if not fit or not all(isinstance(rule, Rule) for _, rules in read for rule in rules):
        raise ValueError(
            "draws must pair labels with rules that decide at a given k, as many in each"
        )
    return read


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
    fitted: list[Fitted] = [(labels, []) for labels, _ in draws]

    def fit(i: int) -> None:
        labels, rules = draws[i]
        source: NeighborSource | None = train
        if isinstance(train, NeighborTable):
            needed = [k for k in _needed([draws[i]], ks, train.n) if k]
            source = VoteProfile.build(train, labels, n_classes, needed)
        at_ks = [[rule.fit(source, labels, k, n_classes) for k in ks] for rule in rules]
        fitted[i] = labels, at_ks

    parallel_map(fit, range(len(draws)))
    return fitted


def _measure(
    fitted: Sequence[Fitted],
    ks: Sequence[int],
    count: Callable[[np.ndarray], Votes],
    risk: Callable[[np.ndarray, int], float],
) -> np.ndarray:
    """Risks (draws, rules, ks) of predictions from the votes that ``count`` counts."""
    _, rules_of_first = fitted[0]
    risks = np.empty((len(fitted), len(rules_of_first), len(ks)))

    def measure(i: int) -> None:
        labels, rules = fitted[i]
        votes = count(labels)
        for row, at_ks in enumerate(rules):
            for column, (rule, k) in enumerate(zip(at_ks, ks, strict=True)):
                risks[i, row, column] = risk(rule.predict(votes, k), k)

    parallel_map(measure, range(len(fitted)))
    return risks
