"""Plain NumPy implementations of the kernels, and the strategies that feed both."""

import json
from fractions import Fraction
from pathlib import Path

import numpy as np
from hypothesis import strategies as st

from knnviz import NeighborTable, VoteProfile

REFERENCE = Path(__file__).parent / "reference"


def reference(name: str) -> dict:
    """Reference values by name."""
    return json.loads((REFERENCE / f"{name}.json").read_text("utf-8"))


def numbers_in(key: str, kind: type = float) -> list:
    """[0.1, 0.3] from a key such as "p0=0.1,p1=0.3"."""
    return [kind(part.split("=")[1]) for part in key.split(",")]


def sorted_neighbors(X, queries, k, left_out=None):
    """Brute force: all squared distances summed in coordinate order, then a lexsort by (distance,
    index).
    """
    squares = np.zeros((len(queries), len(X)))
    for axis in range(X.shape[1]):
        squares += (X[None, :, axis] - queries[:, None, axis]) ** 2
    if left_out is not None:
        squares[np.arange(len(queries)), left_out] = np.inf
    index = np.broadcast_to(np.arange(len(X)), squares.shape)
    order = np.lexsort((index, squares))[:, :k]
    return order, np.take_along_axis(squares, order, axis=1)


def cumulative_votes(indices, labels, n_classes):
    """Votes (m, k_max, C) by one-hot encoding."""
    return np.cumsum(np.eye(n_classes, dtype=int)[labels[indices]], axis=1)


def grown_balls(points, weights, frequency, queries, masses, q=None):
    """What a ball profile has, by looking at every radius around every query."""
    n_classes = frequency.shape[1]
    q = np.full(n_classes, 1 / n_classes) if q is None else np.array(q)
    shape = len(masses), len(queries)
    found = {name: np.empty(shape) for name in ("margin", "absolute_margin", "advantage")}
    found |= {
        name: np.empty((shape[0], n_classes, shape[1]))
        for name in ("frequency", "lowest_frequency")
    }
    for i, query in enumerate(queries):
        squares = ((points - query) ** 2).sum(axis=1)
        nearest = np.flatnonzero(squares == squares.min())[0]
        radii = np.unique(squares.round(12))
        balls = [(0.0, frequency[nearest])] if squares.min() > 0 else []
        for radius in radii:
            inside = squares <= radius + 1e-11
            balls.append(
                (weights[inside].sum(), weights[inside] @ frequency[inside] / weights[inside].sum())
            )
        mass = np.array([ball[0] for ball in balls])
        fraction = np.array([ball[1] for ball in balls])
        weighted = fraction * q
        center = frequency[nearest] * q
        best = int(center[1] >= center[0]) if n_classes == 2 else center.argmax()
        margin = weighted[:, best] - np.delete(weighted, best, axis=1).max(axis=1)
        top = fraction[0] >= fraction[0].max() - 1e-12
        lead = 0 if top.all() else fraction[:, top].min(axis=1) - fraction[:, ~top].max(axis=1)
        gamma = np.maximum(np.minimum.accumulate(np.broadcast_to(lead, mass.shape)), 0)
        before = np.concatenate([[0], mass[:-1]])
        for j, target in enumerate(masses):
            last = np.flatnonzero(mass >= target * (1 - 1e-9))[0]
            upto = slice(0, last + 1)
            found["frequency"][j, :, i] = fraction[last]
            found["lowest_frequency"][j, :, i] = fraction[upto].min(axis=0)
            found["margin"][j, i] = margin[upto].min()
            found["absolute_margin"][j, i] = abs(margin[upto]).min()
            salient = np.where(
                before[upto] < max(target, 1e-300), np.minimum(mass[upto], target), 0
            )
            found["advantage"][j, i] = 1 if top.all() else (salient * gamma[upto] ** 2).max()
    return found


@st.composite
def tables(draw, max_n=60, max_m=12):
    """Training points, queries and k, with ties and duplicates often and always at random."""
    d = draw(st.integers(1, 3))
    n = draw(st.integers(1, max_n))
    m = draw(st.integers(1, max_m))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    decimals = draw(st.sampled_from([None, 2, 1, 0]))
    X = rng.random((n, d))
    queries = rng.random((m, d))
    if decimals is not None:
        X = np.round(X, decimals)
        queries = np.round(queries, decimals)
    return X, queries, draw(st.integers(1, n)), rng


def random_profile(table, n_classes):
    """A profile of random labels over the neighbors of a table from ``tables``, and its k."""
    X, queries, k, rng = table
    return VoteProfile.count(
        NeighborTable.build(X, queries, k), rng.integers(0, n_classes, len(X)), n_classes
    ), k


def closed_balls(X, queries, labels, k, n_classes, left_out=None):
    """Votes (m, C) of all points whose squared distance is at most the k-th smallest."""
    order, squares = sorted_neighbors(X, queries, len(X), left_out)
    inside = (squares <= squares[:, k - 1 : k]) & np.isfinite(squares)
    return (np.eye(n_classes, dtype=int)[labels[order]] * inside[:, :, None]).sum(axis=1)


