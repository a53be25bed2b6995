"""The k for which the statements hold: as printed, and as their proofs need."""

from math import ceil, log
from typing import Literal, NamedTuple

from knnviz import checks

Variant = Literal["proof", "printed"]
Statement = Literal["lemma_4_1", "theorem_4_1", "theorem_4_2", "theorem_4_3"]

#: What k - 1 must reach, from n and delta: as printed, and, where that differs, as the proof needs it.
PRINTED = {
    "lemma_4_1": lambda n, delta: 4 * log(1 / delta),
    "theorem_4_1": lambda n, delta: 4 * log(3 / delta),
    "theorem_4_2": lambda n, delta: 4 * log(2 / delta),
    "theorem_4_3": lambda n, delta: 4 * log(3 / delta),
}
PROOF = PRINTED | {
    "theorem_4_2": lambda n, delta: 4 * log(6 * n / delta),
    "theorem_4_3": lambda n, delta: max(4 * log(18 * n / delta), 8 * log(3 / delta)),
}


class KRange(NamedTuple):
    """All k from ``least`` to ``most``, both included; none if ``least`` is the larger."""

    least: int
    most: int

    def has(self, k: int) -> bool:
        return self.least <= k <= self.most


def k_range(n: int, delta: float, variant: Variant = "proof", statement: Statement = "theorem_4_3") -> KRange:
    """The k that a statement covers: k - 1 at least some multiple of a logarithm, k at most n / 2.

    The union over all n training points in the proof of Theorem 4.2 uses Theorem 4.1 at the level delta / (2 n). That
    takes k >= 4 log(6 n / delta) + 1, more than the printed 4 log(2 / delta) + 1. Theorem 4.3 uses Theorem 4.2 at
    delta / 3 and Theorem 4.1 at delta^2 / 3, so that it takes k >= max(4 log(18 n / delta), 8 log(3 / delta)) + 1 in
    place of 4 log(3 / delta) + 1. Lemma 4.1 and Theorem 4.1 hold as printed. A small n may leave no k.

    Source: Reeve & Kaban, Lemma 4.1, Theorems 4.1 to 4.3 and their proofs.

    Examples
    --------
    >>> from knnviz.bounds.reeve_kaban import k_range
    >>> k_range(n=10_000, delta=0.1)
    KRange(least=59, most=5000)
    >>> k_range(n=10_000, delta=0.1, variant="printed")
    KRange(least=15, most=5000)
    """
    n, delta = checks.check_int("n", n, 1), checks.check_failure_probability(delta)
    checks.check_choice("variant", variant, ("proof", "printed"))
    if statement not in PRINTED:
        raise ValueError(f"statement must be one of {', '.join(map(repr, PRINTED))}, got {statement!r}")
    least = (PROOF if variant == "proof" else PRINTED)[statement](n, delta)
    return KRange(ceil(least + 1), n // 2)


class ProvedInRange:
    """A bound that is computed for any k; ``proved`` is whether the proof covers this k."""

    n: int
    k: int
    delta: float
    statement: Statement

    @property
    def proved(self) -> bool:
        return k_range(self.n, self.delta, "proof", self.statement).has(self.k)
