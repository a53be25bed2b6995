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
from knnviz.labs.parts.plane import Overlay
from knnviz.labs.parts.sources import Field, Source, named
from knnviz.labs.parts.weighted_map import eta_hat
from knnviz.neighbors import NeighborTable
from knnviz.profiles import BallProfile, VoteProfile
from knnviz.rules import Weighted
from knnviz.views import entries as entry_view
from knnviz.views import line as line_view
from knnviz.views import marks
from knnviz.views import sets as set_view
from knnviz.views import triangle as triangle_view
from knnviz.views.map import WeightedBoundaries
from knnviz.weights import Confusion, confusion
from knnviz.weights.entries import TieRule

#: Sets of points that the map can show, and where p and Delta of the effective boundary come from.
DISAGREEMENT = "disagreement"
BOUNDARY = "effective boundary"
LOWER_BOUND = "lower-bound set"
REGIONS_ONLY = "regions only"
SETS = (DISAGREEMENT, BOUNDARY, LOWER_BOUND, REGIONS_ONLY)
THEOREM_1 = "Theorem 1"
AS_SET = "p and Delta as set"
BOUNDARIES = (THEOREM_1, AS_SET)

#: The points on which decisions are counted; each training point is its own neighbor.
NEW_POINTS = "new points"
TRAINING_POINTS = "training points"
COUNTED = (NEW_POINTS, TRAINING_POINTS)

#: Which classes are predicted on a tie: the smallest ("argmax"), or all of them ("geq", greater or
#: equal).
ARGMAX: TieRule = "argmax"
GEQ: TieRule = "geq"
TIES = (ARGMAX, GEQ)

#: Options of the menu of rules, and the layers of the map that are about the other one.
BOTH = "kNN and Bayes rule"
KNN = "kNN"
BAYES_RULE = "Bayes rule"
RULES = (BOTH, KNN, BAYES_RULE)
OF_BAYES = ("bayes", "eta0", "eta1", "eta2")
OF_KNN = ("bayes", "points", "votes0", "votes1", "votes2")

#: Ball masses that are kept on the line: one for each of its cells.
LINE_MASSES = tuple(mass / 1000 for mass in range(1, 1001))

#: Most points on a projector.
PROJECTED_POINTS = 200

