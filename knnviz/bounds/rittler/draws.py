"""How many draws the second round takes, and what fraction of its labels is passive.

Where mu(H+) = 0, Algorithm 1 draws m passive labels instead, without a coin; these formulas do not.
"""

from math import inf

from knnviz import checks


def expected_passive_fraction(passive_fraction: float, augmented_mass: float, coin: str = "per_draw") -> float:
    """Expected fraction of passive draws in round two: pi / (pi + (1 - pi) mu(H+)), or pi with a coin per label.

    A coin decides whether a draw is passive, with probability pi. It is flipped anew for every draw ("per_draw"), as
    printed, or only after a draw has been labeled ("per_sample"). pi, ``passive_fraction``, and mu(H+),
    ``augmented_mass``, lie in [0, 1] and are not both 0.

    Source: Rittler & Chaudhuri, Algorithm 1.

    Examples
    --------
    >>> from knnviz.bounds.rittler import expected_passive_fraction
    >>> expected_passive_fraction(passive_fraction=0.5, augmented_mass=0.25)
    0.8
    """
    pi, mass = _check_fractions(passive_fraction, augmented_mass)
    return pi / (pi + (1 - pi) * mass) if per_draw(coin) else pi


def expected_draws(m: int, passive_fraction: float, augmented_mass: float, coin: str = "per_draw") -> float:
    """Draws for m labels on average: m / (pi + (1 - pi) mu(H+)); with a coin per label m (pi + (1 - pi) / mu(H+)).

    Source: Rittler & Chaudhuri, Algorithm 1.

    Examples
    --------
    >>> from knnviz.bounds.rittler import expected_draws
    >>> [expected_draws(100, 0.5, augmented_mass=0.25, coin=coin) for coin in ("per_draw", "per_sample")]
    [160.0, 250.0]
    """
    pi, mass = _check_fractions(passive_fraction, augmented_mass)
    m = checks.check_int("m", m, 0)
    if per_draw(coin):
        return m / (pi + (1 - pi) * mass)
    return m * (pi + ((1 - pi) / mass if pi < 1 else 0)) if mass > 0 or pi == 1 else inf


def _check_fractions(passive_fraction: float, augmented_mass: float) -> tuple[float, float]:
    pi = checks.check_real("passive_fraction", passive_fraction, 0, 1)
    mass = checks.check_real("augmented_mass", augmented_mass, 0, 1)
    if pi == mass == 0:
        raise ValueError("no draw is ever accepted: passive_fraction and augmented_mass are both 0")
    return pi, mass


def per_draw(coin: str) -> bool:
    """Whether a coin is flipped for each draw, not for each label; ValueError for any other ``coin``.

    Source: Rittler & Chaudhuri, Algorithm 1.

    Examples
    --------
    >>> from knnviz.bounds.rittler import per_draw
    >>> per_draw("per_draw"), per_draw("per_sample")
    (True, False)
    """
    checks.check_choice("coin", coin, ("per_draw", "per_sample"))
    return coin == "per_draw"
