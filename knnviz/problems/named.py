"""Example distributions, from the papers and others, by name; and expected numbers of classes in a
sample.

Parameters outside their ranges in ``RANGES`` raise ValueError. On a line the marginal is uniform on
[0, 1], unless a problem says otherwise.

A new problem is a function here that returns a ``Problem``, with a row in ``RANGES``.
``knnviz/problems/__init__.py`` names it, and if a lesson types it ``knnviz/__init__.pyi`` and
``TOPICS`` of ``docs/book.py``. An entry in ``SOURCES`` of ``knnviz/labs/parts/sources.py`` puts it
into menus. Test it in ``tests/problems/test_named.py`` beside a closed form, and call it in
``tests/doors/worlds.py``. A data set of scikit-learn's goes into ``BUNDLED`` of
``knnviz/problems/data.py``.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from scipy.special import expit, logsumexp

from knnviz.checks import (
    check_flip_rates,
    check_int,
    check_n_classes,
    check_numbers,
    check_real,
    check_weights,
    require,
    shown,
)
from knnviz.problems.base import Box, Problem, two_classes
from knnviz.threads import slices

#: Every named problem, with the lowest and highest value of its parameters; these may be another
#: parameter, by name.
RANGES: dict[str, dict[str, tuple[Any, Any]]] = {
    "bump": {"width": (0, 1), "height": (0, 1), "low": (0, 1)},
    "checkerboard": {},
    "constant": {},
    "contested": {"width": (0, 1), "top": (0, 1)},
    "gaussians": {"scale": (0.01, 2)},
    "hidden_bump": {},
    "jump": {"a": (0, 0.5)},
    "linear": {"s": (0, 1)},
    "logistic": {"slope": (0, 100)},
    "moons": {"scale": (0.05, 1)},
    "one_against_rest": {},
    "plateau": {},
    "power": {"kappa": (0.1, 20)},
    "ramp": {"low": (0, "high"), "high": (0, 1)},
    "rare": {"height": (0, 1), "width": (0.01, 1)},
    "segments": {"top": (0, 1)},
    "spirals": {"scale": (0.05, 1)},
    "terrace": {"low": (0, "high"), "high": (0, 1), "m": ("low", "high")},
    "wave2d": {"amplitude": (0, 0.5), "waves": (0, 20), "high": (0.5, 1)},
    "waves": {},
}

UNIT_BOX = ((0.0, 1.0),)

#: Points in one piece of work, which then stays in the processor's cache.
CHUNK = 1024


def in_range(problem: str, **parameters: Any) -> dict[str, Any]:
    """Parameters of a named problem, as floats where they have a range, outside of which they raise
    ValueError.
    """
    found = parameters.copy()
    for name, ends in RANGES.get(problem, {}).items():
        low, high = (parameters.get(end, end) for end in ends)
        found[name] = float(check_real(name, parameters[name], low, high))
    return found


def line_problem(name: str, eta_1: Callable[..., np.ndarray], **parameters: float) -> Problem:
    """Two classes on [0, 1] with uniform marginal, from eta_1 of x (m,) and of the parameters,
    checked as floats.
    """
    found = in_range(name, **parameters)

    def eta(X: np.ndarray) -> np.ndarray:
        return two_classes(eta_1(X[:, 0], **found))

    return Problem(name, eta, UNIT_BOX, parameters=found)


def checkerboard() -> Problem:
    """Four smooth cells on the unit square, eta_1 = (1 - sin(2 pi x1) sin(2 pi x2)) / 2 (Gao et
    al., section 6.1).

    Examples
    --------
    >>> from knnviz import checkerboard
    >>> round(checkerboard().bayes_risk(), 4)  # 1/2 - 2 / pi^2
    0.2974
    """

    def eta(X: np.ndarray) -> np.ndarray:
        across = np.sin(2 * np.pi * X[:, 0])
        along = np.sin(2 * np.pi * X[:, 1])
        return two_classes((1 - across * along) / 2)

    return Problem("checkerboard", eta)


def wave2d(amplitude: float = 0.12, waves: float = 2.0, high: float = 0.98) -> Problem:
    """A jump across the curve x2 = 1/2 + amplitude * sin(2 pi waves x1) on the unit square.

    eta_1 is ``high`` above the curve and 1 - high below, so that the Bayes risk is 1 - high.
    ``amplitude`` lies in [0, 0.5], ``waves`` in [0, 20], ``high`` in [0.5, 1]. It is an example for
    active learning.

    Examples
    --------
    >>> from knnviz import wave2d
    >>> round(wave2d(high=0.98).bayes_risk(), 4)
    0.02
    """
    parameters = in_range("wave2d", amplitude=amplitude, waves=waves, high=high)
    amplitude, waves, high = parameters.values()

    def eta(X: np.ndarray) -> np.ndarray:
        curve = 0.5 + amplitude * np.sin(2 * np.pi * waves * X[:, 0])
        return two_classes(np.where(X[:, 1] > curve, high, 1 - high))

    return Problem("wave2d", eta, parameters=parameters)


# Two classes on a line.


def plateau(p0: float, p1: float) -> Problem:
    """A ramp with a plateau that label noise of rates p0, p1 moves across 1/2 (Reeve & Kaban,
    section 5).

    eta_1 rises from 0 to 1, and is m = ``plateau_level(p0, p1)`` on a third of the line. The rates
    lie in [0, 1/2) and differ.

    Examples
    --------
    >>> from knnviz.problems import plateau
    >>> import numpy as np
    >>> problem = plateau(p0=0.1, p1=0.3)
    >>> problem.eta(np.array([[0.0], [0.5], [1.0]]))[:, 1].round(4).tolist()
    [0.0, 0.5833, 1.0]
    """
    m = plateau_level(p0, p1)
    valid = p0 != p1 and max(p0, p1) < 0.5
    require(valid, f"the plateau needs two different flip rates below 1/2, got {p0:g} and {p1:g}")
    parameters = {"p0": float(p0), "p1": float(p1)}
    return Problem("plateau", terrace(m).eta, UNIT_BOX, parameters=parameters)


def plateau_level(p0: float, p1: float) -> float:
    """m = (2 - 3 p0 - p1) / (4 (1 - p0 - p1)), halfway from 1/2 to the eta_1 that noise moves to
    1/2.

    The rates lie in [0, 1), together below 1; equal rates give 1/2 (Reeve & Kaban, section 5).
    """
    p0, p1 = check_flip_rates(p0, p1)
    return (2 - 3 * p0 - p1) / (4 * (1 - p0 - p1))


def terrace(m: float = 0.6, low: float = 0.0, high: float = 1.0) -> Problem:
    """A plateau of any level and range: eta_1 rises from ``low`` to ``high`` and is ``m`` on a
    third of the line.

    0 <= low <= m <= high <= 1, and low < high.
    """

    def eta_1(x: np.ndarray, m: float, low: float, high: float) -> np.ndarray:
        level = (m - low) / (high - low)
        from_level = np.where(x <= (2 * level + 1) / 3, level, 1.5 * x - 0.5)
        rise = np.where(x < 2 * level / 3, 1.5 * x, from_level)
        return low + (high - low) * rise

    problem = line_problem("terrace", eta_1, m=m, low=low, high=high)
    require(low < high, f"low must be below high, got {low:g} and {high:g}")
    return problem


def ramp(low: float = 0.0, high: float = 1.0) -> Problem:
    """eta_1 rises in a straight line from ``low`` to ``high``, 0 <= low <= high <= 1.

    Examples
    --------
    >>> from knnviz.problems import ramp
    >>> round(ramp().bayes_risk(), 4)
    0.25
    """
    return line_problem("ramp", lambda x, low, high: low + (high - low) * x, low=low, high=high)


def jump(a: float = 0.3) -> Problem:
    """eta_1 = 1/2 - a left of 1/2 and 1/2 + a from there on; a in [0, 1/2].

    Examples
    --------
    >>> from knnviz.problems import jump
    >>> round(jump(a=0.3).bayes_risk(), 4)
    0.2
    """
    return line_problem("jump", lambda x, a: np.where(x >= 0.5, 0.5 + a, 0.5 - a), a=a)


def bump(width: float = 0.2, height: float = 0.9, low: float = 0.1) -> Problem:
    """eta_1 = ``height`` within ``width`` / 2 of 1/2, else ``low``; all in [0, 1].

    Examples
    --------
    >>> from knnviz.problems import bump
    >>> bump(width=0.2).bayes([[0.35], [0.45], [0.5], [0.65]]).tolist()
    [0, 1, 1, 0]
    """

    def eta_1(x: np.ndarray, width: float, height: float, low: float) -> np.ndarray:
        return np.where(abs(x - 0.5) <= width / 2, height, low)

    return line_problem("bump", eta_1, width=width, height=height, low=low)


def hidden_bump() -> Problem:
    """eta_1 = 0.98 left of 0.3 and within 0.015 of 0.8, else 0.02: a jump, and a bump that few
    labels do not show.
    """

    def eta_1(x: np.ndarray) -> np.ndarray:
        in_bump = abs(x - 0.8) <= 0.015
        return np.where((x < 0.3) | in_bump, 0.98, 0.02)

    return line_problem("hidden_bump", eta_1)


def power(kappa: float = 2.0) -> Problem:
    """eta_1 = 1/2 + ``sign(u) |2u|^kappa / 2`` with u = x - 1/2, kappa in [0.1, 20].

    The mass ``mu(|eta_1 - 1/2| <= t)`` grows as t^(1 / kappa), and the Bayes risk is kappa / (2
    (kappa + 1)).
    """
    return line_problem(
        "power", lambda x, kappa: 0.5 + np.sign(x - 0.5) * abs(2 * x - 1) ** kappa / 2, kappa=kappa
    )


def rare(height: float = 0.4, width: float = 0.08) -> Problem:
    """eta_1 = height * exp(-((x - 1/2) / width)^2): a class that is nowhere the most likely one if
    height < 1/2.

    ``height`` lies in [0, 1], ``width`` in [0.01, 1]. The class has the prior height * width *
    sqrt(pi) * erf(1 / (2 width)), 5.7 % by default. It is an example for thresholds on eta (Khim et
    al., appendix C).

    Examples
    --------
    >>> from knnviz.problems import rare
    >>> cells, eta = rare().cells(1000)
    >>> round(float(cells.weights @ eta[:, 1]), 4)
    0.0567
    """
    return line_problem(
        "rare",
        lambda x, height, width: height * np.exp(-(((x - 0.5) / width) ** 2)),
        height=height,
        width=width,
    )


def linear(s: float = 0.8) -> Problem:
    """eta_1 = 1/2 + s (x - 1/2), slope s in [0, 1].

    Examples
    --------
    >>> from knnviz.problems import linear
    >>> round(linear(s=0.8).bayes_risk(), 4)  # 1/2 - s / 4
    0.3
    """
    return line_problem("linear", lambda x, s: 0.5 + s * (x - 0.5), s=s)


def logistic(slope: float = 10.0) -> Problem:
    """eta_1 = 1 / (1 + exp(-slope (x - 1/2))), slope in [0, 100]: it comes close to 0 and 1, and
    reaches neither.
    """
    return line_problem("logistic", lambda x, slope: expit(slope * (x - 0.5)), slope=slope)


# More classes on a line.


def waves() -> Problem:
    """Three classes on [0, 1]: eta_0 = exp(-2x) cos^2(4 pi x), and eta_1 : eta_2 = 1 - x : x (Khim
    et al., section 5).

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
        rest = 1 - first
        return np.stack([first, (1 - x) * rest, x * rest], axis=1)

    return Problem("waves", eta, UNIT_BOX, 3)


