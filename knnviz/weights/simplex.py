"""Class weights on the simplex: its grid, and pairs of weights that cover others."""

import math
from itertools import chain, combinations
from typing import Literal, get_args

import numpy as np

from knnviz.checks import (
    Weights,
    check_choice,
    check_class_weights,
    check_int,
    check_n_classes,
    check_real,
    check_row,
    require,
    rescaled,
)

#: Weights that differ by no more than this are equal.
TOL = 1e-9

#: Most points of a grid on the simplex.
MOST_POINTS = 2_000_000

#: What a pair must satisfy to cover weights.
Form = Literal["strict", "weak"]


def simplex_grid(n_classes: int, parts: int) -> np.ndarray:
    """All weights a / parts on the simplex, an array (J, C), where a are non-negative integers that
    sum to ``parts``.

    They are in lexicographic order, from all weight on the last class to all on the first. There
    are J = binomial (parts + C - 1, C - 1) of them: 5151 for C = 3 and 100 parts. Raises ValueError
    unless C is 2 to 255, ``parts`` at least 1, and J at most 2,000,000. Source: Khim et al.,
    section 6.

    Examples
    --------
    >>> from knnviz.weights import simplex_grid
    >>> simplex_grid(2, 4).tolist()
    [[0.0, 1.0], [0.25, 0.75], [0.5, 0.5], [0.75, 0.25], [1.0, 0.0]]
    >>> len(simplex_grid(3, 100))
    5151
    """
    n_classes = check_n_classes(n_classes)
    parts = check_int("parts", parts, 1)
    number = grid_size(n_classes, parts)
    positions = parts + n_classes - 1
    bars = n_classes - 1
    # Stars and bars: a is the distances between bars among parts + C - 1 positions.
    chosen = chain.from_iterable(combinations(range(positions), bars))
    edges = np.full((number, n_classes + 1), -1)
    at_bars = np.fromiter(chosen, np.int64, number * bars)
    edges[:, 1:-1] = at_bars.reshape(number, bars)
    edges[:, -1] = positions
    return (np.diff(edges, axis=1) - 1) / parts


def grid_size(n_classes: int, parts: int) -> int:
    """How many weights ``simplex_grid`` gives; ValueError for more than 2,000,000."""
    number = math.comb(parts + n_classes - 1, n_classes - 1)
    if number > MOST_POINTS:
        raise ValueError(
            f"a grid may have at most {MOST_POINTS:,} points; {n_classes} classes with {parts} "
            "parts have more"
        )
    return number


def covers(more: Weights, less: Weights, q: Weights, c: int, form: Form = "strict") -> bool:
    """Whether the pair (q', q'') = (more, less) of weights (C,) covers q (C,) for class c, "class-c
    covers".

    ``more`` favors class c more than q, ``less`` less; all are divided by their sums. "strict":
    q'_c > q_c > q''_c, and q'_j < q_j < q''_j for every j != c, where weights that differ by no
    more than 1e-9 are equal. A pair that covers strictly for one class covers for no other. "weak":
    with equality allowed, so that q covers itself. Either suffices for the sets where class c is
    predicted to be nested. Source: Khim et al., Definition 1 ("strict").
    """
    check_choice("form", form, get_args(Form))
    at = _shares(q)
    above = _shares(more, len(at))
    below = _shares(less, len(at))
    c = check_int("c", c, 0, len(at) - 1)
    signs = np.where(np.arange(len(at)) == c, 1, -1)
    gaps = np.stack([above - at, at - below]) * signs
    if form == "strict":
        return bool((gaps > TOL).all())
    return bool((gaps >= -TOL).all())


def cover(q: Weights, parts: int, c: int, *, lowest: float = 0.0) -> np.ndarray | None:
    """The tightest pair (q', q'') of weights a / parts that covers q for class c, as rows (2, C);
    None without one.

    ``q`` (C,) is on the simplex, and a weight within 1e-9 of the grid lies on it. Each class has a
    pair of its own. ``lowest`` is the smallest weight that a class may have in the pair. Source:
    Khim et al., Definition 1 and section 5.
    """
    parts = check_int("parts", parts, 1)
    lowest = check_real("lowest", lowest, 0, 1)
    scaled = _shares(q) * parts
    c = check_int("c", c, 0, len(scaled) - 1)
    nearest = np.round(scaled)
    on_grid = abs(scaled - nearest) <= TOL * parts
    steps = np.where(on_grid, nearest, scaled)
    pair = np.stack([np.ceil(steps) - 1, np.floor(steps) + 1])
    others = np.delete(pair, c, axis=1)
    pair[:, c] = parts - others.sum(axis=1)
    if pair.min() < lowest * parts - TOL:
        return None
    return pair / parts


def _shares(q: Weights, n_classes: int | None = None) -> np.ndarray:
    """Class weights (C,) divided by their sum; or ValueError."""
    weights = rescaled(check_class_weights(q, n_classes))
    return weights / weights.sum()


def to_simplex(q: Weights, parts: int | None = None) -> np.ndarray:
    """The weights (C,) on the simplex that are nearest to any numbers q (C,); with ``parts`` on the
    grid a / parts.

    On the simplex it is the Euclidean projection; on the grid ``parts`` times this projection is
    rounded by largest remainders to the sum ``parts``, and divided by it.
    """
    q = check_row("q", q)
    require(q.size, "q must hold numbers (C,), got none")
    if parts is not None:
        parts = check_int("parts", parts, 1)
    # A shift changes nothing, and numbers 1 or more below the largest get no weight: large numbers
    # lose no digits.
    numbers = np.maximum(q - q.max(), -1)
    descending = -np.sort(-numbers)
    excess = (np.cumsum(descending) - 1) / np.arange(1, len(numbers) + 1)
    shift = excess[descending > excess][-1]
    projected = np.maximum(numbers - shift, 0)
    if parts is None:
        return projected

    # Rounding errors must not decide which weight is rounded up.
    scaled = (projected * parts).round(9)
    rounded = np.floor(scaled)
    missing = round(parts - rounded.sum())
    by_remainder = np.argsort(rounded - scaled, kind="stable")
    rounded[by_remainder[:missing]] += 1
    return rounded / parts
