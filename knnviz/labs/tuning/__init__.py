"""TuningLab: the landscape of a score over class weights, searches on it, and what they gain on new points.

The searched score is the one that two searches maximize, counted on training points. The greedy walk moves from its
start to the best of a few candidates, step by step; the grid search compares many weights. New points judge the weights
that were found; the stairs are the scores of the walk after each step. A trial repeats both searches on a fresh sample.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from knnviz.labs.old_engine import PROJECTOR, SCREEN, Cell, Columns, Component, Float, Lab, Preset, columns, rows, stage
from knnviz.labs.old_parts.class_weights import GRID_STEPS, ClassWeights
from knnviz.labs.old_parts.neighborhoods import Cells, Votes
from knnviz.labs.old_parts.risk_panel import OFF
from knnviz.labs.old_parts.sources import problem_named
from knnviz.labs.old_parts.weighted_map import WeightedVotes
from knnviz.labs.tuning.layers import STYLES
from knnviz.labs.tuning.panels import (
    MIDDLE,
    OF_BAYES_RULES,
    ON_NEW_POINTS,
    SHOWN,
    WHOLE,
    DecisionMap,
    ScorePanel,
    StairsPanel,
    TrianglePanel,
)
from knnviz.labs.tuning.search import NewPoints, Searches, TuningData
from knnviz.labs.tuning.trial_panel import CURVES, DIFFERENCE, DISTANCE, F1_OVER_N, OVER_K, TrialPanel
from knnviz.views.landscape import GRID

#: Options that need a known distribution, and their replacement for a data set.
NEED_DISTRIBUTION = {"landscape": (OF_BAYES_RULES,), "curve": CURVES[1:]}
FOR_DATA = {"landscape": ON_NEW_POINTS, "curve": OFF}

#: The methods in the order of their scores in the readout.
METHODS = " : ".join(style.label for style in STYLES.values())

FIGURE_3, FIGURE_4 = "Khim et al., Figure 3", "Khim et al., Figure 4"
START = {"problem": "waves", "n": 1000, "k": 50, "q0": 0.3, "q1": 0.3, "q2": 0.4}
WHOLE_TRIANGLE = START | {"zoom": WHOLE}


class KnownDistribution(Component):
    """Refuses, or replaces, options that need a known distribution, if a data set is chosen."""

    def unavailable(self, values: Mapping[str, Any]) -> list[str]:
        """Parameters whose chosen option needs a known distribution, if that is unknown."""
        is_known = problem_named(values["problem"]).eta is not None
        return [] if is_known else [name for name, options in NEED_DISTRIBUTION.items() if values[name] in options]

    def coerce(self, values: dict[str, Any], changes: Mapping[str, Any]) -> list[str]:
        notes, source = [], problem_named(values["problem"])
        for name in self.unavailable(values):
            if name not in changes:
                before, values[name] = values[name], FOR_DATA[name]
                notes.append(f"The distribution of {source.name} is not known: {values[name]} in place of {before}.")
        return notes

    def validate(self, values: Mapping[str, Any]) -> None:
        for name in self.unavailable(values):
            source = problem_named(values["problem"])
            raise ValueError(f"{values[name]} needs a known distribution, but {source.name} is data")


class TuningLab(Lab):
    """Scores over all class weights with a greedy walk and the best of a grid, decisions, and means over fresh samples.

    Source: Khim et al., section 6.

    Examples
    --------
    >>> from knnviz.labs import TuningLab
    >>> found = TuningLab(n=200, k=25).readout()
    >>> found["grid_q"], found["highest"]
    ((0.42, 0.34, 0.24), 0.655368)
    """

    title = "tuning class weights"
    number_names: Mapping[str, str] = {
        "greedy_q": "greedy weights",
        "grid_q": "grid's weights",
        "moves": "steps that raised the score",
        "searched": f"searched score, {METHODS}",
        "new_macro_f1": "macro F1, new points",
        "new_micro_f1": "micro F1, new points",
        "held_out_macro_f1": "macro F1, new points held out",
        "held_out_micro_f1": "micro F1, new points held out",
        "highest": "highest on the triangle",
        "highest_q": "reached at",
        "trials_done": "trials done",
    }
    scales = replace(SCREEN, max_points=200), replace(PROJECTOR, max_points=100)

    presets = (
        Preset("Figure 3(a), gamma = 0.01", FIGURE_3, START),
        Preset("Figure 3(a), gamma = 0.05", FIGURE_3, START | {"step": 0.05}),
        Preset("Figure 3(b)", FIGURE_3, START | {"curve": F1_OVER_N}),
        Preset("Figure 4(a)", FIGURE_4, START | {"curve": DIFFERENCE}),
        Preset("Figure 4(b)", FIGURE_4, START | {"curve": DISTANCE}),
        Preset("A far start", "Khim et al., Algorithm 1", WHOLE_TRIANGLE | {"q0": 0.8, "q1": 0.1, "q2": 0.1}),
        Preset("Bayes rules of all weights", "Khim et al., section 5", WHOLE_TRIANGLE | {"landscape": OF_BAYES_RULES}),
        Preset("Over k", FIGURE_3, START | {"curve": OVER_K, "shown": "equal weights"}),
        Preset("A rare class", "gaussians with Zipf's prior", {"problem": "zipf on a line", "n": 2000, "k": 60}),
        Preset("Three clouds", "gaussians in the plane", {"problem": "three gaussians", "k": 25}),
        Preset("Wine", "scikit-learn's wine data", {"problem": "wine", "k": 15, "zoom": WHOLE}),
    )

    @stage
    def layout(self) -> Columns:
        in_plane = self.data.chosen_problem.dimension == 2
        ratios = 1 + self.on_projector, 1
        map_or_line = columns(("map", 1.0), rows(), ratios=ratios) if in_plane else Cell("map", height=118)
        right = Cell("stairs", height=150), Cell("scores", height=104), Cell("trials", height=118)
        return columns(rows(("triangle", 0.82), map_or_line), rows(*right))

    data = TuningData()
    known_distribution = KnownDistribution()

    @property
    def grid_steps(self) -> int:
        """A click rounds weights to multiples of 1 / ``grid_steps``, finer in the middle of the triangle."""
        return 200 if self.zoom == MIDDLE else GRID_STEPS

    start_weights = ClassWeights(
        q0=Float(0.3, min=0, max=1).tag(
            label="start, class 0", symbol="q0", group="Greedy walk", tip="Weight of class 0 where the walk begins"
        ),
        q1=Float(0.3, min=0, max=1).tag(
            label="start, class 1", symbol="q1", tip="Weight of class 1 there: moving one moves the others"
        ),
        q2=Float(0.4, min=0, max=1).tag(
            label="start, class 2", symbol="q2", tip="Weight of class 2 there: they always sum to 1"
        ),
        grid_steps=grid_steps,
    )
    searches = Searches(data=data, start_q=start_weights.q)

    @stage(compare_values=True)
    def q(self) -> tuple[float, ...]:
        return tuple(self.searches.weights[SHOWN[self.shown]].tolist())

    @stage
    def numbers(self) -> dict[str, Any]:
        searches, scores = self.searches, self.new_points.method_scores.round(6)
        where = "held_out" if self.data.chosen_problem.eta is None else "new"
        numbers: dict[str, Any] = {
            f"{name}_q": tuple(searches.weights[name].round(6).tolist()) for name in ("greedy", "grid")
        }
        names = "searched", f"{where}_macro_f1", f"{where}_micro_f1"
        numbers |= {"moves": searches.n_raised, **dict(zip(names, map(tuple, scores.T.tolist()), strict=True))}
        best = int(self.triangle.landscape_scores.argmax())
        numbers |= {"highest": float(self.triangle.landscape_scores[best]), "highest_q": tuple(GRID[best].tolist())}
        results = self.trials.results
        return numbers if results is None else numbers | {"trials_done": f"{results.done} of {results.pieces}"}

    cells = Cells(data=data, labels=data.labels, k_max=data.k_max)
    held_out = Votes(data=data, labels=data.labels, k_max=data.k_max, queries=lambda data: data.source.X_test)
    vote = WeightedVotes(data=data, cells=cells, q=q)
    new_points = NewPoints(data=data, searches=searches, vote=vote, held_out=held_out)

    triangle = TrianglePanel(data=data, start=start_weights, searches=searches, new_points=new_points)
    map = DecisionMap(
        data=data,
        labels=data.labels,
        cells=cells,
        k=data.k,
        decisions=vote.decisions,
        q=q,
        bayes_decisions=vote.bayes_decisions,
    )
    stairs = StairsPanel(searches=searches, new_points=new_points)
    scores = ScorePanel(new_points=new_points)
    trials = TrialPanel(data=data, searches=searches, judged=new_points.judged)
