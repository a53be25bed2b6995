"""Fraction of passive draws among second-round labels: a coin decides, tossed for each draw or once for a label."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from tqdm import tqdm

from knnviz import checks
from knnviz.active import FirstRound, Scheme, second_round
from knnviz.active.scheme import Coin
from knnviz.bounds.rittler import expected_draws, expected_passive_fraction
from knnviz.problems import linear
from knnviz.regions import AugmentedRegion
from knnviz_papers.simulate import Row, Tables, means_and_errors, over_runs

#: A coin for each draw, as printed, or for each label.
COINS: tuple[Coin, ...] = ("per_draw", "per_sample")


def rittler_mixture(
    fractions: Sequence[float] = (0.1, 0.3, 0.5),
    augmented_mass: float = 0.1075,
    m: int = 2000,
    resolution: int = 2000,
    repeats: int = 100,
    seed: int = 0,
    progress: bool = False,
) -> Tables:
    """How many labels of the second round are passive, and how many draws it takes, beside the formulas.

    ``fractions`` are passive fractions pi in [0, 1]; the second round has ``m`` labels. H+ is a single ball of whole
    cells of [0, 1], of just the ``augmented_mass`` in (0, 1]; a mass that is no whole number of cells is refused.

    Tables: "mixture", a row for each coin and pi: the fraction of passive labels and the draws, each beside its
    expectation.

    Source: Rittler & Chaudhuri, the two-round sampling algorithm; the formulas are ours.
    """
    first = first_round_with_ball(augmented_mass, resolution)
    streams = np.random.SeedSequence(seed).spawn(repeats)
    pairs = [(coin, pi) for coin in COINS for pi in fractions]
    rows = [
        _row(first, Scheme(1, pi, coin=coin), checks.check_int("m", m, 1), streams)
        for coin, pi in tqdm(pairs, "rittler_mixture", disable=not progress)
    ]
    return {"mixture": rows}


def first_round_with_ball(augmented_mass: float, resolution: int) -> FirstRound:
    """A first round of one label, whose H+ is replaced by one ball of this mass in the middle of [0, 1].

    Raises ValueError for a mass that is no whole number of cells.
    """
    mass, measure = checks.check_real("augmented_mass", augmented_mass, 0, 1), linear().measure(resolution)
    middle = np.array([[0.5]])
    first = FirstRound.of(Scheme(1, 0.5), middle, np.array([1]), measure)
    first = replace(first, region=AugmentedRegion(middle, np.array([mass / 2])))
    if not np.isclose(first.augmented_mass, mass, rtol=1e-9) or first.fallback:
        raise ValueError(f"a ball of mass {mass:g} does not end at edges of {resolution} cells")
    return first


def _row(first: FirstRound, scheme: Scheme, m: int, streams: Sequence[np.random.SeedSequence]) -> Row:
    def one(stream: np.random.SeedSequence) -> tuple[float, int]:
        sample = second_round(linear(), scheme, first, m, np.random.default_rng(stream))
        return sample.passive_label_fraction, sample.n_draws

    found = np.array(over_runs(one, streams))
    setting = scheme.passive_fraction, first.augmented_mass, scheme.coin
    row = {"coin": scheme.coin, "pi": scheme.passive_fraction, "augmented_mass": first.augmented_mass, "m": m}
    row |= {"expected_fraction": expected_passive_fraction(*setting), "expected_draws": expected_draws(m, *setting)}
    return row | means_and_errors(found, ("passive_fraction", "draws"))
