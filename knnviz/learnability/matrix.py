"""A bag process as a matrix: a column for each true label, a row for each bag."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from knnviz.bags import BagProcess
from knnviz.checks import (
    Seed,
    check_codes,
    check_int,
    check_numbers,
    check_probabilities,
    check_real,
    check_seed,
    check_whole_numbers,
    require,
    shown,
)

#: Largest C, since a matrix has 2^C rows.
MAX_CLASSES = 12

#: How far the sum of a column may be from 1: less than for eta, since the rank needs double
#: precision.
COLUMN_TOL = 1e-9


class World(NamedTuple):
    """A process M (2^C, C) and the label probabilities eta (C,) at one point."""

    process: np.ndarray
    eta: np.ndarray


def every_bag(n_classes: int) -> np.ndarray:
    """All 2^C bags of C labels, 2 to 12: (2^C, C) bool. Row b holds label y where bit y of b is
    set.

    Examples
    --------
    >>> from knnviz.learnability import every_bag
    >>> every_bag(2).astype(int).tolist()
    [[0, 0], [1, 0], [0, 1], [1, 1]]
    """
    n_classes = check_int("n_classes", n_classes, 2, MAX_CLASSES)
    rows = np.arange(2**n_classes)[:, None]
    return (rows >> np.arange(n_classes) & 1).astype(bool)


def uniform_weights(bags: np.ndarray) -> np.ndarray:
    """1 over the size of the bag (n, C) for labels in it, 0 for others; all 0 for an empty bag."""
    sizes = bags.sum(axis=1, keepdims=True)
    return bags / np.maximum(sizes, 1)


def process_matrix(columns: Sequence[Mapping[Iterable[int], float]]) -> np.ndarray:
    """M (2^C, C) from the probabilities of bags that occur, label by label: ``[{(0,): 0.6, (0, 1):
    0.4}, {(1,): 1}]``.

    Column i holds P(s | y = i), rows are those of ``every_bag``. A bag is a tuple of labels
    0 to C - 1, and may be empty. Raises ValueError for probabilities that are not in [0, 1]
    or do not sum to 1, and for other labels. Source: Errandonea et al., section 2.

    Examples
    --------
    >>> from knnviz.learnability import process_matrix
    >>> process_matrix([{(0,): 0.6, (0, 1): 0.4}, {(1,): 1}]).tolist()
    [[0.0, 0.0], [0.6, 0.0], [0.0, 1.0], [0.4, 0.0]]
    """
    n_classes = len(columns)
    process = np.zeros((len(every_bag(n_classes)), n_classes))
    for label, column in enumerate(columns):
        if not isinstance(column, Mapping):
            raise ValueError(f"a column must be a dict of bags, got {shown(column)}")
        for bag, value in column.items():
            if not isinstance(bag, Iterable):
                raise ValueError(f"a bag must be a tuple of labels, got {shown(bag)}")
            labels = {check_int("a label of a bag", each, 0, n_classes - 1) for each in bag}
            row = sum(1 << each for each in labels)
            process[row, label] += check_real("the probability of a bag", value, 0, 1)
    return check_process(process)


def process_of(bag_process: BagProcess, part: int = 0) -> np.ndarray:
    """M (2^C, C) of a ``BagProcess`` in one part of the space; ValueError for other parts, and more
    than 12 labels.

    Examples
    --------
    >>> from knnviz import BagProcess
    >>> from knnviz.learnability import process_of
    >>> process_of(BagProcess.from_inclusion(2, 0.4)).tolist()
    [[0.0, 0.0], [0.6, 0.0], [0.0, 0.6], [0.4, 0.4]]
    """
    if not isinstance(bag_process, BagProcess):
        raise ValueError(f"bag_process must be a BagProcess, got {shown(bag_process)}")
    part = check_int("part", part, 0, len(bag_process.inclusion) - 1)
    labels = np.arange(bag_process.n_classes)
    inclusion = bag_process.inclusion[part]
    joins = every_bag(bag_process.n_classes)[:, None, :]
    clean = np.where(joins, inclusion, 1 - inclusion).prod(axis=2)
    noise = bag_process.bag_noise
    if bag_process.kind == "removal":
        # A bag loses its true label: in each column, rows that differ by that label alone are
        # exchanged.
        exchanged = np.arange(len(clean))[:, None] ^ (1 << labels)
        return (1 - noise) * clean + noise * clean[exchanged, labels]
    # ``replacements`` (C, C): at [y, i] the probability that y replaces the true label i.
    return (1 - noise) * clean + noise * clean @ bag_process.replacements


def check_process(process: np.ndarray) -> np.ndarray:
    """Return floats M (2^C, C), or raise ValueError for another shape or wrong columns."""
    process = check_numbers("process", process)
    shape = process.shape
    is_matrix = len(shape) == 2 and 2 <= shape[1] <= MAX_CLASSES
    if not is_matrix or shape[0] != 2 ** shape[1]:
        raise ValueError(
            f"process must have a row for each bag and a column for each label, got shape {shape}"
        )
    least = process.min()
    require(least >= 0, f"process must hold probabilities, got {least:g}")
    total = process.sum(axis=0)
    worst = int(abs(total - 1).argmax())
    is_sum_1 = abs(total[worst] - 1) <= COLUMN_TOL
    if not is_sum_1:
        got = f"{total[worst]:.10g} for label {worst}"
        raise ValueError(f"each column of process must sum to 1, got {got}")
    return process


def check_distributions(name: str, values: np.ndarray, n: int, of: str = "label") -> np.ndarray:
    """Return distributions (..., n) of floats, or raise ValueError for another n or other than
    probabilities.
    """
    values = check_numbers(name, values)
    shape = values.shape
    if not shape or shape[-1] != n:
        raise ValueError(f"{name} must have {n} columns, one for each {of}, got shape {shape}")
    return check_probabilities(name, values.reshape(-1, n)).reshape(shape)


def check_world(process: np.ndarray, eta: np.ndarray) -> World:
    """Return M (2^C, C) and eta (C,) of floats, or raise ValueError."""
    process = check_process(process)
    eta = check_distributions("eta", eta, process.shape[1])
    require(eta.ndim == 1, f"eta must be that of one point, got shape {eta.shape}")
    return World(process, eta)


def cooccurrence(process: np.ndarray) -> np.ndarray:
    """The co-occurrence matrix (C, C): at [y, i] the probability that a bag holds y if the true
    label is i.

    Source: Errandonea et al., section 2.

    Examples
    --------
    >>> from knnviz.learnability import cooccurrence, process_matrix
    >>> process = process_matrix([{(0,): 0.6, (0, 1): 0.4}, {(1,): 1}])
    >>> cooccurrence(process).tolist()
    [[1.0, 0.0], [0.4, 1.0]]
    """
    process = check_process(process)
    return every_bag(process.shape[1]).T @ process


def bag_distribution(process: np.ndarray, eta: np.ndarray) -> np.ndarray:
    """P(s | x) (..., 2^C) = M eta(x) for eta (..., C) (Errandonea et al., section 2)."""
    process = check_process(process)
    return check_distributions("eta", eta, process.shape[1]) @ process.T


def frequency(process: np.ndarray, eta: np.ndarray) -> np.ndarray:
    """P(S_y | x) (..., C), how often a bag holds y: the co-occurrence matrix times eta (..., C), or
    ValueError.

    Source: Errandonea et al., section 2.

    Examples
    --------
    >>> from knnviz.learnability import frequency, process_matrix
    >>> process = process_matrix([{(0,): 0.6, (0, 1): 0.4}, {(1,): 1}])
    >>> frequency(process, [0.5, 0.5]).round(6).tolist()
    [0.5, 0.7]
    """
    together = cooccurrence(process)
    return check_distributions("eta", eta, len(together)) @ together.T


def draw_bags(process: np.ndarray, y: np.ndarray, seed: Seed = 0) -> np.ndarray:
    """Bags (n, C) bool of points with true labels y (n,), drawn by M (2^C, C).

    Examples
    --------
    >>> import numpy as np
    >>> from knnviz.learnability import EXAMPLES, draw_bags
    >>> bags = draw_bags(EXAMPLES["even inclusion"].process, np.zeros(10_000, int), seed=0)
    >>> bags.mean(axis=0).round(2).tolist()
    [1.0, 0.4, 0.4]
    """
    process = check_process(process)
    n_classes = process.shape[1]
    y = check_whole_numbers("y", y)
    y = check_codes("y", y, y.size, n_classes)
    u = check_seed(seed).random(len(y))
    # The last bag that can occur takes what rounding leaves.
    cumulative = np.cumsum(process, axis=0)
    cumulative[cumulative >= cumulative[-1]] = np.inf
    drawn = np.zeros(len(y), int)
    for label in range(n_classes):
        of_label = y == label
        drawn[of_label] = np.searchsorted(cumulative[:, label], u[of_label], side="right")
    return every_bag(n_classes)[drawn]