def segments(n_classes: int = 3, top: float = 5 / 7) -> Problem:
    """C equal pieces of [0, 1]: on piece c class c has probability ``top``, and all others are
    equally likely.
    """
    parameters = in_range("segments", n_classes=check_n_classes(n_classes), top=top)
    n_classes, top = parameters.values()

    def eta(X: np.ndarray) -> np.ndarray:
        piece = np.minimum((X * n_classes).astype(int), n_classes - 1)
        is_own = piece == np.arange(n_classes)
        return np.where(is_own, top, (1 - top) / (n_classes - 1))

    return Problem("segments", eta, UNIT_BOX, n_classes, None, parameters)


def contested(
    width: float = 0.3, fractions: Sequence[float] = (0.5, 0.4, 0.1), top: float = 5 / 7
) -> Problem:
    """The pieces of ``segments``, but on [0, ``width``) the classes have these ``fractions`` (C,),
    whose sum is 1.
    """
    left = check_prior(fractions, "fractions")
    pieces = segments(len(left), top).eta
    parameters = in_range("contested", width=width, fractions=left.tolist(), top=top)
    width = parameters["width"]

    def eta(X: np.ndarray) -> np.ndarray:
        return np.where(width > X, left, pieces(X))

    return Problem("contested", eta, UNIT_BOX, len(left), None, parameters)


