"""Figures 3 and 4: what searches for weights find on the example, what it is worth on new points, and from where."""

from collections.abc import Sequence
from itertools import product
from typing import NamedTuple, Self

import numpy as np
from tqdm import tqdm

from knnviz.metrics import WeightScorer
from knnviz.neighbors import NeighborTable
from knnviz.problems import Sample, waves
from knnviz.profiles import VoteProfile
from knnviz.weights import (
    SearchOptions,
    SearchResult,
    Trials,
    greedy_search,
    grid_search,
    neighbors_rule,
    simplex_grid,
    trials,
)
from knnviz.weights.search_trials import CRITERIA, WAYS
from knnviz_papers.khim.pieces import EQUAL
from knnviz_papers.simulate import Row, Tables, mean_and_error, means_and_errors, over_samples, with_error

#: Where the paper's greedy search begins, its steps gamma, and how many of them it takes.
START, GAMMAS, STEPS = (0.3, 0.3, 0.4), (0.01, 0.05), 20

#: Where others may begin.
STARTS = (START, EQUAL, (0.8, 0.1, 0.1))

#: Weights of the grid are multiples of 1 / GRID_STEPS.
GRID_STEPS = 100

#: New points are the left ends of so many cells, as in the paper.
CELLS = 10_000

#: Seed of the sample that a single search is shown on.
SHOWN_SEED = 0

#: Scores of weights: macro F1 on the points that vote, then macro and micro F1 on new points.
SCORE_NAMES = ("f1_hat", "macro", "micro")

#: Names of the weights.
WEIGHT_NAMES = ("q_0", "q_1", "q_2")


class SampleScores(NamedTuple):
    """The three scores of ``SCORE_NAMES`` for kNN on one sample of the example; each maps weights (J, C) to (J,)."""

    f1_hat: WeightScorer
    macro: WeightScorer
    micro: WeightScorer

    @classmethod
    def of(cls, sample: Sample, k: int) -> Self:
        """Macro F1 on the training points, each its own neighbor, and both F1 of the same rule on new points."""
        problem, points = waves(), np.arange(CELLS)[:, None] / CELLS
        fractions = [
            VoteProfile.count(NeighborTable.build(sample.X, queries, k), sample.y, problem.n_classes).at(k) / k
            for queries in (None, points)
        ]
        eta = problem.eta(points)
        fitted = (WeightScorer.of(fractions[1], eta, scoring=f"f1_{mean}") for mean in ("macro", "micro"))
        return cls(WeightScorer.of(fractions[0], sample.y), *fitted)

    def at(self, q: np.ndarray) -> np.ndarray:
        """The three scores (J, 3) at weights (J, C), in the order of ``SCORE_NAMES``."""
        return np.stack([score(q) for score in self], axis=1)


def khim_figure_3a(n: int = 1000, repeats: int = 100, seed: int = 0, progress: bool = False) -> Tables:
    """Figure 3(a): F1 along greedy searches with two steps gamma, counted on the sample and on new points.

    k = 5 n^(1/3) vote. The single sample is always the same, whatever the seed of the others.

    Tables: "one_sample", a row for each gamma and step: macro F1 on the points that vote, macro and micro F1 on new
    points, and the weights; "grid", the same at the best of 5151 weights; "means", a row for each gamma and step over
    many samples; "climbs", a row for each gamma: the last step that raised F1 on the sample, and how much the whole
    search raised the three scores.

    Source: Khim et al., Algorithm 1 and Figure 3(a).
    """
    k = neighbors_rule(n)
    found = over_samples(lambda sample: climbs(SampleScores.of(sample, k)), waves(), n, repeats, seed, progress)
    one = SampleScores.of(waves().sample(n, SHOWN_SEED), k)
    tables: Tables = {"one_sample": [], "means": [], "climbs": []}
    for index, gamma in enumerate(GAMMAS):
        for t, scores in enumerate(found[:, index].swapaxes(0, 1)):
            tables["means"].append({"gamma": gamma, "step": t, "n": n, "k": k} | means_and_errors(scores, SCORE_NAMES))
        raised = np.column_stack([_last_rise(found[:, index, :, 0]), found[:, index, -1] - found[:, index, 0]])
        tables["climbs"].append({"gamma": gamma} | means_and_errors(raised, ("last_rise", *SCORE_NAMES)))
        path = _climb(one, START, gamma)
        rows = zip(one.at(path.history), path.history, strict=True)
        tables["one_sample"] += [{"gamma": gamma, "step": t} | _row(*row) for t, row in enumerate(rows)]
    best = grid_search(one.f1_hat, simplex_grid(len(START), GRID_STEPS))
    return tables | {"grid": [_row(one.at(best.history)[0], best.q)]}


