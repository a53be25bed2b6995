"""Whether bags determine the best label, whether it is the label in most bags, and other worlds
with the same bags.

Arguments are probabilities: processes M (2^C, C), label probabilities eta (..., C) and frequencies
P(S_y | x) (..., C). Anything else raises ValueError.
"""

from itertools import combinations

import numpy as np

from knnviz.checks import check_numbers, require
from knnviz.learnability.matrix import (
    World,
    bag_distribution,
    check_distributions,
    check_process,
    check_world,
    every_bag,
    frequency,
    uniform_weights,
)

#: Singular values up to RANK_TOL count as 0; scores that differ by at most SCORE_TOL tie.
RANK_TOL = 1e-10
SCORE_TOL = 1e-9


def rank(process: np.ndarray) -> int:
    """Rank of M (2^C, C), up to rounding; M is reconstructible if it is C (Errandonea et al.,
    Theorem 2.2).
    """
    return _rank(check_process(process))


def _rank(matrix: np.ndarray) -> int:
    return int(np.linalg.matrix_rank(matrix, tol=RANK_TOL))


def indistinguishable_etas(process: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
    """Two eta (C,) with the same bags and no best label in common; None if M (2^C, C) is
    reconstructible.

    The first column of M that depends linearly on those before it is a weighted sum of these. One
    eta is positive at the labels with positive weights, the other at the label of that column and
    those with negative weights (Errandonea et al., Theorem 2.2).
    """
    process = check_process(process)
    n_classes = process.shape[1]
    for label in range(1, n_classes):
        if _rank(process[:, : label + 1]) > label:
            continue
        before = process[:, :label]
        weights, *_ = np.linalg.lstsq(before, process[:, label], rcond=None)
        difference = np.zeros(n_classes)
        difference[:label] = np.where(abs(weights) > RANK_TOL, weights, 0)
        difference[label] = -1
        positive = np.maximum(difference, 0)
        negative = np.maximum(-difference, 0)
        return positive / positive.sum(), negative / negative.sum()
    return None


def other_etas(process: np.ndarray, eta: np.ndarray) -> list[np.ndarray]:
    """Corners of the polytope of all eta (C,) with the same bags as a given one, without that one.

    Every eta that bags of M (2^C, C) cannot distinguish from the given one is a mixture of these,
    and of the given one if it is a corner, too. Corners with other best labels come first, then the
    others, each by decreasing distance.
    """
    process, eta = check_world(process, eta)
    process_rank = _rank(process)
    n_classes = len(eta)
    if process_rank == n_classes:
        return []
    reduced = np.linalg.qr(process).R
    bags = reduced @ eta
    corners = list[np.ndarray]()
    # The columns of the labels with positive probability at a corner are linearly independent.
    for labels in map(np.array, combinations(range(n_classes), process_rank)):
        columns = reduced[:, labels]
        if _rank(columns) < process_rank:
            continue
        corner = np.zeros(n_classes)
        corner[labels], *_ = np.linalg.lstsq(columns, bags, rcond=None)
        if corner.min() < -SCORE_TOL:
            continue
        distances = [abs(corner - known).max() for known in (eta, *corners)]
        if min(distances) > SCORE_TOL:
            corner = np.maximum(corner, 0)
            corners.append(corner / corner.sum())

    def place(corner: np.ndarray) -> tuple[bool, float]:
        """Other best labels first, then by decreasing distance."""
        distance = abs(corner - eta).max().round(9)
        return bool(same_best_labels(eta, corner)), -distance

    return sorted(corners, key=place)


def decode(process: np.ndarray, distribution: np.ndarray) -> np.ndarray:
    """eta (..., C) that a known reconstructible M turns into distributions of bags (..., 2^C), by
    least squares.

    It is exact for a distribution that M produces. For fractions of bags in a sample, its entries
    need not be probabilities; the label of the largest is the prediction. Source: Errandonea et
    al., Theorem 2.2.
    """
    process = check_process(process)
    distribution = check_distributions("distribution", distribution, len(process), "bag")
    return distribution @ np.linalg.pinv(process).T


def best(scores: np.ndarray) -> np.ndarray:
    """Which labels (..., C) bool have the largest of scores (..., C), up to rounding."""
    scores = check_scores("scores", scores)
    return scores >= scores.max(axis=-1, keepdims=True) - SCORE_TOL


def check_scores(name: str, values: np.ndarray) -> np.ndarray:
    """Return scores (..., C) of two or more labels as finite floats, or raise ValueError."""
    values = check_numbers(name, values)
    if not values.ndim or values.shape[-1] < 2:
        raise ValueError(
            f"{name} must have a column for each of two or more labels, got shape {values.shape}"
        )
    bad = values[~np.isfinite(values)]
    if bad.size:
        raise ValueError(f"{name} must be finite, got {bad[:1]}")
    return values


def _check_pair(eta: np.ndarray, frequencies: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return eta and frequencies (..., C) of one shape, or raise ValueError."""
    frequencies = check_scores("frequencies", frequencies)
    wanted = frequencies.shape
    eta = check_distributions("eta", eta, wanted[-1])
    require(eta.shape == wanted, f"eta must be of shape {wanted}, got {eta.shape}")
    return eta, frequencies


def same_best_labels(eta: np.ndarray, frequencies: np.ndarray) -> np.ndarray:
    """Whether the labels with the largest eta are those with the largest frequency: (...) bool.

    Source: Errandonea et al., section 2.
    """
    eta, frequencies = _check_pair(eta, frequencies)
    return (best(eta) == best(frequencies)).all(axis=-1)


def is_label_aligned(process: np.ndarray, eta: np.ndarray | None = None) -> np.ndarray | bool:
    """Whether M (2^C, C) is aligned: (...) bool at eta (..., C), or, without eta, at every one.

    It is at every eta if and only if its ``cooccurrence`` matrix equals some v_i everywhere in
    column i, plus the same a > 0 on the diagonal. Source: Errandonea et al., section 2
    (definitions); the test is ours.
    """
    if eta is None:
        return misaligned_eta(process) is None
    return same_best_labels(eta, frequency(process, eta))


def misaligned_eta(process: np.ndarray) -> np.ndarray | None:
    """An eta (C,), uniform on some of the labels, at which M (2^C, C) is not aligned; None if M is
    aligned.

    It suffices to try uniform eta on sets of labels. Any eta is a mixture of such, on sets that
    grow from its best labels to all labels. If M is aligned at each of them, the best labels have
    the largest P(S_y | x) for every set, and no others have it for the smallest set. So M is
    aligned at the mixture, too. Smaller sets come first, and one of at most three labels is enough.
    """
    process = check_process(process)
    sets = every_bag(process.shape[1])[1:]
    sets = sets[np.argsort(sets.sum(axis=1), kind="stable")]
    etas = uniform_weights(sets)
    misaligned = etas[~same_best_labels(etas, frequency(process, etas))]
    return misaligned[0] if len(misaligned) else None


def least_theta(eta: np.ndarray, frequencies: np.ndarray) -> np.ndarray:
    """Excess risk (...) of predicting the label in most bags; of several, the one with the smallest
    eta.

    Where it is at most theta, the relaxed label-aligned condition of Errandonea et al., section
    3.3, holds with theta.
    """
    eta, frequencies = _check_pair(eta, frequencies)
    in_most_bags = np.where(best(frequencies), eta, np.inf)
    return eta.max(axis=-1) - in_most_bags.min(axis=-1)


def swap(process: np.ndarray, eta: np.ndarray) -> World:
    """The world with the best label and the label in most bags exchanged; its bags are the same.

    They change places in eta (C,) and among the columns of M; of several such labels it is the
    smallest. If each of the two is unique, the other world is aligned; if labels tie it need not
    be, and that of ``aligned_world`` is. Bags alone do not distinguish the two worlds. Source:
    Errandonea et al., proof of Theorem 3.1.
    """
    process, eta = check_world(process, eta)
    best_label = best(eta).argmax()
    in_most_bags = best(frequency(process, eta)).argmax()
    order = np.arange(process.shape[1])
    order[best_label] = in_most_bags
    order[in_most_bags] = best_label
    return World(process[:, order], eta[order])


def aligned_world(process: np.ndarray, eta: np.ndarray) -> World:
    """Another world with the same bags as at this eta (C,), which is aligned even if labels tie.

    Each column of its process is the distribution of the bags, which do not depend on the true
    label; its eta is uniform on the labels in most bags. If none of these is a best label of the
    given eta, a learner that sees only bags is wrong in one of the two worlds. Source: ours, in
    place of ``swap`` in the proof of Theorem 3.1 of Errandonea et al.
    """
    process, eta = check_world(process, eta)
    most = best(frequency(process, eta))
    column = bag_distribution(process, eta)[:, None]
    return World(np.tile(column, len(eta)), most / most.sum())


def same_bags(process: np.ndarray, eta: np.ndarray, other: World) -> bool:
    """Whether another world has the same distribution of bags, up to rounding."""
    return agree_closely(bag_distribution(process, eta), bag_distribution(*other))


def agree_closely(numbers: np.ndarray, others: np.ndarray) -> bool:
    """Whether none of the numbers is further apart than scores that tie."""
    return np.allclose(numbers, others, rtol=0, atol=SCORE_TOL)
