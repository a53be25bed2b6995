"""Bag processes and label probabilities at random, with zeros and ties."""

import numpy as np
from hypothesis import strategies as st

from knnviz.learnability import every_bag

seeds = st.integers(0, 10**6)
classes = st.integers(2, 5)


def any_process(n_classes, rng):
    """M (2^C, C) with any distribution of bags in each column, many of them without most bags."""
    process = rng.exponential(size=(2**n_classes, n_classes)) * (
        rng.random((2**n_classes, n_classes)) < 0.4
    )
    process[rng.integers(2**n_classes, size=n_classes), np.arange(n_classes)] += 0.1
    return process / process.sum(axis=0)


def short_of_rank(n_classes, rng):
    """M (2^C, C) in which one column or more are mixtures of the others, or the same as one."""
    rank = rng.integers(1, n_classes)
    process = any_process(n_classes, rng)
    mixed = rng.dirichlet(np.ones(rank), n_classes - rank)
    mixed[rng.random(len(mixed)) < 0.3] = np.eye(rank)[0]
    process[:, rank:] = process[:, :rank] @ mixed.T
    return process[:, rng.permutation(n_classes)]


def joined(together):
    """The process (2^C, C) whose bags of label i hold label y independently, with probability
    together[y, i].
    """
    return np.where(every_bag(len(together))[:, :, None], together, 1 - np.asarray(together)).prod(
        axis=1
    )


def tied_etas(n_classes, rng, m=200):
    """Eta (m, C) of which many have levels in common, or nearly."""
    steps = rng.integers(0, 4, (m, n_classes)) + 1e-3 * rng.random((m, 1)) * rng.integers(
        0, 2, (m, n_classes)
    )
    steps[steps.sum(axis=1) == 0] = 1
    return steps / steps.sum(axis=1, keepdims=True)
