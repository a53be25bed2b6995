"""Example distributions, from the papers and others, by name; parameters outside their ranges raise ValueError."""

from collections.abc import Callable, Sequence

import numpy as np
from scipy.special import expit, logsumexp

from knnviz import checks
from knnviz.problems.atoms import Box
from knnviz.problems.base import Problem, two_classes
from knnviz.threads import slices

UNIT_BOX = ((0.0, 1.0),)

#: Points in one piece of work, which then stays in the processor's cache.
CHUNK = 1024


def quadrature_nodes(length: float, scale: float) -> tuple[np.ndarray, np.ndarray]:
    """Gauss-Legendre nodes and weights on (0, 1), dense enough for normals of deviation ``scale`` along a curve."""
    points, weights = np.polynomial.legendre.leggauss(int(np.ceil(2.5 * length / scale)) + 10)
    return (points + 1) / 2, weights / 2


def line_problem(name: str, eta_1: Callable[[np.ndarray], np.ndarray], **parameters: float) -> Problem:
    """Two classes on [0, 1] with uniform marginal, from eta_1 of x (m,)."""
    return Problem(name, lambda X: two_classes(eta_1(X[:, 0])), UNIT_BOX, parameters=parameters)


def checkerboard() -> Problem:
    """Four smooth cells on the unit square, eta_1 = (1 - sin(2 pi x1) sin(2 pi x2)) / 2 (Gao et al., section 6.1).

    Examples
    --------
    >>> from knnviz import checkerboard
    >>> round(checkerboard().bayes_risk(), 4)  # 1/2 - 2 / pi^2
    0.2974
    """

    def eta(X: np.ndarray) -> np.ndarray:
        return two_classes((1 - np.sin(2 * np.pi * X[:, 0]) * np.sin(2 * np.pi * X[:, 1])) / 2)

    return Problem("checkerboard", eta)


def plateau(p0: float, p1: float) -> Problem:
    """A ramp with a plateau that label noise of rates p0, p1 moves across 1/2 (Reeve & Kaban, section 5).

    eta_1 rises from 0 to 1, and is m = ``plateau_level(p0, p1)`` on a third of the line. The rates lie in [0, 1/2) and
    differ.

    Examples
    --------
    >>> from knnviz.problems import plateau
    >>> import numpy as np
    >>> problem = plateau(p0=0.1, p1=0.3)
    >>> problem.eta(np.array([[0.0], [0.5], [1.0]]))[:, 1].round(4).tolist()
    [0.0, 0.5833, 1.0]
    """
    p0, p1 = checks.check_flip_rates(p0, p1)
    if max(p0, p1) >= 0.5 or p0 == p1:
        raise ValueError(f"the plateau needs two different flip rates below 1/2, got {p0:g} and {p1:g}")
    return line_problem("plateau", ramp_with_plateau(plateau_level(p0, p1)), p0=p0, p1=p1)


def plateau_level(p0: float, p1: float) -> float:
    """m = (2 - 3 p0 - p1) / (4 (1 - p0 - p1)), halfway from 1/2 to the eta_1 that noise moves to 1/2.

    The rates lie in [0, 1), together below 1; equal rates give 1/2 (Reeve & Kaban, section 5).

    Examples
    --------
    >>> from knnviz.problems import plateau_level
    >>> m = plateau_level(p0=0.1, p1=0.3)
    >>> round(m, 4), round(0.1 + (1 - 0.1 - 0.3) * m, 4)  # without noise, and with it
    (0.5833, 0.45)
    """
    p0, p1 = checks.check_flip_rates(p0, p1)
    return (2 - 3 * p0 - p1) / (4 * (1 - p0 - p1))


def ramp_with_plateau(m: float) -> Callable[[np.ndarray], np.ndarray]:
    """A ramp of x (n,) from 0 to 1 that is constant at m on a third of [0, 1]."""
    return lambda x: np.where(x < 2 * m / 3, 1.5 * x, np.where(x <= (2 * m + 1) / 3, m, 1.5 * x - 0.5))


def terrace(m: float = 0.6, low: float = 0.0, high: float = 1.0) -> Problem:
    """A plateau of any level and range: eta_1 rises from ``low`` to ``high`` and is ``m`` on a third of the line.

    0 <= low <= m <= high <= 1, and low < high.

    Examples
    --------
    >>> from knnviz.problems import terrace
    >>> import numpy as np
    >>> terrace(m=0.6).eta(np.array([[0.0], [0.5], [1.0]]))[:, 1].round(4).tolist()
    [0.0, 0.6, 1.0]
    """
    low, high = check_low_high(low, high)
    m = checks.check_real("m", m, low, high)
    rise = ramp_with_plateau((m - low) / (high - low))
    return line_problem("terrace", lambda x: low + (high - low) * rise(x), m=m, low=low, high=high)


