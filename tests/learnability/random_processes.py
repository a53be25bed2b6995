"""Bag processes and label probabilities at random, with zeros and ties."""

import numpy as np
from hypothesis import strategies as st

from knnviz.learnability import every_bag

seeds = st.integers(0, 10**6)
classes = st.integers(2, 5)


def any_process(n_classes, rng):
    """M (2^C, C) with any distribution of bags in each column, many of them without most bags."""
    shape = (2**n_classes, n_classes)
    process = rng.exponential(size=shape)
    process *= rng.random(shape) < 0.4
    certain = rng.integers(2**n_classes, size=n_classes)
    process[certain, np.arange(n_classes)] += 0.1
    return process / process.sum(axis=0)


def short_of_rank(n_classes, rng):
    """M (2^C, C) in which one column or more are mixtures of the others, or the same as one."""
    rank = rng.integers(1, n_classes)
    process = any_process(n_classes, rng)
    mixed = rng.dirichlet(np.ones(rank), n_classes - rank)
    same = rng.random(len(mixed)) < 0.3
    mixed[same] = np.eye(rank)[0]
    process[:, rank:] = process[:, :rank] @ mixed.T
    return process[:, rng.permutation(n_classes)]


def joined(together):
    """The process (2^C, C) whose bags of i hold y independently, by chance together[y, i]."""
    held = every_bag(len(together))[:, :, None]
    each_label = np.where(held, together, 1 - np.asarray(together))
    return each_label.prod(axis=1)


def tied_etas(n_classes, rng, m=200):
    """Eta (m, C) of which many have levels in common, or nearly."""
    shape = (m, n_classes)
    steps = rng.integers(0, 4, shape)
    slight = rng.uniform(1e-5, 1e-3, (m, 1))
    levels = steps + slight * rng.integers(0, 2, shape)
    levels[levels.sum(axis=1) == 0] = 1
    return levels / levels.sum(axis=1, keepdims=True)