def weighted_vote(votes, q, k, tie_tol):
    """One query after the other: the first class whose q_c * (count_c / k) is within the tolerance
    of the largest.
    """
    labels = []
    for counts in votes:
        scores = [weight * (int(count) / k) for weight, count in zip(q, counts, strict=True)]
        least = max(scores) - tie_tol * max(q)
        labels.append(next(c for c, score in enumerate(scores) if score >= least))
    return labels


def summed_entries(positive, truth, points):
    """tn, fn, fp and tp (4, C) of decisions (C, m), true with probabilities (m, C), at points of
    weights (m,).
    """
    own = truth.T * points
    others = points - own
    return np.stack(
        [
            np.where(event, part, 0).sum(axis=1)
            for event in (~positive, positive)
            for part in (others, own)
        ]
    )


def any_ball(points, centers, radii):
    """Whether points (m, d) lie in a closed ball, one after the other."""
    far = np.zeros((len(points), len(centers)))
    for axis in range(points.shape[1]):
        far += (points[:, None, axis] - centers[None, :, axis]) ** 2
    return (np.sqrt(far) <= radii).any(axis=1)


def gaussian_weights(X, signs, order, r, herd):
    """Mean and covariance of AROW's weights, or the normal herd's with C = 1 / r, by the inverse of
    the covariance.
    """
    mean = np.zeros(X.shape[1])
    precision = np.eye(X.shape[1])
    for x, sign in zip(X[order], signs[order], strict=True):
        margin = sign * (x @ mean)
        direction = np.linalg.solve(precision, x)
        if margin < 1:
            variance = x @ direction
            mean = mean + (1 - margin) / (variance + r) * sign * direction
            precision += (2 / r + variance / r**2 if herd else 1 / r) * np.outer(x, x)
    return mean, np.linalg.inv(precision)


def ones_among_first(indices, labels, count, k):
    """Votes (m,) for class 1 of the k nearest of the first ``count`` points, -1 where fewer than k
    are known.
    """
    rows = [[int(labels[j]) for j in row if j < count][:k] for row in indices]
    return [sum(row) if len(row) == k else -1 for row in rows]


def eliminated(bags, threshold, fallback="lead", runner_up="alive"):
    """PL A-kNN as printed, on the bags (T, C) of the neighbors in order: label, k and the labels
    alive at the end.
    """
    alive = set(range(bags.shape[1]))
    tau = np.zeros(bags.shape[1], int)
    k = 0
    leads = {}
    while len(alive) > 1 and k < len(bags):
        k += 1
        tau += bags[k - 1]
        second = sorted(tau if runner_up == "all" else [tau[y] for y in alive])[-2]
        for y in alive:
            d = int(tau[y] - second)
            leads.setdefault(y, []).append((Fraction(d * abs(d), k), k))
        most = max(tau[y] for y in alive)
        alive -= {y for y in alive if (most - tau[y]) / k >= threshold / np.sqrt(k)}
    if fallback == "majority":
        label = min(alive, key=lambda y: (-tau[y], y))
    else:
        label = min((-lead, at, y) for y in alive for lead, at in leads[y])[2]
    return label, k, alive


def stood_out(bags, threshold, baseline):
    """A-kNN's extension on the bags (T, C) of the neighbors in order: label, k, and whether it
    stopped by itself.
    """
    for k in range(1, len(bags) + 1):
        tau = bags[:k].sum(axis=0)
        if tau.max() / k - baseline >= threshold / np.sqrt(k):
            return int(tau.argmax()), k, True
    return int(bags.sum(axis=0).argmax()), len(bags), False


def climbed(score, q, step, order="coordinate", accept=">=", base="previous"):
    """A step of Algorithm 1 of Khim et al., a candidate at a time: weights (C,), and their
    score.
    """
    best = score(q[None])[0]
    found = q
    moves = [(c, sign) for c in range(len(q)) for sign in (1, -1)]
    for c, sign in moves if order == "coordinate" else sorted(moves, key=lambda move: -move[1]):
        moved = np.maximum(
            (q if base == "previous" else found) + sign * step * np.eye(len(q))[c], 0
        )
        # All weight on one class, and all of it taken away: nothing is left to bring to the
        # simplex.
        moved = moved / moved.sum() if moved.any() else q if base == "previous" else found
        scored = score(moved[None])[0]
        if scored > best or (accept == ">=" and scored == best):
            best = scored
            found = moved
    return found, best


def pieces(*breaks):
    """Middles (m, 1) and lengths (m,) of the pieces of [0, 1] between breaks, given as arrays and
    numbers.
    """
    ends = np.unique(np.hstack([0, 1, *breaks]))
    return (ends[:-1] + ends[1:])[:, None] / 2, np.diff(ends)
