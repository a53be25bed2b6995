"""Whether bags determine the best label, and whether it is the label in most bags."""

from itertools import combinations

import numpy as np

from knnviz import checks
from knnviz.learnability.matrix import (
    World,
    bag_distribution,
    check_eta,
    check_process,
    check_world,
    cooccurrence,
    every_bag,
    frequency,
)

#: Singular values up to RANK_TOL count as 0; scores that differ by at most TIE_TOL tie.
RANK_TOL, TIE_TOL = 1e-10, 1e-9


def is_reconstructible(process: np.ndarray) -> bool:
    """Whether bags of M (2^C, C) alone determine the best labels at every eta (Errandonea et al., Theorem 2.2).

    Examples
    --------
    >>> from knnviz.learnability import EXAMPLES, is_reconstructible
    >>> [is_reconstructible(EXAMPLES[name].process) for name in ("labels themselves", "always both", "never alone")]
    [True, False, True]
    """
    return rank(process) == np.shape(process)[1]


def rank(process: np.ndarray) -> int:
    """Rank of M (2^C, C); singular values up to 1e-10 count as 0.

    Examples
    --------
    >>> from knnviz.learnability import EXAMPLES, rank
    >>> [rank(EXAMPLES[name].process) for name in ("labels themselves", "a mixture of two", "always both")]
    [3, 2, 1]
    """
    return int(np.linalg.matrix_rank(check_process(process), tol=RANK_TOL))


