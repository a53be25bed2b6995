"""Parameters of active learning in two rounds, and the width of H and the balls of H+ that follow from them."""

from dataclasses import dataclass
from typing import Literal

from knnviz import checks
from knnviz.bounds import rittler

#: Stage of a label: first round, passive draw, or targeted draw. The paper calls the distribution of passive draws P
#: (here mu), and the region of targeted ones R (here H+).
STAGES = ROUND1, FROM_P, FROM_R = 0, 1, 2

#: Largest c0 and c_plus, so that their squares stay finite.
LARGEST_CONSTANT = 1e100


@dataclass(frozen=True)
class Scheme:
    """Parameters of the two rounds in which labels are bought, from a distribution or a pool (Rittler & Chaudhuri).

    Parameters
    ----------
    k_hard : int
        Neighbors whose vote decides which points are hard.
    passive_fraction : float
        pi in [0, 1]: probability that a draw of the second round is passive, labeled wherever it falls.
    delta : float
        Failure probability, strictly between 0 and 1.
    c0, c_plus : float
        At least 0: they widen the hard region and the balls of H+; the paper gives no values.
    coin : "per_draw" or "per_sample"
        Whether the coin that makes a draw passive is flipped for each draw, as printed ("per_draw"), or once for each
        label ("per_sample").

    Examples
    --------
    >>> from knnviz.active import Scheme
    >>> scheme = Scheme(k_hard=100, passive_fraction=0.2, delta=0.1, c_plus=0.25)
    >>> round(scheme.width(n=1000, dimension=1), 4), scheme.k_plus(n=1000, dimension=1)
    (0.3462, 24)
    """

    k_hard: int
    passive_fraction: float
    delta: float = 0.1
    c0: float = 0.0
    c_plus: float = 0.25
    coin: Literal["per_draw", "per_sample"] = "per_draw"

    def __post_init__(self) -> None:
        checks.check_int("k_hard", self.k_hard, 1)
        checks.check_real("passive_fraction", self.passive_fraction, 0, 1)
        checks.check_failure_probability(self.delta)
        for name in ("c0", "c_plus"):
            checks.check_real(name, getattr(self, name), 0, LARGEST_CONSTANT)
        checks.check_choice("coin", self.coin, ("per_draw", "per_sample"))

    def width(self, n: int, dimension: int) -> float:
        """2 Delta + Delta~: points with ``|eta-hat - 1/2|`` below it, by n labels, are hard."""
        return rittler.hard_width(n, self.k_hard, dimension, self.delta, self.c0)

    def k_plus(self, n: int, dimension: int) -> int:
        """Neighbors in each ball of H+, for n labels in a first round."""
        return rittler.augmented_neighbors(n, dimension, self.delta, self.c_plus)
