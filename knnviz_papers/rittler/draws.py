"""The fraction of passive labels in the second round, by a coin for each draw or each label."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import product

import numpy as np
from tqdm import tqdm

from knnviz.active import FirstRound, Scheme
from knnviz.active.sampling import second_round
from knnviz.bounds.rittler import expected_draws, expected_passive_fraction
from knnviz.problems import linear
from knnviz.regions import AugmentedRegion
from knnviz_papers.simulate import Row, Tables, means_and_errors, over_runs

#: mu(H+): a number of whole cells.
MASS = 0.1075


def rittler_mixture(
    fractions: Sequence[float] = (0.1, 0.3, 0.5),
    m: int = 2000,
    repeats: int = 100,
    seed: int = 0,
    progress: bool = False,
) -> Tables:
    """How many of ``m`` labels of the second round are passive, and how many draws they take,
    beside the formulas.

    ``fractions`` are passive fractions pi. H+ is one ball of mass ``MASS`` in the middle of [0, 1].
    Table "mixture", a row for each coin and pi: the fraction of passive labels and the draws, each
    beside its expectation.

    Source: Rittler & Chaudhuri, the two-round sampling algorithm; the formulas are ours.
    """
    middle = np.array([[0.5]])
    region = AugmentedRegion(middle, np.array([MASS / 2]))
    measure = linear().measure(2000)
    first = FirstRound.build(Scheme(1, 0.5), middle, np.array([1]), measure)
    first = replace(first, region=region)
    mass = first.augmented_mass

    streams = np.random.SeedSequence(seed).spawn(repeats)
    cases = list(product(("per_draw", "per_sample"), fractions))
    rows = []
    for coin, pi in tqdm(cases, "rittler_mixture", disable=not progress):
        row: Row = {"coin": coin, "pi": pi, "augmented_mass": mass, "m": m}
        row["expected_fraction"] = expected_passive_fraction(pi, mass, coin)
        row["expected_draws"] = expected_draws(m, pi, mass, coin)

        coined = replace(first, scheme=Scheme(1, pi, coin=coin))
        work = partial(_draws, coined, m)
        found = np.array(over_runs(work, streams))
        row |= means_and_errors(found, ("passive_fraction", "draws"))
        rows.append(row)
    return {"mixture": rows}


def _draws(first: FirstRound, m: int, stream: np.random.SeedSequence) -> tuple[float, int]:
    """The fraction of passive labels and the number of draws of one second round."""
    rng = np.random.default_rng(stream)
    sample = second_round(linear(), first, m, rng)
    return sample.passive_label_fraction, sample.n_draws