def constant(fractions: Sequence[float] = (0.5, 0.49, 0.01)) -> Problem:
    """The same class probabilities ``fractions`` (C,), whose sum is 1, everywhere on [0, 1]."""
    everywhere = check_prior(fractions, "fractions")
    parameters = {"fractions": everywhere.tolist()}

    def eta(X: np.ndarray) -> np.ndarray:
        return np.tile(everywhere, (len(X), 1))

    return Problem("constant", eta, UNIT_BOX, len(everywhere), None, parameters)


# Mixtures of one distribution for each class.


def gaussians(
    n_classes: int = 3, prior: Sequence[float] | None = None, scale: float = 0.2, dimension: int = 1
) -> Problem:
    """One normal distribution for each class, mixed by ``prior`` and truncated to [-0.5, 1.5] in
    each coordinate.

    In dimension 1 the centers are (c + 1/2) / C, in dimension 2 they lie on a circle of radius
    0.35. ``prior`` (C,) is equal by default; ``scale`` is the standard deviation, in [0.01, 2].

    Examples
    --------
    >>> from knnviz.problems import gaussians
    >>> gaussians(n_classes=3).bayes([[0.1], [0.5], [0.9]]).tolist()
    [0, 1, 2]
    """
    n_classes = check_n_classes(n_classes)
    dimension = check_int("dimension", dimension, 1, 2)
    fractions = None
    if prior is not None:
        fractions = check_weights(prior, n_classes, "prior").tolist()
        positive = min(fractions) > 0
        require(positive, f"prior must hold positive fractions, got {shown(prior)}")
    parameters = in_range(
        "gaussians", n_classes=n_classes, prior=fractions, scale=scale, dimension=dimension
    )

    steps = np.arange(n_classes)
    if dimension == 1:
        centers = (steps[:, None] + 0.5) / n_classes
    else:
        angles = 2 * np.pi * steps / n_classes
        centers = 0.5 + 0.35 * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    box = ((-0.5, 1.5),) * dimension
    return convolved("gaussians", centers[:, None, :], np.ones(1), box, parameters)


