"""Figures 1 and 2 in numbers: where each class leads, what the weighted Bayes rule gets right, and the error band."""

from collections.abc import Sequence

import numpy as np
from scipy.optimize import minimize_scalar

from knnviz import checks, metrics, regions
from knnviz.lessons.stored import published
from knnviz.metrics import Confusion
from knnviz.problems import Problem, waves
from knnviz_papers.khim.pieces import CLASS, EQUAL, LESS, MORE, RESOLUTION, Pieces, Q, pieces, weighted_bayes
from knnviz_papers.simulate import Row, Tables

#: Weights by name: equal ones, those of the figure, and the pair that covers those of the figure.
WEIGHTS = {"equal": EQUAL, "weighted": Q, "more": MORE, "less": LESS}

#: Where two weighted curves all but meet.
NEAR = (0.65, 0.85)

#: Left ends of so many cells are what the paper sums over.
POINTS = 1000


def khim_figure_1(resolution: int = RESOLUTION, seed: int = 0, progress: bool = False) -> Tables:
    """Figure 1: decision regions of the Bayes rule without and with weights, and its confusion entries and scores.

    Tables: "regions", a row for each interval; "fractions" of the classes among decisions, a row for each weights;
    "entries", one for each weights and class; "scores", one for each weights; "near_tie", where and by how much class 2
    leads class 0 least, with weights; "marginals", one for each class, with the printed one.

    Source: Khim et al., section 5 and Figure 1.
    """
    problem = waves()
    eta = problem.eta(problem.grid(resolution).points)
    decisions = {name: pieces(weighted_bayes(q), resolution) for name, q in WEIGHTS.items()}
    found = {name: metrics.confusion_bayes(eta, q) for name, q in WEIGHTS.items()}
    return {
        "regions": [{"weights": name} | row for name in ("equal", "weighted") for row in _intervals(decisions[name])],
        "fractions": [{"weights": name} | _fractions(each) for name, each in decisions.items()],
        "entries": [{"weights": name} | row for name, each in found.items() for row in _entries(each)],
        "scores": [{"weights": name} | _scores(each, WEIGHTS[name]) for name, each in found.items()],
        "near_tie": [_near_tie(problem)],
        "marginals": _marginals(eta),
    }


def _intervals(decisions: Pieces) -> list[Row]:
    ends = zip(decisions.edges[:-1], decisions.edges[1:], decisions.values, strict=True)
    return [{"interval": i, "class": c, "from_x": low, "to_x": high} for i, (low, high, c) in enumerate(ends)]


def _fractions(decisions: Pieces) -> Row:
    lengths = np.bincount(decisions.values, np.diff(decisions.edges), len(Q))
    return {f"class_{c}": length for c, length in enumerate(lengths)}


def _entries(found: Confusion) -> list[Row]:
    names = ("tn", "fn", "fp", "tp", "precision", "recall", "f1")
    return [{"class": c} | {name: getattr(found, name)[c] for name in names} for c in range(found.n_classes)]


def _scores(found: Confusion, q: Sequence[float]) -> Row:
    names = ("accuracy", "macro_f1", "micro_f1", "balanced_accuracy")
    return {name: getattr(found, name) for name in names} | {"weighted_risk": found.weighted_risk(q)}


def _near_tie(problem: Problem) -> Row:

    def lead(x: float) -> float:
        first, _, third = problem.eta(np.array([[x]]))[0] * Q
        return third - first

    best = minimize_scalar(lead, bounds=NEAR, method="bounded", options={"xatol": 1e-9})
    return {"x": best.x, "lead": best.fun}


def _marginals(eta: np.ndarray) -> list[Row]:
    printed = published("khim")["marginals"]
    return [{"class": c, "fraction": fraction, "printed": printed[c]} for c, fraction in enumerate(eta.mean(axis=0))]


def khim_figure_2(
    epsilons: Sequence[float] = (0.2, 0.1, 0.05, 0.02, 0.01, 0.001, 0.0),
    resolution: int = RESOLUTION,
    seed: int = 0,
    progress: bool = False,
) -> Tables:
    """Figure 2: the masses tne and fne of the error band of class 0, at several epsilon.

    Points are in the band if an eta-hat with a uniform error of epsilon may decide them otherwise; tne is the mass of
    the other classes there, fne that of class 0. ``epsilons`` are in [0, 1]. A cover of q is a pair of weights q', q''
    on both sides of it. It leaves the masses above 0 as epsilon falls, unless q' = q'' = q. The masses printed for
    epsilon = 0.1 are those of 0.05, or of 0.1 without the factor r = 2.

    Tables: "bands", a row for each epsilon, cover ("pair", or "self": q' = q'' = q) and r ("printed" or "tight"), with
    the integrals and, as ``tne_points`` and ``fne_points``, the sums over 1000 points that the paper takes; "beside",
    the printed masses with those sums at two epsilon; "inside", the intervals of the band at epsilon = 0.1.

    Source: Khim et al., section 5 and Figure 2.
    """
    problem, covers = waves(), {"pair": (MORE, LESS), "self": (Q, Q)}
    grids = problem.grid(resolution).points, np.arange(POINTS)[:, None] / POINTS
    etas = [problem.eta(points) for points in grids]
    rows = [
        {"epsilon": epsilon, "cover": name, "r": r} | _masses(etas, epsilon, cover, r == "tight")
        for name, cover in covers.items()
        for r in ("printed", "tight")
        for epsilon in epsilons
    ]
    return {"bands": rows, "beside": _printed_masses(etas), "inside": _inside(problem, resolution)}


def _masses(
    etas: Sequence[np.ndarray], epsilon: float, cover: tuple[Sequence[float], Sequence[float]], tight: bool
) -> Row:
    """tne and fne, integrated and on the paper's points."""
    epsilon, row = checks.check_real("epsilon", epsilon, 0, 1), Row()
    for eta, suffix in zip(etas, ("", "_points"), strict=True):
        tne, fne = regions.error_band(eta, epsilon, *cover, CLASS, tight=tight).errors(eta, CLASS)
        row |= {f"tne{suffix}": tne, f"fne{suffix}": fne}
    return row


def _printed_masses(etas: Sequence[np.ndarray]) -> list[Row]:
    """The printed masses beside ours at the printed epsilon, and at half of it."""
    rows = []
    for printed in published("khim")["bands"]:
        for epsilon in (printed["epsilon"], printed["epsilon"] / 2):
            ours = _masses(etas, epsilon, (MORE, LESS), tight=False)
            row = {"printed_for": printed["epsilon"], "epsilon": epsilon}
            for name in ("tne", "fne"):
                row |= {f"{name}_printed": printed[name], f"{name}_points": ours[f"{name}_points"]}
            rows.append(row)
    return rows


def _inside(problem: Problem, resolution: int) -> list[Row]:
    epsilon = 0.1
    band = pieces(lambda X: regions.error_band(problem.eta(X), epsilon, MORE, LESS, CLASS).inside, resolution)
    ends = zip(band.edges[:-1][band.values], band.edges[1:][band.values], strict=True)
    return [{"epsilon": epsilon, "interval": i, "from_x": low, "to_x": high} for i, (low, high) in enumerate(ends)]
