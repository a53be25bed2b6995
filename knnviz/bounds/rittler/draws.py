"""How many draws the second round takes, and what share of its labels is bought plainly."""

from math import inf

from knnviz import checks


def expected_plain_share(plain_share: float, augmented_mass: float, coin: str = "per_draw") -> float:
    """Share of second-round labels that a plain coin buys: pi / (pi + (1 - pi) mu(H+)), or pi with a coin per sample.

    Parameters
    ----------
    plain_share : float
        pi in [0, 1].
    augmented_mass : float
        mu(H+) in [0, 1], not 0 together with pi.
    coin : "per_draw" or "per_sample"
        Whether the coin is flipped anew after a rejection, as printed, or only for the next label.

    Raises
    ------
    ValueError
        Outside these ranges.
    """
    pi, q = _shares(plain_share, augmented_mass)
    return pi / (pi + (1 - pi) * q) if per_draw(coin) else pi


def expected_draws(m: int, plain_share: float, augmented_mass: float, coin: str = "per_draw") -> float:
    """Draws that m labels take on average: m / (pi + (1 - pi) mu(H+)), or m (pi + (1 - pi) / mu(H+)).

    Parameters and errors as for ``expected_plain_share``; m is at least 0.
    """
    pi, q = _shares(plain_share, augmented_mass)
    m = checks.whole("m", m, 0)
    if per_draw(coin):
        return m / (pi + (1 - pi) * q)
    return m * (pi + ((1 - pi) / q if pi < 1 else 0)) if q > 0 or pi == 1 else inf


def _shares(plain_share: float, augmented_mass: float) -> tuple[float, float]:
    """pi and mu(H+), or ValueError."""
    pi, q = checks.real("plain_share", plain_share, 0, 1), checks.real("augmented_mass", augmented_mass, 0, 1)
    if pi == q == 0:
        raise ValueError("no draw is ever accepted: plain_share and augmented_mass are both 0")
    return pi, q


def per_draw(coin: str) -> bool:
    """Whether a coin is flipped for each draw, not for each label; ValueError for another word."""
    if coin not in ("per_draw", "per_sample"):
        raise ValueError(f'coin must be "per_draw" or "per_sample", got {coin!r}')
    return coin == "per_draw"
