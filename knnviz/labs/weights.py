"""WeightLab: how class weights change the decisions of k nearest neighbors among three classes.

The disagreement is where kNN and the Bayes classifier with the same weights predict different
classes. Theorem 1 of Khim et al. bounds its mass by that of the effective boundary, plus delta:
points x such that the weighted Bayes class at x leads by less than Delta in some ball around x of
mass at most p. Theorem 2 bounds it from below by an unknown fraction of the mass of the lower-bound
set: there, in balls of mass about k / n, another class almost ties or leads.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from knnviz import regions
from knnviz.bounds import khim
from knnviz.labs.engine import (
    ByName,
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
from knnviz.labs.parts.plane import Cells, Overlay, Voting
from knnviz.labs.parts.sources import Field, Source, named
from knnviz.labs.parts.weighted_map import eta_hat
from knnviz.profiles import BallProfile, VoteProfile
from knnviz.rules import Weighted
from knnviz.views import entries as entry_view
from knnviz.views import line as line_view
from knnviz.views import marks
from knnviz.views import sets as set_view
from knnviz.views import triangle as triangle_view
from knnviz.views.layers import Band
from knnviz.views.map import bayes_boundary
from knnviz.weights import Confusion, confusion

#: Sets of points that the map can show, what the first costs, and where p and Delta of the
#: effective boundary come from.
DISAGREEMENT = "disagreement"
EXCESS = "excess weighted risk"
BOUNDARY = "effective boundary"
LOWER_BOUND = "lower-bound set"
REGIONS_ONLY = "regions only"
SETS = (DISAGREEMENT, BOUNDARY, LOWER_BOUND, REGIONS_ONLY)
THEOREM_1 = "Theorem 1"
AS_SET = "p and Delta as set"
BOUNDARIES = (THEOREM_1, AS_SET)

#: Options of the menu of rules, and layers of the map: of the Bayes rule, and on a line those whose
#: place a strip for each rule takes.
BOTH = "kNN and Bayes rule"
KNN = "kNN"
RULES = (BOTH, KNN)
OF_BAYES = ("bayes", "eta0", "eta1", "eta2")
OF_KNN = ("regions", "votes0", "votes1", "votes2")

#: Ball masses that are kept on the line: one for each of its cells.
LINE_MASSES = tuple(mass / 1000 for mass in range(1, 1001))

#: Most points on a projector.
PROJECTED_POINTS = 200

IN_BOUNDARY = {"overlay": (BOUNDARY,)}
OF_THEOREM = IN_BOUNDARY | {"boundary": (THEOREM_1,)}
SET = IN_BOUNDARY | {"boundary": (AS_SET,)}
BOUNDARY_TIP = "Ball mass p and margin Delta from the theorem, or as you set them"
MARGIN_TIP = "How far the best weighted class must lead in every ball"
DELTA_TIP = "With this probability the theorem may fail"

PARAMETERS = (
    *class_weights.PARAMETERS,
    *weighted_map.PARAMETERS,
    Choice("rules", RULES, "rules", "Which rules you see, both with these weights"),
    "Sets",
    Choice("overlay", SETS, "show", "Which set of points the map marks", draws=("map",)),
    Choice("boundary", BOUNDARIES, "boundary", BOUNDARY_TIP, when=IN_BOUNDARY),
    replace(plane.MASS, when=SET),
    Float("margin", 0.05, 0, 0.5, "margin *Delta*", MARGIN_TIP, when=SET),
    Float("delta", 0.05, 0.01, 0.5, "failure probability *delta*", DELTA_TIP, when=OF_THEOREM),
    *plane.PARAMETERS,
)


def ranges(values: ByName) -> dict[str, Any]:
    """Sets are about both rules; the Bayes rule is that of a known distribution."""
    source = named(values["problem"])
    found: dict[str, Any] = {}
    if source.eta is None:
        found["rules"] = Range((KNN,), f"the Bayes rule of {source.name} is not known")
    if source.eta is None or values["rules"] == KNN:
        found["overlay"] = None
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
    new = "held-out points" if eta is None else "new points"

    q = (p.q0, p.q1, p.q2)
    rule = Weighted(q)
    decisions = memo(rule.predict, cells.votes, p.k)
    at_new = memo(eta_hat, votes, p.k)
    entries = memo(confusion, truth, at_new, q, weights=masses, rule="argmax")
    of_bayes = None
    best = None
    overlay = Overlay()
    numbers: dict[str, Any] = {"weights q": class_weights.by_class(names, q)}
    if p.rules == BOTH and eta is not None:
        best = memo(rule.decide, eta)
        of_bayes = memo(confusion, truth, truth, q, weights=masses, rule="argmax")
        overlay = point_set(p, memo, cells, source, q, decisions)
        if source.dimension == 1 and p.overlay in (BOUNDARY, LOWER_BOUND):
            lost = memo(disagreement, source, cells.field, q, decisions)
            overlay = overlay._replace(layers=(*overlay.layers, *lost.layers))
        differ = memo(rule.predict, votes, p.k) != memo(rule.decide, truth)
        numbers["disagreement"] = float(masses[differ].sum())
        numbers |= overlay.numbers
    elif source.dimension == 2 and round(np.ptp(q), 2):
        overlay = memo(before, source, cells.votes, p.k)
    if eta is not None:
        numbers["weighted risk"] = entries.weighted_risk(q)
    if of_bayes:
        numbers["weighted Bayes risk"] = of_bayes.weighted_risk(q)
        numbers[EXCESS] = numbers["weighted risk"] - numbers["weighted Bayes risk"]
        numbers["macro F1, Bayes rule"] = of_bayes.macro_f1
    numbers[f"macro F1, {new}"] = entries.macro_f1
    numbers[f"recall, {new}"] = class_weights.by_class(names, entries.recall)

    x = None
    # A lab on a line that moves no x has none.
    if source.dimension == 2 or "x1" in p.controls:
        x = plane.query(p, memo, data, labels, k_max)
    voting = Voting(data, labels, cells, x, p.k)
    if x is not None:
        numbers |= plane.numbers_at_x(voting, rule)

    def map_panel() -> Panel:
        most = p.display.max_points if p.display.factor == 1 else PROJECTED_POINTS
        panel = memo(weighted_map.map_panel, memo, voting, q, decisions, overlay, most)
        if best is None:
            panel = memo(Panel.without, panel, OF_BAYES)
        if best is None or source.dimension == 2:
            return memo(plane.decided_by, panel, "kNN")
        if p.overlay != REGIONS_ONLY:
            panel = memo(Panel.without, panel, OF_KNN)
            panel = memo(line_view.with_strip, panel, source, decisions, "kNN")
        return memo(line_view.with_strip, panel, source, best, "Bayes")

    def triangle() -> Panel:
        frequencies = memo(prior, cells.field, labels if eta is None else None)
        return memo(triangle_panel, memo, names, q, frequencies)

    panels = {
        "map": map_panel,
        "triangle": triangle,
        "entries": lambda: memo(entries_panel, names, entries, of_bayes, new),
    }
    return Shown(panels, numbers, LAYOUTS[source.dimension])


def point_set(
    p: Values,
    memo: Memo,
    cells: Cells,
    source: Source,
    q: tuple[float, ...],
    decisions: np.ndarray,
) -> Overlay:
    """The chosen set with its mass, and the bound of Theorem 1; a note if the set needs larger
    balls than are kept.
    """
    if p.overlay == REGIONS_ONLY:
        return Overlay()
    if p.overlay == DISAGREEMENT:
        return memo(disagreement, source, cells.field, q, decisions)
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


def disagreement(
    source: Source, cells: Field, q: tuple[float, ...], decisions: np.ndarray
) -> Overlay:
    """Where kNN differs from the Bayes rule; on a line the area between the curve of its class and
    the highest one.
    """
    if source.dimension == 2:
        best = Weighted(q).decide(cells.eta)
        return Overlay((set_view.region(source, decisions != best, "set", DISAGREEMENT),))
    x, weighted = weighted_map.weighted(cells, cells.eta, q)
    chosen = np.take_along_axis(weighted, decisions[:, None], axis=1)[:, 0]
    return Overlay(
        (Band("excess", x, label=EXCESS, lower=chosen, upper=weighted.max(axis=1), opacity=0.6),)
    )


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
    line = bayes_boundary(source, eta_hat(votes, k))
    return Overlay(
        (
            marks.named_along(
                replace(line, name="ghost", label="at equal weights", width=1.5, dash=(4, 3)), None
            ),
        )
    )


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
    return Panel(triangle_view.axes(), layers, class_weights.weights_at)


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
    1: columns(("map", 0.8), RIGHT, ratios=(25, 21)),
    2: columns(("map", 1.0), RIGHT, ratios=(25, 21)),
}

EQUAL = dict.fromkeys(class_weights.WEIGHTS, round(1 / 3, 12))
FIGURE_1 = {"problem": "waves", "n": 1000, "k": 50}
IRIS = {"problem": "iris", "k": 15, "rules": KNN}


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
    decimals = dict.fromkeys(("weighted risk", "weighted Bayes risk", EXCESS), 3)
    presets = (
        Preset("Figure 1, left", "Khim et al., Figure 1", FIGURE_1 | EQUAL),
        Preset("Figure 1, right", "Khim et al., Figure 1", FIGURE_1),
        Preset(
            "Figure 2: q'", "Khim et al., Figure 2", FIGURE_1 | {"q0": 0.52, "q1": 0.29, "q2": 0.19}
        ),
        Preset("Theorem 1", "Khim et al., Theorem 1", {"n": 8000, "k": 200, "overlay": BOUNDARY}),
        Preset("Theorem 2", "Khim et al., Theorem 2", FIGURE_1 | {"overlay": LOWER_BOUND}),
        Preset("Iris", "scikit-learn's iris data", IRIS | EQUAL),
    )