IN_BOUNDARY = {"overlay": (BOUNDARY,)}
OF_THEOREM = IN_BOUNDARY | {"boundary": (THEOREM_1,)}
SET = IN_BOUNDARY | {"boundary": (AS_SET,)}
BOUNDARY_TIP = "Ball mass p and margin Delta of the theorem, or of your own"
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
    replace(plane.MASS, when=SET),
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
    source = data.problem
    labels = data.sample.y
    names = source.class_names
    k_max = min(plane.LARGEST_K, p.n)
    cells = plane.cells(p, memo, data, labels, k_max)
    eta = cells.field.eta
    votes, truth, masses = weighted_map.new_points(p, memo, data)
    new = "held-out points" if eta is None else NEW_POINTS

    q = (p.q0, p.q1, p.q2)
    rule = Weighted(q)
    has_votes = p.rules != BAYES_RULE
    has_bayes = p.rules != KNN and eta is not None
    numbers: dict[str, Any] = {"weights q": class_weights.by_class(names, q)}
    risks = {}
    scores = {}
    x = None
    entries = None
    of_bayes = None
    overlay = Overlay()

    if has_votes:
        x = plane.query(p, memo, data, labels, k_max)
        decisions = memo(rule.predict, cells.votes, p.k)
        voters = memo(NeighborTable.build, data.index, None, k_max)
        own_votes = memo(VoteProfile.build, voters, labels, 3)
        at_training = memo(eta_hat, own_votes, p.k)
        on_training = memo(confusion, labels, at_training, q, rule=p.ties)
        at_new = memo(eta_hat, votes, p.k)
        on_new = memo(confusion, truth, at_new, q, weights=masses, rule=p.ties)
        scores["macro F1, training points"] = on_training.macro_f1
        scores[f"macro F1, {new}"] = on_new.macro_f1
        scores[f"micro F1, {new}"] = on_new.micro_f1
        entries = on_new if p.counted == NEW_POINTS else on_training
        if eta is not None:
            # On a tie each rule predicts the smallest class.
            smallest = memo(confusion, truth, at_new, q, weights=masses, rule=ARGMAX)
            risks["weighted risk"] = smallest.weighted_risk(q)
    else:
        decisions = memo(rule.decide, eta)

    if has_bayes:
        of_bayes = memo(confusion, truth, truth, q, weights=masses, rule=p.ties)
        best = memo(confusion, truth, truth, q, weights=masses, rule=ARGMAX)
        risks["weighted Bayes risk"] = best.weighted_risk(q)
        if has_votes:
            risks["excess weighted risk"] = risks["weighted risk"] - risks["weighted Bayes risk"]
        scores["macro F1, Bayes rule"] = of_bayes.macro_f1

    if has_votes and has_bayes:
        overlay = point_set(p, memo, source, q, decisions, eta)
        differ = memo(rule.predict, votes, p.k) != memo(rule.decide, truth)
        numbers["disagreement"] = float(masses[differ].sum())
        numbers |= overlay.numbers
    elif has_votes and source.dimension == 2 and round(np.ptp(q), 2):
        overlay = memo(before, source, cells.votes, p.k)

    numbers |= risks | scores
    if x is not None:
        numbers["votes at x"] = plane.votes_at(source, x, p.k)
        numbers["decision at x"] = plane.decision_at(source, x, rule, p.k)

    def map_panel() -> Panel:
        if not has_votes:
            most = p.n
        elif p.display.factor == 1:
            most = p.display.max_points
        else:
            most = PROJECTED_POINTS
        drawn = (data, labels, cells, x, p.k, q, decisions, overlay, most)
        panel = memo(weighted_map.map_panel, memo, *drawn)
        if p.rules == BAYES_RULE:
            return memo(plane.decided_by, memo(Panel.without, panel, OF_KNN), "the Bayes rule")
        if p.rules == KNN:
            panel = memo(Panel.without, panel, OF_BAYES)
        elif source.dimension == 1:
            best = memo(rule.decide, eta)
            panel = memo(line_view.with_strip, panel, source, best, "Bayes")
        return memo(plane.decided_by, panel, "kNN")

    def triangle() -> Panel:
        frequencies = memo(prior, cells.field, labels if eta is None else None)
        return memo(triangle_panel, memo, names, q, frequencies)

    def confusion_entries() -> Panel:
        if not has_votes:
            return memo(entries_panel, names, of_bayes, None, BAYES_RULE)
        where = new if p.counted == NEW_POINTS else p.counted
        return memo(entries_panel, names, entries, of_bayes, where)

    panels = {"map": map_panel, "triangle": triangle, "entries": confusion_entries}
    return Shown(panels, numbers, LAYOUTS[source.dimension])


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
        best = memo(Weighted(q).decide, eta)
        return memo(disagreement, source, decisions, best)
    known = LINE_MASSES if source.dimension == 1 else ()
    masses = plane.ball_masses(p.mass, *known)
    sides = plane.grids(source, p.resolution)
    balls = memo.refine(plane.balls, sides, source, masses)
    if p.overlay == LOWER_BOUND:
        return memo(lower_bound_set, source, balls, p.k, p.n, q)
    if p.boundary == AS_SET:
        return memo(plane.effective_boundary, source, balls, p.mass, p.margin, q)

    theorem = khim.theorem_1(p.k, p.n, p.delta, q)
    found = memo(plane.effective_boundary, source, balls, *theorem, q)
    if "boundary mass" not in found.numbers:
        return found
    bound = min(1.0, p.delta + found.numbers["boundary mass"])
    numbers = {
        "ball mass p": theorem.mass if np.isfinite(theorem.mass) else "infinite",
        "margin Delta": theorem.margin,
        **found.numbers,
        "bound of Theorem 1": bound,
    }
    unmet = khim.unmet_conditions("theorem_1", k=p.k, n=p.n, delta=p.delta)
    if unmet:
        numbers["note"] = f"{unmet[0]} for the theorem"
    elif bound == 1:
        numbers["note"] = "the bound is vacuous"
    return found._replace(numbers=numbers)


