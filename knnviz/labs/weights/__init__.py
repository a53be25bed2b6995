"""WeightLab: how class weights change the decisions of k nearest neighbors among three classes.

The disagreement is where kNN and the Bayes classifier with the same weights predict different classes. Theorem 1 of
Khim et al. bounds its mass by that of the effective boundary, plus delta: points x such that the weighted Bayes class
at x leads by less than Delta in some ball around x of mass at most p. Theorem 2 bounds it from below by an unknown
fraction of the mass of the lower-bound set: there, in balls of mass about k / n, another class almost ties or leads.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from knnviz.labs.old_engine import PROJECTOR, SCREEN, Cell, Columns, Lab, Preset, columns, rows, stage
from knnviz.labs.old_parts.class_weights import ClassWeights
from knnviz.labs.old_parts.neighborhoods import Cells, QueryPoint, Votes
from knnviz.labs.old_parts.sizes import LARGEST_SLIDER_K
from knnviz.labs.old_parts.weighted_map import ThreeClassData, WeightedVotes
from knnviz.labs.weights.boundary_sets import BOUNDARY, LOWER_BOUND, REGIONS_ONLY, PointSet
from knnviz.labs.weights.confusions import GEQ, TRAINING_POINTS, Confusions
from knnviz.labs.weights.panels import EntryPanel, ScorePanel, TrianglePanel, WeightedVotePanel, WeightMap

#: Ball masses that are kept on the line: one for each of its cells.
LINE_MASSES = tuple(mass / 1000 for mass in range(1, 1001))

EQUAL = {"q0": round(1 / 3, 12), "q1": round(1 / 3, 12), "q2": round(1 / 3, 12)}
FIGURE_1 = {"problem": "waves", "n": 1000, "k": 50}
FIFTY_POINTS = {"n": 50, "k": 18, "seed": 2, "counted": TRAINING_POINTS, "ties": GEQ}


class WeightLab(Lab):
    """Line (or Map), Triangle of weights, weighted votes around x, confusion entries and scores, for three classes.

    Source: Khim et al., section 5.

    Examples
    --------
    >>> from knnviz.labs import WeightLab
    >>> found = WeightLab(q0=0.5, q1=0.3, q2=0.2, n=200, k=25).readout()
    >>> found["bayes_macro_f1"], found["new_macro_f1"]
    (0.610086, 0.557701)
    """

    title = "class weights"
    number_names: Mapping[str, str] = {
        "weights": "weights q",
        "disagreement": "disagreement",
        "ball_mass": "ball mass p",
        "ball_margin": "margin Delta",
        "boundary_mass": "boundary mass",
        "bound": "bound of Theorem 1",
        "lower_mass": "mass of the set",
        "weighted_risk": "weighted risk",
        "weighted_bayes_risk": "weighted Bayes risk",
        "training_macro_f1": "macro F1, training points",
        "new_macro_f1": "macro F1, new points",
        "held_out_macro_f1": "macro F1, new points held out",
        "bayes_macro_f1": "macro F1, Bayes rule",
        "new_micro_f1": "micro F1, new points",
        "held_out_micro_f1": "micro F1, new points held out",
        "votes": "votes at x",
        "decision": "decision at x",
        "note": "note",
    }

    scales = SCREEN, replace(PROJECTOR, max_points=200)
    presets = (
        Preset("Figure 1, left", "Khim et al., Figure 1", FIGURE_1 | EQUAL),
        Preset("Figure 1, right", "Khim et al., Figure 1", FIGURE_1),
        Preset("Figure 2: q'", "Khim et al., Figure 2", FIGURE_1 | {"q0": 0.52, "q1": 0.29, "q2": 0.19}),
        Preset("Theorem 1", "Khim et al., Theorem 1", {"n": 8000, "k": 200, "overlay": BOUNDARY}),
        Preset("Theorem 2", "Khim et al., Theorem 2", FIGURE_1 | {"overlay": LOWER_BOUND}),
        Preset("Fifty points", "Khim et al., Table 1", FIFTY_POINTS),
        Preset(
            "One class dominates",
            "gaussians with Zipf's prior",
            {"problem": "zipf on a line", "n": 4000, "k": 100} | EQUAL,
        ),
        Preset("Three clouds", "gaussians in the plane", {"problem": "three gaussians", "n": 2000, "k": 25}),
        Preset("Iris", "scikit-learn's iris data", {"problem": "iris", "k": 15, "overlay": REGIONS_ONLY} | EQUAL),
    )

    weights = ClassWeights()
    data = ThreeClassData()

    @stage
    def layout(self) -> Columns:
        map_or_line = columns(("map", 1.0), rows(), ratios=(8, 1)) if self.in_plane else Cell("map", 0.73)
        triangle = columns(rows(), ("triangle", 0.82), rows(), ratios=(1, 8, 1))
        right = rows(triangle, Cell("entries", height=104), Cell("scores", height=80))
        return columns(rows(map_or_line, Cell("votes", height=118)), right)

    @property
    def in_plane(self) -> bool:
        return self.data.chosen_problem.dimension == 2

    @stage
    def masses(self) -> tuple[float, ...]:
        return (self.mass, *(() if self.in_plane else LINE_MASSES))

    @stage
    def decision(self) -> str:
        return self.data.chosen_problem.class_names[self.vote.rule.predict(self.query.votes, self.data.k)[0]]

    @stage
    def numbers(self) -> dict[str, Any]:
        votes = tuple(self.query.votes.at(self.data.k)[0].tolist())
        numbers = {"weights": self.weights.q, **self.point_set.numbers, **self.confusions.numbers}
        return numbers | {"votes": votes, "decision": self.decision}

    cells = Cells(data=data, labels=data.labels, k_max=data.k_max, masses=masses)
    training = Votes(data=data, labels=data.labels, k_max=data.k_max, queries=lambda data: None)
    held_out = Votes(data=data, labels=data.labels, k_max=data.k_max, queries=lambda data: data.source.X_test)
    vote = WeightedVotes(data=data, cells=cells, q=weights.q)
    point_set = PointSet(data=data, cells=cells, vote=vote, q=weights.q)
    confusions = Confusions(data=data, vote=vote, training=training, held_out=held_out, q=weights.q)
    query = QueryPoint(data=data, labels=data.labels, k_max=data.k_max)

    map = WeightMap(
        data=data,
        labels=data.labels,
        cells=cells,
        k=data.k,
        decisions=vote.decisions,
        query=query,
        set_on_map=point_set,
        q=weights.q,
        bayes_decisions=vote.bayes_decisions,
    )
    votes = WeightedVotePanel(
        data=data, query=query, k=data.k, k_axis_end=LARGEST_SLIDER_K, decision=decision, q=weights.q
    )
    triangle = TrianglePanel(data=data, cells=cells, weights=weights)
    entries = EntryPanel(data=data, confusions=confusions)
    scores = ScorePanel(data=data, confusions=confusions)
