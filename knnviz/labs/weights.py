"""WeightLab: how class weights change the decisions of k nearest neighbors among three classes.

The disagreement is where kNN and the Bayes classifier with the same weights predict different
classes. Theorem 1 of Khim et al. bounds its mass by that of the effective boundary, plus delta:
points x such that the weighted Bayes class at x leads by less than Delta in some ball around x of
mass at most p. Theorem 2 bounds it from below by an unknown fraction of the mass of the lower-bound
set: there, in balls of mass about k / n, another class almost ties or leads.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from knnviz import regions
from knnviz.bounds import khim
from knnviz.labs.engine import (
    Cell,
    Choice,
    Float,
    Lab,
    Memo,
    Panel,
    Preset,
    Range,
    Shown,
    Values,
    columns,
    rows,
)
from knnviz.labs.parts import class_weights, plane, sources, weighted_map
from knnviz.labs.parts import data as training_data
from knnviz.labs.parts.plane import LARGEST_MASS, MASS_STEP, Overlay
from knnviz.labs.parts.sources import Field, Source, named
from knnviz.labs.parts.weighted_map import eta_hat
from knnviz.neighbors import NeighborTable
from knnviz.profiles import BallProfile, VoteProfile
from knnviz.rules import Weighted
from knnviz.views import entries as entry_view
from knnviz.views import sets as set_view
from knnviz.views import triangle as triangle_view
from knnviz.weights import Confusion, confusion
from knnviz.weights.entries import TieRule

#: Sets of points that the map can show, and where p and Delta of the effective boundary come from.
SETS = ("disagreement", "effective boundary", "lower-bound set", "regions only")
DISAGREEMENT, BOUNDARY, LOWER_BOUND, REGIONS_ONLY = SETS
THEOREM_1, AS_SET = BOUNDARIES = ("Theorem 1", "p and Delta as set")

#: The points on which decisions are counted; each training point is its own neighbor.
NEW_POINTS, TRAINING_POINTS = COUNTED = ("new points", "training points")

#: Which classes are predicted on a tie: the smallest ("argmax"), or all of them ("geq", greater or
#: equal).
TIES: tuple[TieRule, ...] = ("argmax", "geq")
ARGMAX, GEQ = TIES

#: Options of the menu of rules, and the layers of the map that are about the other one.
BOTH, KNN, BAYES_RULE = RULES = ("kNN and Bayes rule", "kNN", "Bayes rule")
OF_BAYES = ("best", "bayes", "eta0", "eta1", "eta2")
OF_KNN = ("best", "bayes", "points", "voters", "votes0", "votes1", "votes2")

#: Ball masses that are kept on the line: one for each of its cells.
LINE_MASSES = tuple(mass / 1000 for mass in range(1, 1001))

#: Most points on a projector.
PROJECTED_POINTS = 200

IN_BOUNDARY = {"overlay": (BOUNDARY,)}
OF_THEOREM = IN_BOUNDARY | {"boundary": (THEOREM_1,)}
SET = IN_BOUNDARY | {"boundary": (AS_SET,)}
BOUNDARY_TIP = "Ball mass p and margin Delta of the theorem, or of your own"
MASS_TIP = "Balls up to this probability mass are considered"
MARGIN_TIP = "By how much the best weighted class must lead in every ball"
DELTA_TIP = "The theorem holds except with this probability"
COUNTED_TIP = "Training points are their own first neighbors"
TIES_TIP = "Positive on a tie: the smallest class alone, or every tied class"

PARAMETERS = (
    *class_weights.PARAMETERS,
    *weighted_map.PARAMETERS,
    Choice("rules", RULES, "rules", "Rules that are drawn, both with these weights"),
    "Sets",
    Choice("overlay", SETS, "show", "A set that the map shows"),
    Choice("boundary", BOUNDARIES, "boundary", BOUNDARY_TIP, when=IN_BOUNDARY),
    Float(
        "mass",
        0.1,
        MASS_STEP,
        LARGEST_MASS,
        "ball mass *p*",
        MASS_TIP,
        step=MASS_STEP,
        digits=3,
        when=SET,
    ),
    Float("margin", 0.05, 0, 0.5, "margin *Delta*", MARGIN_TIP, when=SET),
    Float("delta", 0.05, 0.01, 0.5, "failure probability *delta*", DELTA_TIP, when=OF_THEOREM),
    "Entries and scores",
    Choice("counted", COUNTED, "counted on", COUNTED_TIP),
    Choice("ties", TIES, "ties", TIES_TIP),
    *plane.PARAMETERS,
)


def ranges(values: Mapping[str, Any]) -> dict[str, Any]:
    """Sets are about both rules; the Bayes rule is that of a known distribution, and reads no
    sample.
    """
    source = named(values["problem"])
    rules = values["rules"]
    found: dict[str, Any] = {}
    if source.eta is None:
        found["rules"] = Range((KNN,), f"the Bayes rule of {source.name} is not known")
    if source.eta is None or rules != BOTH:
        found["overlay"] = Range((REGIONS_ONLY,), "sets are about kNN and the Bayes rule")
    if rules == BAYES_RULE:
        found |= dict.fromkeys(("n", "k", "seed", "counted", "x1", "x2"))
    return found


def recipe(p: Values, memo: Memo) -> Shown:
    data = training_data.data(p, memo, with_truth=False)
    k_max = min(plane.LARGEST_K, p.n)
    q = (p.q0, p.q1, p.q2)
    source = data.problem
    labels = data.sample.y
    names = data.problem.class_names
    rule = Weighted(q)
    has_votes = p.rules != BAYES_RULE
    has_bayes = p.rules != KNN and source.eta is not None
    cells = plane.cells(p, memo, data, labels, k_max)
    x = plane.query(p, memo, data, labels, k_max) if has_votes else None
    eta, votes, truth, masses = (
        cells.field.eta,
        *weighted_map.judged_points(p, memo, data, labels, cells, k_max),
    )
    new = NEW_POINTS if eta is not None else "held-out points"

    decisions = memo(rule.predict, cells.votes, p.k) if has_votes else memo(rule.decide, eta)
    of_bayes = None
    entries = None
    where = BAYES_RULE
    overlay = Overlay()
    numbers: dict[str, Any] = {"weights q": class_weights.by_class(names, q)}
    scores = {}
    risks = {}
    if has_votes:
        voters = memo(NeighborTable.build, data.index, None, k_max)
        at_training = memo(eta_hat, memo(VoteProfile.count, voters, labels, 3), p.k)
        on_training = memo(confusion, at_training, labels, q, rule=p.ties)
        at_new = memo(eta_hat, votes, p.k)
        on_new = memo(confusion, at_new, truth, q, weights=masses, rule=p.ties)
        entries, where = (on_new, new) if p.counted == NEW_POINTS else (on_training, p.counted)
        scores = {"macro F1, training points": on_training.macro_f1}
        scores |= {f"macro F1, {new}": on_new.macro_f1, f"micro F1, {new}": on_new.micro_f1}
        if eta is not None:
            # On a tie each rule predicts the smallest class.
            risks = {
                "weighted risk": memo(
                    confusion, at_new, truth, q, weights=masses, rule=ARGMAX
                ).weighted_risk(q)
            }
    if has_bayes:
        of_bayes = memo(confusion, truth, truth, q, weights=masses, rule=p.ties)
        best = memo(confusion, truth, truth, q, weights=masses, rule=ARGMAX)
        risks["weighted Bayes risk"] = best.weighted_risk(q)
        scores["macro F1, Bayes rule"] = of_bayes.macro_f1
    if has_votes and has_bayes:
        overlay = point_set(p, memo, source, q, decisions, eta)
        differ = memo(rule.predict, votes, p.k) != memo(rule.decide, truth)
        numbers |= {"disagreement": float(masses[differ].sum()), **overlay.numbers}

    def map_panel() -> Panel:
        most = p.display.max_points if p.display.factor == 1 else PROJECTED_POINTS
        shown = decisions, overlay, most if has_votes else p.n
        panel = memo(weighted_map.map_panel, memo, data, labels, cells, x, p.k, q, *shown)
        return (
            panel
            if p.rules == BOTH
            else memo(of_one_rule, panel, OF_BAYES if has_votes else OF_KNN)
        )

    def triangle() -> Panel:
        return memo(
            triangle_panel,
            memo,
            names,
            q,
            memo(prior, cells.field, labels if eta is None else None),
        )

    def confusion_entries() -> Panel:
        both = (entries, of_bayes) if has_votes else (of_bayes, None)
        return memo(entries_panel, names, *both, where)

    numbers |= risks | scores
    if x is not None:
        numbers["votes at x"] = plane.votes_at(source, x, p.k)
        numbers["decision at x"] = names[rule.predict(x.votes, p.k)[0]]
    panels = {"map": map_panel, "triangle": triangle, "entries": confusion_entries}
    return Shown(panels, numbers, LAYOUTS[source.dimension])


def of_one_rule(panel: Panel, hidden: Sequence[str]) -> Panel:
    """A map without what is about the other rule."""
    title = panel.axes.title.split(",")[0]
    return replace(panel.without(hidden), axes=replace(panel.axes, title=title))


def point_set(
    p: Values,
    memo: Memo,
    source: Source,
    q: tuple[float, ...],
    decisions: np.ndarray,
    eta: np.ndarray,
) -> Overlay:
    """The chosen set with its mass, and the bound of Theorem 1; a note if the set needs larger
    balls than are kept.
    """
    if p.overlay == REGIONS_ONLY:
        return Overlay()
    if p.overlay == DISAGREEMENT:
        return memo(disagreement, source, decisions, memo(Weighted(q).decide, eta))
    masses = plane.ball_masses(p.mass, *(LINE_MASSES if source.dimension == 1 else ()))
    balls = memo.refine(plane.balls, plane.grids(source, p.resolution), source, masses)
    if p.overlay == LOWER_BOUND:
        return memo(lower_bound_set, source, balls, p.n, p.k, q)
    if p.boundary == AS_SET:
        return memo(boundary, source, balls, p.mass, p.margin, q)
    theorem = khim.theorem_1(p.n, p.k, p.delta, q)
    found = memo(boundary, source, balls, *theorem, q)
    if "boundary mass" not in found.numbers:
        return found
    mass = theorem.mass
    bound = min(1.0, p.delta + found.numbers["boundary mass"])
    notes = [
        f"{unmet} for the theorem"
        for unmet in khim.unmet_conditions("theorem_1", p.n, p.k, p.delta)
    ]
    notes += ["the bound is vacuous"] if bound == 1 else []
    numbers = {
        "ball mass p": mass if np.isfinite(mass) else "infinite",
        "margin Delta": theorem.margin,
    }
    numbers |= {**found.numbers, "bound of Theorem 1": bound}
    return found._replace(numbers={**numbers, "note": notes[0]} if notes else numbers)


def disagreement(source: Source, decisions: np.ndarray, best: np.ndarray) -> Overlay:
    return Overlay((set_view.region(source, decisions != best, "set", DISAGREEMENT),))


def lower_bound_set(
    source: Source, balls: BallProfile, n: int, k: int, q: Sequence[float]
) -> Overlay:
    if min((k + np.sqrt(k) + 1) / n, 1) > balls.masses[-1]:
        return out_of_reach(balls)
    return plane.with_mass(
        source, regions.lower_bound_set(balls, n, k, q), "set", LOWER_BOUND, "mass of the set"
    )


def boundary(
    source: Source, balls: BallProfile, mass: float, margin: float, q: Sequence[float]
) -> Overlay:
    # No class can lead by more than the largest weight: then all points are in the boundary.
    if margin > max(q) or mass > 1:
        inside = np.ones(len(balls), bool)
    elif mass > balls.masses[-1]:
        return out_of_reach(balls)
    else:
        inside = regions.effective_boundary(balls, mass, margin, q)
    return plane.with_mass(source, inside, "set", BOUNDARY, "boundary mass")


def out_of_reach(balls: BallProfile) -> Overlay:
    return Overlay(
        (), {"note": f"balls reach beyond mass {balls.masses[-1]:g}, the largest that is kept"}
    )


def prior(cells: Field, labels: Any) -> np.ndarray:
    """Prior probabilities (3,) of the classes; for a data set, their fractions of the sample."""
    return (
        np.bincount(labels, minlength=3) / len(labels)
        if cells.eta is None
        else cells.measure.weights @ cells.eta
    )


def triangle_panel(
    memo: Memo, names: tuple[str, ...], q: Sequence[float], prior: np.ndarray
) -> Panel:
    """The weights as a handle on a triangle, with equal weights and those proportional to 1 /
    prior.
    """
    layers = [*memo(triangle_view.frame, names), triangle_view.handle(np.array(q), names)]
    layers += [memo(triangle_view.reference_weights, prior)]
    return Panel(triangle_view.axes(), layers, lambda at: class_weights.weights_at(at.x, at.y))


def entries_panel(
    names: tuple[str, ...], entries: Confusion, of_bayes: Confusion | None, where: str
) -> Panel:
    """The confusion entries of each class, with ticks for the Bayes rule."""
    layers = [
        entry_view.bars(entries),
        None if of_bayes is None else entry_view.ticks(of_bayes, "Bayes rule"),
    ]
    axes = replace(
        entry_view.category_axes("entries", "Entries", "probability", names), legend_columns=3
    )
    return Panel(axes, layers, says=entry_view.describe(entries, names, f"Scores on {where}"))


RIGHT = rows(
    columns(rows(), ("triangle", 0.82), rows(), ratios=(1, 8, 1)), Cell("entries", height=200)
)
#: By dimension: in the plane the map is as high as wide.
LAYOUTS = {
    d: columns(("map", aspect), RIGHT, ratios=(25, 21)) for d, aspect in {1: 0.73, 2: 1.0}.items()
}

EQUAL = dict.fromkeys(class_weights.WEIGHTS, round(1 / 3, 12))
FIGURE_1 = {"problem": "waves", "n": 1000, "k": 50}
ZIPF = {"problem": "zipf on a line", "n": 4000, "k": 100}
FIFTY_POINTS = {"n": 50, "k": 18, "seed": 2, "counted": TRAINING_POINTS, "ties": GEQ}
CLOUDS = {"problem": "three gaussians", "n": 2000, "k": 25}
IRIS = {"problem": "iris", "k": 15, "rules": KNN, "overlay": REGIONS_ONLY}


#: Numbers with three decimals.
THIRDS = {"weighted risk": 3, "weighted Bayes risk": 3}


class WeightLab(Lab):
    """Line (or Map), Triangle of weights, and confusion entries, for three classes.

    Source: Khim et al., section 5.

    Examples
    --------
    >>> from knnviz.labs import WeightLab
    >>> found = WeightLab(q0=0.5, q1=0.3, q2=0.2, n=200, k=25).readout()
    >>> found["macro F1, Bayes rule"], found["macro F1, new points"]
    (0.610086, 0.557701)
    """

    title = "class weights"
    table = PARAMETERS
    ranges = ranges
    recipe = recipe
    parts = (class_weights, training_data, weighted_map, plane)
    own_data = sources
    layout = LAYOUTS[1]
    decimals = THIRDS
    presets = (
        Preset("Figure 1, left", "Khim et al., Figure 1", FIGURE_1 | EQUAL),
        Preset("Figure 1, right", "Khim et al., Figure 1", FIGURE_1),
        Preset(
            "Figure 2: q'", "Khim et al., Figure 2", FIGURE_1 | {"q0": 0.52, "q1": 0.29, "q2": 0.19}
        ),
        Preset("Theorem 1", "Khim et al., Theorem 1", {"n": 8000, "k": 200, "overlay": BOUNDARY}),
        Preset("Theorem 2", "Khim et al., Theorem 2", FIGURE_1 | {"overlay": LOWER_BOUND}),
        Preset("Fifty points", "Khim et al., Table 1", FIFTY_POINTS),
        Preset("One class dominates", "gaussians with Zipf's prior", ZIPF | EQUAL),
        Preset("Three clouds", "gaussians in the plane", CLOUDS),
        Preset("Iris", "scikit-learn's iris data", IRIS | EQUAL),
    )