def climbs(scores: SampleScores) -> np.ndarray:
    """The three scores (gammas, T + 1, 3) along the greedy search of the paper, in the order of ``SCORE_NAMES``."""
    return np.array([scores.at(_climb(scores, START, gamma).history) for gamma in GAMMAS])


def _climb(scores: SampleScores, start: Sequence[float], gamma: float) -> SearchResult:
    return greedy_search(scores.f1_hat, start, step=gamma, n_steps=STEPS)


def _last_rise(scores: np.ndarray) -> np.ndarray:
    """The last step (repeats,) that raised scores (repeats, T + 1), 0 without one."""
    steps = np.arange(1, scores.shape[1])
    return ((np.diff(scores, axis=1) > 0) * steps).max(axis=1)


def _row(scores: np.ndarray, q: np.ndarray) -> Row:
    return dict(zip((*SCORE_NAMES, *WEIGHT_NAMES), (*scores, *q), strict=True))


def khim_figures_3b_and_4(
    sizes: Sequence[int] = (50, 100, 200, 500, 1000, 1500, 2000, 2500),
    repeats: int = 50,
    seed: int = 0,
    progress: bool = False,
) -> Tables:
    """Figures 3(b), 4(a) and 4(b): equal weights, a greedy search and the grid against n, of which k = 5 n^(1/3) vote.

    Tables: "figure_3b", a row for each n and way to weights: macro F1 as searched, on the sample, macro and micro F1 on
    new points, and the mean weights; "figure_4", a row for each n: by how much the grid beats the greedy search on the
    same samples under macro and under micro F1 on new points, of which the paper draws the absolute value, and the
    distance of their mean weights.

    Source: Khim et al., Figures 3(b), 4(a) and 4(b).
    """
    stream = trials(waves(), SearchOptions(START), over={"n": sizes}, repeats=repeats, seed=seed)
    total = repeats * len(sizes)
    *_, run = tqdm(stream, "khim_figures_3b_and_4", total, disable=not progress)
    macro, micro, apart = run.difference("macro"), run.difference("micro"), run.distance()
    rows = []
    for j, n in enumerate(sizes):
        row = {"n": n}
        for name, (values, errors) in {"macro_gain": macro, "micro_gain": micro, "distance": apart}.items():
            row |= with_error(name, values[j], errors[j])
        rows.append(row)
    each = product(enumerate(sizes), enumerate(WAYS))
    return {"figure_3b": [_way_row(run, j, n, w, way) for (j, n), (w, way) in each], "figure_4": rows}


def _way_row(run: Trials, j: int, n: int, w: int, way: str) -> Row:
    found = means_and_errors(np.concatenate([run.scores[:, j, w], run.q[:, j, w]], axis=1), (*CRITERIA, *WEIGHT_NAMES))
    return {"n": n, "k": neighbors_rule(n), "way": way} | found


def khim_starts(n: int = 1000, repeats: int = 200, seed: int = 0, progress: bool = False) -> Tables:
    """How the end of a greedy search depends on its start: three starts, two steps gamma, the same samples.

    k = 5 n^(1/3) vote.

    Tables: "starts", a row for each start and gamma: the three scores and the weights where the search ends; "spread",
    a row for each gamma: by how much the best start beats the worst on the same sample, by macro F1 on new points.

    Source: Khim et al., Algorithm 1, which leaves the start to the reader.
    """
    k, rows = neighbors_rule(n), []
    found = over_samples(lambda sample: ends(SampleScores.of(sample, k)), waves(), n, repeats, seed, progress)
    for (s, start), (g, gamma) in product(enumerate(STARTS), enumerate(GAMMAS)):
        named = ", ".join(f"{weight:.3g}" for weight in start)
        rows.append({"start": named, "gamma": gamma} | means_and_errors(found[:, s, g], (*SCORE_NAMES, *WEIGHT_NAMES)))
    macro = found[..., SCORE_NAMES.index("macro")]
    spread = macro.max(axis=1) - macro.min(axis=1)
    spreads = [{"gamma": gamma} | mean_and_error("spread", spread[:, g]) for g, gamma in enumerate(GAMMAS)]
    return {"starts": rows, "spread": spreads}


def ends(scores: SampleScores) -> np.ndarray:
    """Where greedy searches end (starts, gammas, 6): the three scores of ``SCORE_NAMES`` and the weights."""
    found = [[_climb(scores, start, gamma).q for gamma in GAMMAS] for start in STARTS]
    return np.array([[[*scores.at(q[None])[0], *q] for q in each] for each in found])
