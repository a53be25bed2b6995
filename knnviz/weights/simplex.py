"""Class weights on the simplex: its grid, and pairs of weights that cover others."""

import math
from collections.abc import Iterator
from itertools import chain, combinations
from typing import Literal

import numpy as np

from knnviz import checks
from knnviz.checks import Weights, check_class_weights

#: Weights that differ by no more than this are equal.
TOL = 1e-9

#: Most points of a grid on the simplex.
MOST_POINTS = 2_000_000

#: What a pair must satisfy to cover weights.
Form = Literal["strict", "weak", "ratio"]


def simplex_grid(n_classes: int, m: int) -> np.ndarray:
    """All weights a / m on the simplex, an array (J, C), where a are non-negative integers that sum to m.

    They are in lexicographic order, from all weight on the last class to all on the first. There are J = binomial
    (m + C - 1, C - 1) of them: 5151 for C = 3 and m = 100. Raises ValueError unless C is 2 to 255, m at least 1, and
    J at most 2,000,000. Source: Khim et al., section 6.

    Examples
    --------
    >>> from knnviz.weights import simplex_grid
    >>> simplex_grid(2, 4).tolist()
    [[0.0, 1.0], [0.25, 0.75], [0.5, 0.5], [0.75, 0.25], [1.0, 0.0]]
    >>> len(simplex_grid(3, 100))
    5151
    """
    n_classes, m = checks.check_int("n_classes", n_classes, 2, 255), checks.check_int("m", m, 1)
    positions, bars = m + n_classes - 1, n_classes - 1
    number = math.comb(positions, bars)
    if number > MOST_POINTS:
        raise ValueError(f"a grid on the simplex may have at most {MOST_POINTS} points, got {number} of m = {m}")
    # Stars and bars: a is the distances between bars among m + C - 1 positions.
    chosen = chain.from_iterable(combinations(range(positions), bars))
    edges = np.full((number, n_classes + 1), -1)
    edges[:, 1:-1] = np.fromiter(chosen, np.int64, number * bars).reshape(number, bars)
    edges[:, -1] = positions
    return (np.diff(edges, axis=1) - 1) / m


def covers(more: Weights, less: Weights, q: Weights, c: int, form: Form = "strict") -> bool:
    """Whether the pair (q', q'') = (more, less) of weights (C,) covers q (C,) for class c, "class-c covers".

    Source: Khim et al., Definition 1 ("strict").

    Parameters
    ----------
    more, less, q : sequences (C,)
        Class weights on the simplex; in the form "ratio" on any scale. ``more`` favors class c more than q, ``less``
        less. Weights that differ by no more than 1e-9 are equal.
    c : int
        The class, in 0 to C - 1. A pair that covers strictly for one class covers for no other.
    form : "strict", "weak" or "ratio"
        "strict": q'_c > q_c > q''_c, and q'_j < q_j < q''_j for every j != c. "weak": with equality allowed, so
        that q covers itself. "ratio": q'_j / q'_c <= q_j / q_c <= q''_j / q''_c for every j != c. Strict implies weak,
        and weak implies ratio, which suffices for the sets where class c is predicted to be nested.

    Examples
    --------
    >>> from knnviz.weights import covers
    >>> covers(more=(0.6, 0.4), less=(0.4, 0.6), q=(0.5, 0.5), c=0)
    True
    >>> covers(more=(0.5, 0.5), less=(0.5, 0.5), q=(0.5, 0.5), c=0)
    False
    >>> covers(more=(0.5, 0.5), less=(0.5, 0.5), q=(0.5, 0.5), c=0, form="weak")
    True
    """
    checks.check_choice("form", form, ("strict", "weak", "ratio"))
    on_simplex = form != "ratio"
    q = _check_weights("q", q, None, on_simplex)
    more, less = _check_weights("more", more, len(q), on_simplex), _check_weights("less", less, len(q), on_simplex)
    others = np.delete(np.arange(len(q)), checks.check_int("class c", c, 0, len(q) - 1))
    if form == "ratio":
        return all(gap >= -TOL for gap in (*_ratio_gaps(more, q, c, others), *_ratio_gaps(q, less, c, others)))
    gaps = np.concatenate([[more[c] - q[c], q[c] - less[c]], (q - more)[others], (less - q)[others]])
    return bool((gaps > TOL if form == "strict" else gaps >= -TOL).all())