def ramp(low: float = 0.0, high: float = 1.0) -> Problem:
    """eta_1 rises in a straight line from ``low`` to ``high``, 0 <= low < high <= 1.

    Examples
    --------
    >>> from knnviz.problems import ramp
    >>> round(ramp().bayes_risk(), 4)
    0.25
    """
    low, high = check_low_high(low, high)
    return line_problem("ramp", lambda x: low + (high - low) * x, low=low, high=high)


def levels(low: float = 0.33, high: float = 0.67) -> Problem:
    """eta_1 is ``low`` on the left half, ``high`` on the right, 0 <= low < high <= 1.

    Examples
    --------
    >>> from knnviz.problems import levels
    >>> round(levels(low=0.1, high=0.7).bayes_risk(), 4)
    0.2
    """
    low, high = check_low_high(low, high)
    return line_problem("levels", lambda x: np.where(x >= 0.5, high, low), low=low, high=high)


def check_low_high(low: float, high: float) -> tuple[float, float]:
    low, high = checks.check_real("low", low, 0, 1), checks.check_real("high", high, 0, 1)
    if low >= high:
        raise ValueError(f"low must be below high, got {low:g} and {high:g}")
    return low, high


def jump(a: float = 0.3) -> Problem:
    """eta_1 = 1/2 - a left of 1/2 and 1/2 + a from there on; a in [0, 1/2].

    Examples
    --------
    >>> from knnviz.problems import jump
    >>> round(jump(a=0.3).bayes_risk(), 4)
    0.2
    """
    a = checks.check_real("a", a, 0, 0.5)
    return line_problem("jump", lambda x: np.where(x >= 0.5, 0.5 + a, 0.5 - a), a=a)


def bump(width: float = 0.2, height: float = 0.9, low: float = 0.1) -> Problem:
    """eta_1 = ``height`` within ``width`` / 2 of 1/2, else ``low``; all in [0, 1].

    Examples
    --------
    >>> from knnviz.problems import bump
    >>> bump(width=0.2).bayes([[0.35], [0.45], [0.5], [0.65]]).tolist()
    [0, 1, 1, 0]
    """
    width, height = checks.check_real("width", width, 0, 1), checks.check_real("height", height, 0, 1)
    low = checks.check_real("low", low, 0, 1)
    parameters = {"width": width, "height": height, "low": low}
    return line_problem("bump", lambda x: np.where(abs(x - 0.5) <= width / 2, height, low), **parameters)


def power(kappa: float = 2.0) -> Problem:
    """eta_1 = 1/2 + ``sign(u) |2u|^kappa / 2`` with u = x - 1/2, kappa in [0.1, 20]: margin exponent 1 / kappa.

    Examples
    --------
    >>> from knnviz.problems import power
    >>> round(power(kappa=2).bayes_risk(), 4)  # kappa / (2 (kappa + 1))
    0.3333
    """
    kappa = checks.check_real("kappa", kappa, 0.1, 20)
    return line_problem("power", lambda x: 0.5 + np.sign(x - 0.5) * abs(2 * x - 1) ** kappa / 2, kappa=kappa)


def rare(height: float = 0.4, width: float = 0.08) -> Problem:
    """eta_1 = height * exp(-((x - 1/2) / width)^2): a class that is nowhere the most likely one if height < 1/2.

    ``height`` lies in [0, 1], ``width`` in [0.01, 1]. The class has the prior height * width * sqrt(pi) *
    erf(1 / (2 width)), 5.7 % by default. It is an example for thresholds on eta (Khim et al., appendix C).

    Examples
    --------
    >>> from knnviz.problems import rare
    >>> cells, eta = rare().cells(1000)
    >>> round(float(cells.weights @ eta[:, 1]), 4)
    0.0567
    """
    height, width = checks.check_real("height", height, 0, 1), checks.check_real("width", width, 0.01, 1)
    return line_problem("rare", lambda x: height * np.exp(-(((x - 0.5) / width) ** 2)), height=height, width=width)