def disagreement(source: Source, decisions: np.ndarray, best: np.ndarray) -> Overlay:
    return Overlay((set_view.region(source, decisions != best, "set", DISAGREEMENT),))


def lower_bound_set(
    source: Source, balls: BallProfile, k: int, n: int, q: Sequence[float]
) -> Overlay:
    largest = (k + np.sqrt(k) + 1) / n
    if min(largest, 1) > balls.masses[-1]:
        return plane.out_of_reach(balls)
    inside = regions.lower_bound_set(balls, k, n, q)
    return plane.with_mass(source, inside, LOWER_BOUND, "mass of the set")


def before(source: Any, votes: VoteProfile, k: int) -> Overlay:
    """Where decisions of kNN change in the plane if all weights are equal."""
    n_cells = plane.cells_along(source, len(votes))
    line = WeightedBoundaries.build(source, n_cells, eta_hat(votes, k)).boundary((1, 1, 1))
    look: Any = {"name": "ghost", "label": "at equal weights", "width": 1.5, "dash": (4, 3)}
    return Overlay((marks.named_along(replace(line, **look), None),))


def prior(cells: Field, labels: Any) -> np.ndarray:
    """Prior probabilities (3,) of the classes; for a data set, their fractions of the sample."""
    if cells.eta is None:
        return np.bincount(labels, minlength=3) / len(labels)
    return cells.measure.weights @ cells.eta


def triangle_panel(
    memo: Memo, names: tuple[str, ...], q: Sequence[float], prior: np.ndarray
) -> Panel:
    """The weights on a triangle, with equal weights and those proportional to 1 / prior."""
    handle = triangle_view.handle(np.array(q), names)
    others = memo(triangle_view.reference_weights, prior)
    layers = [*memo(triangle_view.frame, names), handle, others]
    return Panel(triangle_view.axes(), layers, lambda at: class_weights.weights_at(at.x, at.y))


def entries_panel(
    names: tuple[str, ...], entries: Confusion, of_bayes: Confusion | None, where: str
) -> Panel:
    """The confusion entries of each class, with ticks for the Bayes rule."""
    ticks = None
    if of_bayes is not None:
        ticks = entry_view.borders(of_bayes, "Bayes rule")
    axes = entry_view.category_axes("entries", "Entries", "probability", names)
    says = entry_view.describe(entries, names, f"Scores on {where}")
    return Panel(axes, [entry_view.stacked(entries), ticks], says=says)


RIGHT = rows(
    columns(rows(), ("triangle", 0.82), rows(), ratios=(1, 8, 1)),
    Cell("entries", height=200),
)

#: By dimension: in the plane the map is as high as wide.
LAYOUTS = {
    1: columns(("map", 0.73), RIGHT, ratios=(25, 21)),
    2: columns(("map", 1.0), RIGHT, ratios=(25, 21)),
}

EQUAL = dict.fromkeys(class_weights.WEIGHTS, round(1 / 3, 12))
FIGURE_1 = {"problem": "waves", "n": 1000, "k": 50}
ZIPF = {"problem": "zipf on a line", "n": 4000, "k": 100}
FIFTY_POINTS = {"n": 50, "k": 18, "seed": 2, "counted": TRAINING_POINTS, "ties": GEQ}
CLOUDS = {"problem": "three gaussians", "n": 2000, "k": 25}
IRIS = {"problem": "iris", "k": 15, "rules": KNN, "overlay": REGIONS_ONLY}

#: Numbers with three decimals.
THIRDS = dict.fromkeys(("weighted risk", "weighted Bayes risk", "excess weighted risk"), 3)


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

    title = "Class weights"
    table = PARAMETERS
    ranges = ranges
    recipe = recipe
    parts = (class_weights, training_data, weighted_map, plane)
    own_data = sources.OWN
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