def cover(q: Weights, m: int, c: int, *, strict: bool = True, lowest: float = 0.0) -> np.ndarray | None:
    """The tightest pair (q', q'') of weights a / m that covers q for class c, as rows (2, C); None without one.

    Source: Khim et al., Definition 1 and section 5.

    Parameters
    ----------
    q : sequence (C,)
        Class weights on the simplex.
    m : int
        The grid has steps 1 / m, m at least 1. A weight within 1e-9 of the grid lies on it.
    c : int
        The class, in 0 to C - 1. Each class has a pair of its own.
    strict : bool
        Otherwise a weak cover, which is (q, q) where q lies on the grid.
    lowest : float
        In [0, 1]: the smallest weight that a class may have in the pair.

    Examples
    --------
    >>> from knnviz.weights import cover
    >>> cover((0.3, 0.3, 0.4), m=4, c=0).tolist()
    [[0.5, 0.25, 0.25], [0.0, 0.5, 0.5]]
    >>> cover((0.1, 0.1, 0.8), m=4, c=0) is None
    True
    """
    q = _check_weights("q", q, None, on_simplex=True)
    m, c = checks.check_int("m", m, 1), checks.check_int("class c", c, 0, len(q) - 1)
    lowest = checks.check_real("lowest", lowest, 0, 1)
    steps = np.where(abs(q - np.round(q * m) / m) <= TOL, np.round(q * m), q * m)
    below, above = (np.ceil(steps) - 1, np.floor(steps) + 1) if strict else (np.floor(steps), np.ceil(steps))
    pair = np.stack([below, above])
    pair[:, c] = m - np.delete(pair, c, axis=1).sum(axis=1)
    return None if pair.min() < lowest * m - TOL else pair / m


def to_simplex(q: Weights, m: int | None = None) -> np.ndarray:
    """The weights (C,) on the simplex that are nearest to any numbers q (C,); with ``m`` on the grid a / m.

    On the simplex it is the Euclidean projection; on the grid m times this projection is rounded by largest remainders
    to the sum m, and divided by m. Raises ValueError unless q holds two or more finite numbers and m is at least 1.

    Examples
    --------
    >>> from knnviz.weights import to_simplex
    >>> to_simplex([0.8, 0.6]).round(4).tolist()
    [0.6, 0.4]
    >>> to_simplex([0.8, 0.6], m=4).tolist()
    [0.5, 0.5]
    """
    numbers = checks.check_numbers("q", q)
    if numbers.ndim != 1 or len(numbers) < 2 or not np.isfinite(numbers).all():
        raise ValueError(f"q must hold two or more finite numbers, got {numbers}")
    # A shift changes nothing, and numbers 1 or more below the largest get no weight: large numbers lose no digits.
    with np.errstate(over="ignore"):
        numbers = np.maximum(numbers - numbers.max(), -1)
    descending = -np.sort(-numbers)
    excess = (np.cumsum(descending) - 1) / np.arange(1, len(numbers) + 1)
    projected = np.maximum(numbers - excess[descending > excess][-1], 0)
    if m is None:
        return projected
    # Rounding errors must not decide which weight is rounded up.
    scaled = (projected * checks.check_int("m", m, 1)).round(9)
    rounded = np.floor(scaled)
    largest_remainders = np.argsort(rounded - scaled, kind="stable")[: round(m - rounded.sum())]
    rounded[largest_remainders] += 1
    return rounded / m


def _ratio_gaps(more: np.ndarray, less: np.ndarray, c: int, others: np.ndarray) -> Iterator[float]:
    """less_j more_c - more_j less_c for every other class j: at least 0 iff more_j / more_c <= less_j / less_c."""
    return (less[j] * more[c] - more[j] * less[c] for j in others)


def _check_weights(name: str, q: Weights, n_classes: int | None, on_simplex: bool) -> np.ndarray:
    """Weights (C,) over their sum, which is 1 if ``on_simplex``, of ``n_classes`` or any two or more; or ValueError."""
    weights = check_class_weights(q, n_classes, name)
    if on_simplex and abs(weights.sum() - 1) > TOL:
        raise ValueError(f"{name} must sum to 1, got {weights.sum():g}")
    return weights / weights.sum()
