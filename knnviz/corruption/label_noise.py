"""Label noise between two classes; ``knnviz.noise`` estimates its flip rates."""

from dataclasses import dataclass

import numpy as np

from knnviz import checks


@dataclass(frozen=True)
class LabelNoise:
    """Class-conditional label noise: a label of class c flips with probability p_c (Gao et al., section 2).

    ``p0`` and ``p1`` are the flip rates of class 0 and class 1, each in [0, 1), together below 1; ValueError otherwise.

    Examples
    --------
    >>> from knnviz import LabelNoise
    >>> import numpy as np
    >>> noise = LabelNoise(p0=0.1, p1=0.3)
    >>> noise.corrupt(np.array([[0.5, 0.5], [0.0, 1.0]])).round(4).tolist()
    [[0.6, 0.4], [0.3, 0.7]]
    >>> noise.flip(np.array([0, 0, 1, 1]), np.array([0.05, 0.2, 0.2, 0.4])).tolist()
    [1, 0, 0, 1]
    """

    p0: float = 0.0
    p1: float = 0.0

    def __post_init__(self) -> None:
        checks.check_flip_rates(self.p0, self.p1)

    @property
    def contrast(self) -> float:
        """1 - p0 - p1: eta_corr of class c, P(observed label is c), is ``offsets[c]`` + contrast * eta_c."""
        return 1 - self.p0 - self.p1

    @property
    def offsets(self) -> np.ndarray:
        """(p1, p0): the probability that a label of the other class becomes one of class 0, and of class 1."""
        return np.array([self.p1, self.p0])

    def flip(self, y: np.ndarray, v: np.ndarray) -> np.ndarray:
        """Observed labels (n,) of true classes y (n,) in {0, 1}: flipped where v (n,), uniform on [0, 1], is below p_y.

        With the same v, higher flip rates flip a superset of the labels.
        """
        y = checks.check_codes("y", y, len(v), 2)
        return y ^ (v < np.array([self.p0, self.p1])[y])

    def corrupt(self, eta: np.ndarray) -> np.ndarray:
        """eta_corr (m, 2), the probabilities of the observed labels, from eta (m, 2)."""
        eta = checks.check_points("eta", eta, 2)
        ones = self.p0 + self.contrast * eta[:, 1]
        return np.stack([1 - ones, ones], axis=1)