def moons(scale: float = 0.2) -> Problem:
    """Two interleaving half circles, convolved with a normal of standard deviation ``scale`` in
    [0.05, 1].
    """
    parameters = in_range("moons", scale=scale)
    nodes, weights = quadrature_nodes(np.pi, parameters["scale"])
    t = np.pi * nodes
    upper = np.stack([np.cos(t), np.sin(t)], axis=1)
    curves = np.stack([upper, [1, 0.5] - upper])
    box = ((-1.5, 2.5), (-1.75, 2.25))
    return convolved("moons", curves, weights, box, parameters)


def spirals(scale: float = 0.1) -> Problem:
    """Two arms that wind around each other one and a half times, convolved with a normal as
    ``moons`` are.
    """
    parameters = in_range("spirals", scale=scale)
    t, weights = quadrature_nodes(1.5 * np.pi + 1, parameters["scale"])
    angles = 3 * np.pi * t
    arm = (t * np.stack([np.cos(angles), np.sin(angles)])).T
    curves = np.stack([arm, -arm])
    box = ((-1.4, 1.4), (-1.4, 1.4))
    # The density of t on the arm, 2t, grows with the radius.
    return convolved("spirals", curves, 2 * t * weights, box, parameters)


def quadrature_nodes(length: float, scale: float) -> tuple[np.ndarray, np.ndarray]:
    """Gauss-Legendre nodes and weights on (0, 1), dense enough for normals of deviation ``scale``
    along a curve.
    """
    n_nodes = int(np.ceil(2.5 * length / scale)) + 10
    points, weights = np.polynomial.legendre.leggauss(n_nodes)
    return (points + 1) / 2, weights / 2