def indistinguishable_etas(process: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
    """Two eta (C,) with the same bags and no best label in common; None if M (2^C, C) is reconstructible.

    The first column of M that depends linearly on those before it is a weighted sum of these. One eta is positive at
    the labels with positive weights, the other at the label of that column and those with negative weights (Errandonea
    et al., Theorem 2.2).

    Examples
    --------
    >>> from knnviz.learnability import EXAMPLES, indistinguishable_etas
    >>> [eta.tolist() for eta in indistinguishable_etas(EXAMPLES["two never apart"].process)]
    [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]
    >>> indistinguishable_etas(EXAMPLES["never alone"].process) is None
    True
    """
    process = check_process(process)
    for label in range(1, process.shape[1]):
        if np.linalg.matrix_rank(process[:, : label + 1], tol=RANK_TOL) <= label:
            weights, *_ = np.linalg.lstsq(process[:, :label], process[:, label], rcond=None)
            difference = np.zeros(process.shape[1])
            difference[:label] = np.where(abs(weights) > RANK_TOL, weights, 0)
            difference[label] = -1
            positive, negative = np.maximum(difference, 0), np.maximum(-difference, 0)
            return positive / positive.sum(), negative / negative.sum()
    return None


def other_etas(process: np.ndarray, eta: np.ndarray) -> list[np.ndarray]:
    """The corners of the polytope of all eta (C,) with the same distribution of bags as a given one, which is left out.

    Every eta that bags of M (2^C, C) cannot distinguish from the given one is a mixture of these, and of the given one
    if it is a corner, too. Corners with other best labels come first, then the others, each by decreasing distance.
    Raises ValueError for several eta.

    Examples
    --------
    >>> from knnviz.learnability import EXAMPLES, other_etas
    >>> process = EXAMPLES["two never apart"].process
    >>> [eta.round(6).tolist() for eta in other_etas(process, [0.5, 0.2, 0.3])]
    [[0.0, 0.7, 0.3], [0.7, 0.0, 0.3]]
    """
    process, eta = check_world(process, eta)
    process_rank, corners = rank(process), list[np.ndarray]()
    if process_rank == len(eta):
        return []
    # The columns of the labels with positive probability at a corner are linearly independent.
    reduced = np.linalg.qr(process).R
    for labels in map(np.array, combinations(range(len(eta)), process_rank)):
        if np.linalg.matrix_rank(reduced[:, labels], tol=RANK_TOL) == process_rank:
            corner = np.zeros(len(eta))
            corner[labels], *_ = np.linalg.lstsq(reduced[:, labels], reduced @ eta, rcond=None)
            if corner.min() >= -TIE_TOL and all(abs(corner - other).max() > TIE_TOL for other in (eta, *corners)):
                corners.append(np.maximum(corner, 0) / np.maximum(corner, 0).sum())
    return sorted(corners, key=lambda corner: ((best(corner) == best(eta)).all(), -abs(corner - eta).max().round(9)))


def best(scores: np.ndarray) -> np.ndarray:
    """Which labels (..., C) bool have the largest of scores (..., C), up to 1e-9; ValueError if a score is missing.

    Examples
    --------
    >>> from knnviz.learnability import best
    >>> best([0.4, 0.4, 0.2]).tolist()
    [True, True, False]
    """
    scores = np.asarray(scores, float)
    return scores >= _largest(scores) - TIE_TOL


def _largest(scores: np.ndarray) -> np.ndarray:
    # A comparison would hide a missing score.
    largest = scores.max(axis=-1, keepdims=True)
    if np.isnan(largest).any():
        raise ValueError("scores of labels must be numbers, some are missing")
    return largest


def is_label_aligned(process: np.ndarray, eta: np.ndarray | None = None) -> np.ndarray | bool:
    """Whether M (2^C, C) is aligned: (...) bool at eta (..., C), or, without eta, at every one.

    Raises ValueError for arrays that are no process or no probabilities. Source: Errandonea et al., section 2
    (definitions); the exact test of a process is ours: its ``cooccurrence`` is a I + 1 v' with a > 0.

    Examples
    --------
    >>> from knnviz.learnability import EXAMPLES, is_label_aligned
    >>> process = EXAMPLES["never alone"].process
    >>> is_label_aligned(process, [[0.6, 0.4], [0.4, 0.6]]).tolist()
    [False, True]
    >>> is_label_aligned(process), is_label_aligned(EXAMPLES["even inclusion"].process)
    (False, True)
    """
    if eta is not None:
        return aligned(frequency(process, eta), check_eta(eta, np.shape(process)[1]))
    matrix = cooccurrence(process)
    off_diagonal = np.where(np.eye(len(matrix), dtype=bool), np.nan, matrix)
    leads = np.diag(matrix) - np.nanmean(off_diagonal, axis=0)
    spread = np.nanmax(off_diagonal, axis=0) - np.nanmin(off_diagonal, axis=0)
    return bool(spread.max() <= TIE_TOL and np.ptp(leads) <= TIE_TOL and leads.min() > TIE_TOL)


def aligned(frequencies: np.ndarray, eta: np.ndarray) -> np.ndarray:
    """Whether the labels with the largest ``frequencies`` P(S_y | x) (..., C) are those with the largest eta (..., C).

    Source: Errandonea et al., section 2.

    Examples
    --------
    >>> from knnviz.learnability import aligned
    >>> aligned([[0.9, 0.6], [0.4, 0.6]], [[0.7, 0.3], [0.7, 0.3]]).tolist()
    [True, False]
    """
    return (best(frequencies) == best(eta)).all(axis=-1)


def misaligned_eta(process: np.ndarray) -> np.ndarray | None:
    """An eta (C,), uniform on some of the labels, at which M (2^C, C) is not aligned; None if M is aligned.

    It suffices to try uniform eta on sets of labels. Any eta is a mixture of such, on sets that grow from its best
    labels to all labels. If M is aligned at each of them, the best labels have the largest P(S_y | x) for every set,
    and no others have it for the smallest set. So M is aligned at the mixture, too. Smaller sets come first, and one of
    at most three labels is enough.

    Examples
    --------
    >>> from knnviz.learnability import EXAMPLES, misaligned_eta
    >>> misaligned_eta(EXAMPLES["permutation"].process).tolist()
    [1.0, 0.0, 0.0]
    >>> misaligned_eta(EXAMPLES["even inclusion"].process) is None
    True
    """
    process = check_process(process)
    sets = every_bag(process.shape[1])[1:]
    sets = sets[np.argsort(sets.sum(axis=1), kind="stable")]
    etas = sets / sets.sum(axis=1, keepdims=True)
    misaligned = np.flatnonzero(~aligned(frequency(process, etas), etas))
    return etas[misaligned[0]] if len(misaligned) else None


def least_theta(frequencies: np.ndarray, eta: np.ndarray) -> np.ndarray:
    """The smallest theta (...) for which theta-relaxed alignment holds: the excess risk of the label in most bags.

    That is the largest of eta (..., C) minus the smallest eta of a label with the largest P(S_y | x) among
    ``frequencies`` (..., C). Source: Errandonea et al., section 3.

    Examples
    --------
    >>> from knnviz.learnability import least_theta
    >>> least_theta([[0.6, 1.0], [0.9, 0.5]], [[0.75, 0.25], [0.75, 0.25]]).tolist()
    [0.5, 0.0]
    """
    eta = np.asarray(eta, float)
    return _largest(eta)[..., 0] - np.where(best(frequencies), eta, np.inf).min(axis=-1)


def swap(process: np.ndarray, eta: np.ndarray) -> World:
    """Another world, (2^C, C) and (C,), with the same bags, where the label in most bags is a best one.

    The best label of eta and the label in most bags, of several the smallest, are exchanged in eta and among the
    columns of M. If each of the two is unique, the other world is aligned; if labels tie it need not be, and that of
    ``aligned_world`` is. Bags alone do not distinguish the two worlds. Raises ValueError if the label in most bags is a
    best label already, and for several eta at once. Source: Errandonea et al., proof of Theorem 3.1.

    Examples
    --------
    >>> from knnviz.learnability import EXAMPLES, same_bags, swap
    >>> process = EXAMPLES["never alone"].process
    >>> other = swap(process, [0.6, 0.4])
    >>> other[1].tolist(), same_bags(process, [0.6, 0.4], other)
    ([0.4, 0.6], True)
    """
    process, eta = (array.copy() for array in check_world(process, eta))
    frequencies = frequency(process, eta)
    pair = [int(best(eta).argmax()), int(best(frequencies).argmax())]
    if best(eta)[pair[1]]:
        raise ValueError(f"label {pair[1]} is in most bags and a best one: there is nothing to swap")
    process[:, pair], eta[pair] = process[:, pair[::-1]], eta[pair[::-1]]
    return process, eta


def aligned_world(process: np.ndarray, eta: np.ndarray) -> World:
    """Another world, (2^C, C) and (C,), with the same bags, which is aligned even if labels tie.

    Each column of its process is the distribution of the bags, which do not depend on the true label; its eta is
    uniform on the labels in most bags. If none of these is a best label of the given eta, a learner that sees only bags
    is wrong in one of the two worlds. Raises ValueError for several eta at once. Source: ours, in place of ``swap`` in
    the proof of Theorem 3.1 of Errandonea et al.

    Examples
    --------
    >>> from knnviz.learnability import EXAMPLES, aligned_world, same_bags
    >>> process = EXAMPLES["never alone"].process
    >>> other = aligned_world(process, [0.6, 0.4])
    >>> other[1].tolist(), same_bags(process, [0.6, 0.4], other)
    ([0.0, 1.0], True)
    """
    process, eta = check_world(process, eta)
    most = best(frequency(process, eta))
    return np.tile(bag_distribution(process, eta)[:, None], len(eta)), most / most.sum()


def decode(process: np.ndarray, distribution: np.ndarray) -> np.ndarray:
    """eta (..., C) that a known process M (2^C, C) turns into distributions of bags (..., 2^C), by least squares.

    It is exact for a distribution that M produces. For fractions of bags in a sample, its entries need not be
    probabilities; the label of the largest is the prediction. Raises ValueError if the process is not reconstructible,
    and for distributions of another number of bags or with missing values. Source: Errandonea et al., Theorem 2.2.

    Examples
    --------
    >>> from knnviz.learnability import decode, process_matrix
    >>> process = process_matrix([{(0,): 0.6, (0, 1): 0.4}, {(1,): 1}])
    >>> decode(process, [0, 0.3, 0.5, 0.2]).round(6).tolist()
    [0.5, 0.5]
    """
    process = check_process(process)
    if not is_reconstructible(process):
        raise ValueError(f"a process of rank {rank(process)} cannot be undone for {process.shape[1]} labels")
    distribution = checks.check_numbers("distribution", distribution)
    if distribution.shape[-1:] != process.shape[:1]:
        raise ValueError(
            f"distribution must have {len(process)} columns, one for each bag, got shape {distribution.shape}"
        )
    if not np.isfinite(distribution).all():
        raise ValueError("distribution has missing or infinite values")
    return distribution @ np.linalg.pinv(process).T


def same_bags(process: np.ndarray, eta: np.ndarray, other: World) -> bool:
    """Whether another world has the same distribution of bags, up to rounding.

    Examples
    --------
    >>> from knnviz.learnability import EXAMPLES, same_bags
    >>> process = EXAMPLES["two never apart"].process
    >>> same_bags(process, [0.7, 0, 0.3], (process, [0, 0.7, 0.3]))
    True
    """
    return bool(np.allclose(bag_distribution(process, eta), bag_distribution(*other), rtol=0, atol=TIE_TOL))
