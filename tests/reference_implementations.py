"""Plain NumPy implementations of the kernels, and the strategies that feed both."""

import json
from collections import defaultdict
from fractions import Fraction
from pathlib import Path

import numpy as np
from hypothesis import strategies as st

from knnviz import NeighborTable, VoteProfile

REFERENCE = Path(__file__).parent / "reference"


#: How the reference calls the variants of a greedy search.
GREEDY_VARIANTS = {
    "printed": {},
    "sign_order": {"order": "sign"},
    "strict": {"accept": ">"},
    "running_base": {"base": "running"},
}


#: Random numbers.
generators = st.integers(0, 2**32 - 1).map(np.random.default_rng)


def reference(name: str) -> dict:
    """Reference values by name."""
    text = (REFERENCE / f"{name}.json").read_text("utf-8")
    return json.loads(text)


def numbers_in(key: str, kind: type = float) -> list:
    """[0.1, 0.3] from a key such as "p0=0.1,p1=0.3"."""
    return [kind(part.split("=")[1]) for part in key.split(",")]


def squared_distances(queries, X):
    """Squared Euclidean distances (m, n), summed in coordinate order."""
    return np.cumsum((queries[:, None] - X) ** 2, axis=2)[..., -1]


def sorted_neighbors(X, queries, k, left_out=None, distances=squared_distances):
    """Brute force: a stable sort of distances, squared Euclidean ones by default, so by (distance,
    index).
    """
    values = distances(queries, X)
    if left_out is not None:
        values[np.arange(len(queries)), left_out] = np.inf
    order = np.argsort(values, axis=1, kind="stable")[:, :k]
    return order, np.take_along_axis(values, order, axis=1)


def fractions_of(X, y, queries, k, own=None):
    """Fractions (m, C) of the classes among the k nearest; ``own`` is left out of each."""
    order, _ = sorted_neighbors(X, queries, k, own)
    return np.eye(y.max() + 1)[y[order]].mean(axis=1)


def grown_balls(points, weights, frequency, queries, masses, q=None):
    """What a ball profile has, by looking at every radius around every query."""
    n_classes = frequency.shape[1]
    if q is None:
        q = np.full(n_classes, 1 / n_classes)
    found = defaultdict(list)
    for query in queries:
        squares = ((points - query) ** 2).sum(axis=1)
        nearest = squares.argmin()
        radii = np.unique(squares.round(12))
        inside = squares <= radii[:, None] + 1e-11
        mass = inside @ weights
        fraction = inside * weights @ frequency / mass[:, None]
        if squares[nearest] > 0:
            mass = np.append(0, mass)
            fraction = np.vstack([frequency[nearest], fraction])

        center = frequency[nearest] * q
        best = center.argmax()
        if n_classes == 2:
            best = int(center[1] >= center[0])
        weighted = fraction * q
        margin = weighted[:, best] - np.delete(weighted, best, axis=1).max(axis=1)
        top = fraction[0] >= fraction[0].max() - 1e-12
        lead = fraction[:, top].min(axis=1) - fraction[:, ~top].max(axis=1, initial=0)
        gamma = np.minimum.accumulate(lead).clip(0)
        products = np.minimum.outer(masses, mass) * gamma**2
        found["advantage"].append(np.ones(len(masses)) if top.all() else products.max(axis=1))

        extremes = {"lowest_frequency": fraction, "margin": margin, "absolute_margin": abs(margin)}
        reached = [np.argmax(mass >= target * (1 - 1e-9)) for target in masses]
        found["frequency"].append(fraction[reached])
        for name, values in extremes.items():
            found[name].append(np.minimum.accumulate(values)[reached])
    return {name: np.stack(values, axis=1) for name, values in found.items()}


@st.composite
def tables(draw, max_n=60, max_m=12):
    """Training points, queries and k, with ties and duplicates often and always at random."""
    d = draw(st.integers(1, 3))
    n = draw(st.integers(1, max_n))
    m = draw(st.integers(1, max_m))
    rng = draw(generators)
    decimals = draw(st.sampled_from([17, 2, 1, 0]))
    X = rng.random((n, d)).round(decimals)
    queries = rng.random((m, d)).round(decimals)
    return X, queries, draw(st.integers(1, n)), rng


def random_profile(table, n_classes):
    """A profile of random labels over the neighbors of a table from ``tables``, and its k."""
    X, queries, k, rng = table
    neighbors = NeighborTable.build(X, queries, k)
    labels = rng.integers(0, n_classes, len(X))
    return VoteProfile.build(neighbors, labels, n_classes), k


def closed_balls(distances, bags, k):
    """Votes (m, C) of all points whose distance, of (m, n), is at most the k-th smallest; a label
    is a bag of one.
    """
    inside = distances <= np.sort(distances)[:, k - 1 : k]
    return inside @ bags.astype(int)


def weighted_vote(votes, q, tie_tol):
    """The first class whose q_c * (count_c / all votes) is within the tolerance of the largest."""
    scores = votes / votes.sum(axis=1, keepdims=True) * q
    least = scores.max(axis=1, keepdims=True) - tie_tol * max(q)
    return (scores >= least).argmax(axis=1)


def any_ball(points, centers, radii):
    """Whether points (m, d) lie in a closed ball."""
    return (np.sqrt(squared_distances(points, centers)) <= radii).any(axis=1)


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
            step = (1 - margin) / (variance + r)
            mean = mean + step * sign * direction
            gain = 2 / r + variance / r**2 if herd else 1 / r
            precision += gain * np.outer(x, x)
    return mean, np.linalg.inv(precision)


def eliminated(bags, threshold, fallback="lead", runner_up="alive"):
    """PL A-kNN as printed, on the bags (T, C) of the neighbors in order: label, k and the labels
    alive at the end.
    """
    alive = set(range(bags.shape[1]))
    tau = np.zeros(bags.shape[1], int)
    k = 0
    leads = {}
    while len(alive) > 1 and k < len(bags):
        tau += bags[k]
        k += 1
        rivals = tau if runner_up == "all" else [tau[y] for y in alive]
        second = sorted(rivals)[-2]
        for y in alive:
            d = int(tau[y] - second)
            lead = Fraction(d * abs(d), k)
            leads.setdefault(y, []).append((lead, k))
        most = max(tau[y] for y in alive)
        alive -= {y for y in alive if (most - tau[y]) / k >= threshold / np.sqrt(k)}

    if fallback == "majority":
        label = min(alive, key=lambda y: (-tau[y], y))
    else:
        largest_first = [(-lead, at, y) for y in alive for lead, at in leads[y]]
        label = min(largest_first)[2]
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
    """A step of Algorithm 1 of Khim et al., a candidate at a time: weights (C,) and their score."""
    best = score(q[None])[0]
    found = q
    moves = [(c, sign) for c in range(len(q)) for sign in (1, -1)]
    if order != "coordinate":
        moves.sort(key=lambda move: -move[1])
    for c, sign in moves:
        start = q if base == "previous" else found
        moved = np.maximum(start + sign * step * np.eye(len(q))[c], 0)
        # All weight on one class, and all of it taken away: nothing is left to bring to the
        # simplex.
        moved = moved / moved.sum() if moved.any() else start
        scored = score(moved[None])[0]
        if scored > best or (accept == ">=" and scored == best):
            best = scored
            found = moved
    return found, best


def pieces(*breaks):
    """Middles (m, 1) and lengths (m,) of the pieces of [0, 1] between breaks, arrays or numbers."""
    ends = np.unique(np.hstack([0, 1, *breaks]))
    middles = (ends[:-1] + ends[1:]) / 2
    return middles[:, None], np.diff(ends)