def convolved(
    name: str, curves: np.ndarray, weights: np.ndarray, box: Box, parameters: dict[str, Any]
) -> Problem:
    """Classes spread along curves (C, nodes, d) with node weights (nodes,), plus normal noise N(0,
    scale^2 I).

    ``parameters`` hold the ``scale``, and the ``prior`` (C,) of the classes unless they are equally
    likely. The joint distribution is truncated to the box, which leaves eta as it is.
    """
    scale = parameters["scale"]
    prior = parameters.get("prior")
    n_classes = len(curves)
    fractions = np.full(n_classes, 1 / n_classes)
    if prior is not None:
        fractions = np.array(prior)

    def log_joint(X: np.ndarray) -> np.ndarray:
        parts = [log_densities(X[rows]) for rows in slices(len(X), CHUNK)]
        return np.concatenate(parts) + np.log(fractions)

    def log_densities(X: np.ndarray) -> np.ndarray:
        return np.stack([log_kernel(X, curve) for curve in curves], axis=1)

    def log_kernel(X: np.ndarray, curve: np.ndarray) -> np.ndarray:
        # In place, since the system takes longer to provide memory than NumPy to fill it.
        exponents = 2 * X @ curve.T
        exponents -= (X**2).sum(axis=1)[:, None]
        exponents -= (curve**2).sum(axis=1)
        exponents /= 2 * scale**2
        largest = exponents.max(axis=1)
        exponents -= largest[:, None]
        return largest + np.log(np.exp(exponents, out=exponents) @ weights)

    def eta(X: np.ndarray) -> np.ndarray:
        logs = log_joint(X)
        return np.exp(logs - logsumexp(logs, axis=1, keepdims=True))

    def density(X: np.ndarray) -> np.ndarray:
        return np.exp(logsumexp(log_joint(X), axis=1))

    return Problem(name, eta, box, n_classes, density, parameters, log_joint=log_joint)


# A class of another problem.


def one_against_rest(problem: Problem, c: int = 0) -> Problem:
    """Class c of a problem as class 1, and all its other classes as class 0, at the same points.

    The confusion entries of class c are those of class 1 (Khim et al., section 4).
    """

    c = check_int("c", c, 0, problem.n_classes - 1)

    def eta(X: np.ndarray) -> np.ndarray:
        return two_classes(problem.eta(X)[:, c])

    parameters = {"problem": problem.spec(), "c": c}
    return Problem(
        "one_against_rest", eta, problem.box, 2, problem.density, parameters, problem.atoms
    )


# Priors of many classes.


def zipf(n_classes: int, exponent: float = 1.0) -> tuple[float, ...]:
    """A prior proportional to (c + 1)^-exponent, exponent in [0, 10] (Khim et al., section 1).

    Examples
    --------
    >>> from knnviz.problems import zipf
    >>> [round(11 * fraction, 4) for fraction in zipf(3)]
    [6.0, 3.0, 2.0]
    """
    exponent = float(check_real("exponent", exponent, 0, 10))
    n_classes = check_n_classes(n_classes)
    prior = np.arange(1, n_classes + 1) ** -exponent
    return tuple((prior / prior.sum()).tolist())


def check_prior(prior: Sequence[float], name: str = "prior") -> np.ndarray:
    """Return a copy of the probabilities (C,) of classes, which sum to 1, or raise ValueError."""
    p = check_numbers(name, prior)
    return check_weights(p.copy(), p.size, name)


def expected_seen(prior: Sequence[float], n: int) -> float:
    """The expected number of classes in a sample of n points, for a prior (C,): the sum of 1 - (1 -
    p_c)^n.
    """
    p = check_prior(prior)
    n = check_int("n", n, 0)
    return float((1 - (1 - p) ** n).sum())


def expected_singletons(prior: Sequence[float], n: int) -> float:
    """The expected number of points, of n, that are alone in their class: the sum of n p_c (1 -
    p_c)^(n - 1).

    Such a point has no neighbor of its own class (Khim et al., section 1).
    """
    p = check_prior(prior)
    n = check_int("n", n, 1)
    return float((n * p * (1 - p) ** (n - 1)).sum())