def linear(s: float = 0.8) -> Problem:
    """eta_1 = 1/2 + s (x - 1/2), slope s in [0, 1].

    Examples
    --------
    >>> from knnviz.problems import linear
    >>> round(linear(s=0.8).bayes_risk(), 4)  # 1/2 - s / 4
    0.3
    """
    s = checks.check_real("s", s, 0, 1)
    return line_problem("linear", lambda x: 0.5 + s * (x - 0.5), s=s)


def logistic(slope: float = 10.0) -> Problem:
    """eta_1 = 1 / (1 + exp(-slope (x - 1/2))), slope in [0, 100]: it comes close to 0 and 1, and reaches neither.

    Examples
    --------
    >>> from knnviz.problems import logistic
    >>> import numpy as np
    >>> logistic(slope=10).eta(np.array([[0.0], [0.5], [1.0]]))[:, 1].round(4).tolist()
    [0.0067, 0.5, 0.9933]
    """
    slope = checks.check_real("slope", slope, 0, 100)
    return line_problem("logistic", lambda x: expit(slope * (x - 0.5)), slope=slope)


def waves() -> Problem:
    """Three classes on [0, 1]: eta_0 = exp(-2x) cos^2(4 pi x), and eta_1 : eta_2 = 1 - x : x (Khim et al., section 5).

    Examples
    --------
    >>> from knnviz.problems import waves
    >>> import numpy as np
    >>> waves().eta(np.array([[0.0], [0.125], [0.375]])).round(4).tolist()
    [[1.0, 0.0, 0.0], [0.0, 0.875, 0.125], [0.0, 0.625, 0.375]]
    """

    def eta(X: np.ndarray) -> np.ndarray:
        x = X[:, 0]
        first = np.exp(-2 * x) * np.cos(4 * np.pi * x) ** 2
        return np.stack([first, (1 - x) * (1 - first), x * (1 - first)], axis=1)

    return Problem("waves", eta, UNIT_BOX, 3)


def wave2d(amplitude: float = 0.12, waves: float = 2.0, high: float = 0.98) -> Problem:
    """A jump across the curve x2 = 1/2 + amplitude * sin(2 pi waves x1) on the unit square.

    eta_1 is ``high`` above the curve and 1 - high below, so that the Bayes risk is 1 - high. ``amplitude`` lies in
    [0, 0.5], ``waves`` in [0, 20], ``high`` in [0.5, 1]. It is an example for active learning.

    Examples
    --------
    >>> from knnviz import wave2d
    >>> round(wave2d(high=0.98).bayes_risk(), 4)
    0.02
    """
    amplitude = checks.check_real("amplitude", amplitude, 0, 0.5)
    waves = checks.check_real("waves", waves, 0, 20)
    high = checks.check_real("high", high, 0.5, 1)

    def eta(X: np.ndarray) -> np.ndarray:
        above = X[:, 1] > 0.5 + amplitude * np.sin(2 * np.pi * waves * X[:, 0])
        return two_classes(np.where(above, high, 1 - high))

    return Problem("wave2d", eta, parameters={"amplitude": amplitude, "waves": waves, "high": high})


def zipf(n_classes: int, exponent: float = 1.0) -> tuple[float, ...]:
    """A prior proportional to (c + 1)^-exponent, exponent in [0, 10] (Khim et al., section 1).

    Examples
    --------
    >>> from knnviz.problems import zipf
    >>> [round(11 * fraction, 4) for fraction in zipf(3)]
    [6.0, 3.0, 2.0]
    """
    exponent = checks.check_real("exponent", exponent, 0, 10)
    prior = np.arange(1, checks.check_int("n_classes", n_classes, 2, 255) + 1) ** -exponent
    return tuple((prior / prior.sum()).tolist())


def gaussians(
    n_classes: int = 3, prior: Sequence[float] | None = None, scale: float = 0.2, dimension: int = 1
) -> Problem:
    """A mixture of one normal distribution for each class, truncated to [-0.5, 1.5] in each coordinate.

    In dimension 1 the centers are (c + 1/2) / C, in dimension 2 they lie on a circle of radius 0.35.
    ``prior`` (C,) is equal by default; ``scale`` is the standard deviation, in [0.01, 2].

    Examples
    --------
    >>> from knnviz.problems import gaussians
    >>> gaussians(n_classes=3).bayes([[0.1], [0.5], [0.9]]).tolist()
    [0, 1, 2]
    """
    n_classes = checks.check_int("n_classes", n_classes, 2, 255)
    scale = checks.check_real("scale", scale, 0.01, 2)
    dimension = checks.check_int("dimension", dimension, 1, 2)
    steps = (np.arange(n_classes) + 0.5) / n_classes
    angles = 2 * np.pi * np.arange(n_classes) / n_classes
    circle = 0.5 + 0.35 * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    curves = (steps[:, None] if dimension == 1 else circle)[:, None, :]
    fractions = None if prior is None else [float(fraction) for fraction in prior]
    parameters = {"n_classes": n_classes, "prior": fractions, "scale": scale, "dimension": dimension}
    return convolved("gaussians", curves, np.ones(1), prior, scale, ((-0.5, 1.5),) * dimension, parameters)


