"""What errors of the estimates do to eta-hat and to decisions."""

from typing import NamedTuple

from knnviz import checks
from knnviz.corruption import LabelNoise

#: By how much an error of contrast / 4 may exceed it by rounding.
ROUNDING = 1e-12


class Errors(NamedTuple):
    """How far the estimates are off: ``|e(x) - eta_corr(x)|``, ``|p0-hat - p0|`` and ``|p1-hat - p1|``.

    e estimates eta_corr; each error is in [0, 1]. Source: Reeve & Kaban, Lemma 3.1.
    """

    frequency: float
    p0: float
    p1: float

    def check(self) -> None:
        """Raise ValueError unless each lies in [0, 1]."""
        for name, error in zip(("frequency", "p0", "p1"), self, strict=True):
            checks.check_real(f"error of {name}", error, 0, 1)


def lemma_3_1(noise: LabelNoise, errors: Errors) -> float:
    """Bound on ``|eta-hat(x) - eta(x)|``: 8 times the largest error, over the contrast.

    eta-hat is (e - p0-hat) / (1 - p0-hat - p1-hat). A factor 2 of the 8 comes from its denominator, which is at least
    contrast / 2 if errors of the rates are at most contrast / 4, the condition. Beyond it the formula would exceed 2.

    Source: Reeve & Kaban, Lemma 3.1.

    Examples
    --------
    >>> from knnviz import LabelNoise
    >>> from knnviz.bounds.reeve_kaban import Errors, lemma_3_1
    >>> round(lemma_3_1(LabelNoise(0.1, 0.3), Errors(frequency=0.03, p0=0.03, p1=0.03)), 4)
    0.4
    """
    Errors(*errors).check()
    rates = max(errors[1:])
    if rates > noise.contrast / 4 + ROUNDING:
        raise ValueError(
            f"Lemma 3.1 needs errors of the rates of at most contrast / 4 = {noise.contrast / 4:g}, got {rates:g}"
        )
    return 8 * max(errors) / noise.contrast


def decision_error(noise: LabelNoise, errors: Errors) -> float:
    """Largest ``|eta - 1/2|`` of a point where the decision differs from the Bayes rule.

    ``(|e - eta_corr| + (|p0-hat - p0| + |p1-hat - p1|) / 2) / contrast``: the threshold (1 + p0-hat - p1-hat) / 2 is
    off by half of what the rates are off together. No condition is needed, and at equal errors this is a quarter of
    Lemma 3.1.

    Source: sharper than what Reeve & Kaban draw from Lemma 3.1, in the proof of Theorem 4.3.

    Examples
    --------
    >>> from knnviz import LabelNoise
    >>> from knnviz.bounds.reeve_kaban import Errors, decision_error
    >>> round(decision_error(LabelNoise(0.1, 0.3), Errors(frequency=0.03, p0=0.03, p1=0.03)), 4)
    0.1
    """
    Errors(*errors).check()
    frequency, p0, p1 = errors
    return (frequency + (p0 + p1) / 2) / noise.contrast
