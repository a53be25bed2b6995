"""What bags tell of labels: whether the best label can be read off them, and whether counting does it."""

from itertools import combinations

import numpy as np

from knnviz import checks
from knnviz.learnability.matrix import (
    bag_distribution,
    checked,
    checked_eta,
    checked_point,
    cooccurrence,
    every_bag,
    frequency,
)

#: Singular values up to this count as none; scores that differ by no more than TIE_TOL tie.
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
    return int(np.linalg.matrix_rank(checked(process), tol=RANK_TOL))


def confusable(process: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
    """Two eta (C,) with the same bags and no best label in common; None where M (2^C, C) is reconstructible.

    The first column that depends linearly on those before it is a weighted sum of these: labels with positive weights
    are on one side, the label of that column and those with negative weights on the other (Errandonea et al., Theorem
    2.2).

    Examples
    --------
    >>> from knnviz.learnability import EXAMPLES, confusable
    >>> [eta.tolist() for eta in confusable(EXAMPLES["two never apart"].process)]
    [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]
    >>> confusable(EXAMPLES["never alone"].process) is None
    True
    """
    process = checked(process)
    for label in range(1, process.shape[1]):
        if np.linalg.matrix_rank(process[:, : label + 1], tol=RANK_TOL) <= label:
            mixed, *_ = np.linalg.lstsq(process[:, :label], process[:, label], rcond=None)
            apart = np.zeros(process.shape[1])
            apart[:label], apart[label] = np.where(abs(mixed) > RANK_TOL, mixed, 0), -1
            sides = np.maximum(apart, 0), np.maximum(-apart, 0)
            return sides[0] / sides[0].sum(), sides[1] / sides[1].sum()
    return None


def other_etas(process: np.ndarray, eta: np.ndarray) -> list[np.ndarray]:
    """The corners of all eta (C,) with the same bags as an eta (C,), itself left out; none if it is the only one.

    Whatever bags of M (2^C, C) cannot tell from eta is a mixture of these, and of eta where that is a corner too. Those
    with other best labels come first, and of these and the rest the farthest. Raises ValueError for several eta.

    Examples
    --------
    >>> from knnviz.learnability import EXAMPLES, other_etas
    >>> process = EXAMPLES["two never apart"].process
    >>> [eta.round(6).tolist() for eta in other_etas(process, [0.5, 0.2, 0.3])]
    [[0.0, 0.7, 0.3], [0.7, 0.0, 0.3]]
    """
    process, eta = checked_point(process, eta)
    independent, ends = rank(process), list[np.ndarray]()
    if independent == len(eta):
        return []
    # A corner has positive fractions for independent columns alone.
    reduced = np.linalg.qr(process).R
    for labels in map(np.array, combinations(range(len(eta)), independent)):
        if np.linalg.matrix_rank(reduced[:, labels], tol=RANK_TOL) == independent:
            end = np.zeros(len(eta))
            end[labels], *_ = np.linalg.lstsq(reduced[:, labels], reduced @ eta, rcond=None)
            if end.min() >= -TIE_TOL and all(abs(end - other).max() > TIE_TOL for other in (eta, *ends)):
                ends.append(np.maximum(end, 0) / np.maximum(end, 0).sum())
    return sorted(ends, key=lambda end: ((best(end) == best(eta)).all(), -abs(end - eta).max().round(9)))


def best(scores: np.ndarray) -> np.ndarray:
    """Which labels (..., C) bool have the largest of scores (..., C), up to 1e-9; ValueError where one is missing.

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
    """Whether the labels in most bags of M (2^C, C) are the best labels: (...) bool at eta (..., C), or at every eta.

    Raises ValueError for arrays that are no process and no probabilities. Source: Errandonea et al., section 2
    (definitions); the exact test of a process is ours: C = a I + 1 v' with a > 0.

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
        return aligned(frequency(process, eta), checked_eta(eta, np.shape(process)[1]))
    together = cooccurrence(process)
    own = np.eye(len(together), dtype=bool)
    beside = np.where(own, np.nan, together)
    gains = np.diag(together) - np.nanmean(beside, axis=0)
    spread = np.nanmax(beside, axis=0) - np.nanmin(beside, axis=0)
    return bool(spread.max() <= TIE_TOL and np.ptp(gains) <= TIE_TOL and gains.min() > TIE_TOL)


def aligned(held: np.ndarray, eta: np.ndarray) -> np.ndarray:
    """Whether the labels with the largest P(S_y | x) of ``held`` (..., C) are those with the largest eta (..., C).

    Source: Errandonea et al., section 2.

    Examples
    --------
    >>> from knnviz.learnability import aligned
    >>> aligned([[0.9, 0.6], [0.4, 0.6]], [[0.7, 0.3], [0.7, 0.3]]).tolist()
    [True, False]
    """
    return (best(held) == best(eta)).all(axis=-1)


def misaligned(process: np.ndarray) -> np.ndarray | None:
    """An eta (C,) at which M (2^C, C) is not aligned, some labels with equal fractions; None where it always is.

    Only the even eta over sets of labels need be tried. Any eta is a mixture of such, over sets that grow from its best
    labels to all labels. Where each of them is aligned, the best labels are level in P(S_y | x) for every set, ahead of
    all others for the smallest and never behind for the rest, so that the mixture is aligned as well. Sets of fewer
    labels come first, and one of at most three is enough.

    Examples
    --------
    >>> from knnviz.learnability import EXAMPLES, misaligned
    >>> misaligned(EXAMPLES["permutation"].process).tolist()
    [1.0, 0.0, 0.0]
    >>> misaligned(EXAMPLES["even inclusion"].process) is None
    True
    """
    process = checked(process)
    sets = every_bag(process.shape[1])[1:]
    sets = sets[np.argsort(sets.sum(axis=1), kind="stable")]
    etas = sets / sets.sum(axis=1, keepdims=True)
    wrong = np.flatnonzero(~aligned(frequency(process, etas), etas))
    return etas[wrong[0]] if len(wrong) else None


def least_theta(held: np.ndarray, eta: np.ndarray) -> np.ndarray:
    """The smallest theta (...) with which the relaxed condition holds: how much counting bags may cost.

    How far below the largest of eta (..., C) is that of any label with the largest P(S_y | x) of ``held`` (..., C).
    Source: Errandonea et al., section 3.

    Examples
    --------
    >>> from knnviz.learnability import least_theta
    >>> least_theta([[0.6, 1.0], [0.9, 0.5]], [[0.75, 0.25], [0.75, 0.25]]).tolist()
    [0.5, 0.0]
    """
    eta = np.asarray(eta, float)
    return _largest(eta)[..., 0] - np.where(best(held), eta, np.inf).min(axis=-1)


def swap(process: np.ndarray, eta: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Another process (2^C, C) and another eta (C,) with the same bags, where the label in most bags is a best one.

    The best label of eta and the one in most bags, of several the smallest, are exchanged in eta and among the columns
    of M. A learner who sees bags alone cannot tell the two apart. Where each is one label alone, the other point is
    aligned; where labels tie it need not be, and ``aligned_world`` is. Raises ValueError where the label in most bags
    is a best label already, and for several eta at once. Source: Errandonea et al., proof of Theorem 3.1.

    Examples
    --------
    >>> from knnviz.learnability import EXAMPLES, same_bags, swap
    >>> process = EXAMPLES["never alone"].process
    >>> other = swap(process, [0.6, 0.4])
    >>> other[1].tolist(), same_bags(process, [0.6, 0.4], other)
    ([0.4, 0.6], True)
    """
    process, eta = (array.copy() for array in checked_point(process, eta))
    held = frequency(process, eta)
    pair = [int(best(eta).argmax()), int(best(held).argmax())]
    if best(eta)[pair[1]]:
        raise ValueError(f"label {pair[1]} is in most bags and a best one: there is nothing to swap")
    process[:, pair], eta[pair] = process[:, pair[::-1]], eta[pair[::-1]]
    return process, eta


def aligned_world(process: np.ndarray, eta: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Another process (2^C, C) and another eta (C,) with the same bags that are aligned, whatever ties there are.

    Each column of M is the distribution of the bags of eta (C,), so that bags do not depend on the true label; the
    other eta is uniform on the labels in most bags. Where none of these is a best label of eta, a learner who sees bags
    alone is wrong in one of the two. Raises ValueError for several eta at once. Source: ours, in place of ``swap`` in
    the proof of Theorem 3.1 of Errandonea et al.

    Examples
    --------
    >>> from knnviz.learnability import EXAMPLES, aligned_world, same_bags
    >>> process = EXAMPLES["never alone"].process
    >>> other = aligned_world(process, [0.6, 0.4])
    >>> other[1].tolist(), same_bags(process, [0.6, 0.4], other)
    ([0.0, 1.0], True)
    """
    process, eta = checked_point(process, eta)
    most = best(frequency(process, eta))
    return np.tile(bag_distribution(process, eta)[:, None], len(eta)), most / most.sum()


def decode(process: np.ndarray, distribution: np.ndarray) -> np.ndarray:
    """eta (..., C) that a known process M (2^C, C) turns into distributions of bags (..., 2^C), by least squares.

    It is exact for a distribution that comes from M. For fractions of bags in a sample its entries need be no
    probabilities; the largest is the label to predict. Raises ValueError where the process is not reconstructible, and
    for distributions of another number of bags or with missing values. Source: Errandonea et al., Theorem 2.2.

    Examples
    --------
    >>> from knnviz.learnability import decode, process_matrix
    >>> process = process_matrix([{(0,): 0.6, (0, 1): 0.4}, {(1,): 1}])
    >>> decode(process, [0, 0.3, 0.5, 0.2]).round(6).tolist()
    [0.5, 0.5]
    """
    process = checked(process)
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


def same_bags(process: np.ndarray, eta: np.ndarray, other: tuple[np.ndarray, np.ndarray]) -> bool:
    """Whether another process and its eta give the same distribution of bags, up to rounding.

    Examples
    --------
    >>> from knnviz.learnability import EXAMPLES, same_bags
    >>> process = EXAMPLES["two never apart"].process
    >>> same_bags(process, [0.7, 0, 0.3], (process, [0, 0.7, 0.3]))
    True
    """
    return bool(np.allclose(bag_distribution(process, eta), bag_distribution(*other), rtol=0, atol=TIE_TOL))