def moons(scale: float = 0.2) -> Problem:
    """Two interleaving half circles, convolved with a normal of standard deviation ``scale`` in [0.05, 1].

    Examples
    --------
    >>> from knnviz.problems import moons
    >>> moons().bayes([[0.0, 1.0], [1.0, -0.5]]).tolist()
    [0, 1]
    """
    scale = checks.check_real("scale", scale, 0.05, 1)
    nodes, weights = quadrature_nodes(np.pi, scale)
    t = np.pi * nodes
    upper = np.stack([np.cos(t), np.sin(t)], axis=1)
    lower = np.stack([1 - np.cos(t), 0.5 - np.sin(t)], axis=1)
    box = ((-1.5, 2.5), (-1.75, 2.25))
    return convolved("moons", np.stack([upper, lower]), weights, None, scale, box, {"scale": scale})


def spirals(scale: float = 0.1, turns: float = 1.5) -> Problem:
    """Two arms that wind around each other ``turns`` times (0.5 to 2), convolved with a normal as ``moons`` are.

    Examples
    --------
    >>> from knnviz.problems import spirals
    >>> spirals().bayes([[0.25, 0.25], [-0.25, -0.25]]).tolist()
    [1, 0]
    """
    scale = checks.check_real("scale", scale, 0.05, 1)
    turns = checks.check_real("turns", turns, 0.5, 2)
    t, weights = quadrature_nodes(np.pi * turns + 1, scale)
    arm = (t * np.stack([np.cos(2 * np.pi * turns * t), np.sin(2 * np.pi * turns * t)])).T
    parameters = {"scale": scale, "turns": turns}
    # The density of t on the arm, 2t, grows with the radius.
    return convolved("spirals", np.stack([arm, -arm]), 2 * t * weights, None, scale, ((-1.4, 1.4),) * 2, parameters)


def convolved(
    name: str,
    curves: np.ndarray,
    weights: np.ndarray,
    prior: Sequence[float] | None,
    scale: float,
    box: Box,
    parameters: dict,
) -> Problem:
    """One class along each of the curves (C, nodes, d), nodes weighted by (nodes,), convolved with N(0, scale^2 I).

    The joint distribution is truncated to the box, which leaves eta as it is.
    """
    fractions = _prior(prior, len(curves))

    def log_joint(X: np.ndarray) -> np.ndarray:
        parts = [X[rows] for rows in slices(len(X), CHUNK)]
        logs = np.concatenate([np.stack([log_kernel(part, curve) for curve in curves], axis=1) for part in parts])
        return logs + np.log(fractions)

    def log_kernel(X: np.ndarray, curve: np.ndarray) -> np.ndarray:
        exponents = -(X**2).sum(axis=1)[:, None] + 2 * X @ curve.T - (curve**2).sum(axis=1)
        exponents /= 2 * scale**2
        largest = exponents.max(axis=1)
        return largest + np.log(np.exp(exponents - largest[:, None]) @ weights)

    def eta(X: np.ndarray) -> np.ndarray:
        logs = log_joint(X)
        return np.exp(logs - logsumexp(logs, axis=1, keepdims=True))

    def density(X: np.ndarray) -> np.ndarray:
        return np.exp(logsumexp(log_joint(X), axis=1))

    return Problem(name, eta, box, len(curves), density, parameters, log_joint=log_joint)


def _prior(prior: Sequence[float] | None, n_classes: int) -> np.ndarray:
    fractions = np.full(n_classes, 1 / n_classes) if prior is None else checks.check_numbers("prior", prior)
    if fractions.shape != (n_classes,) or (fractions <= 0).any() or abs(fractions.sum() - 1) > 1e-9:
        raise ValueError(f"prior must hold {n_classes} positive fractions that sum to 1, got {prior!r}")
    return fractions
