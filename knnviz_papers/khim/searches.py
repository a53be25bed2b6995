"""Figures 3 and 4: searches for weights on the example, and what they are worth on new points."""

from collections.abc import Sequence

import numpy as np
from tqdm import tqdm

from knnviz.neighbors import NeighborTable
from knnviz.problems import Sample, waves
from knnviz.profiles import VoteProfile
from knnviz.weights import (
    SearchOptions,
    SearchResult,
    WeightScorer,
    greedy_search,
    neighbors_rule,
    trials,
)
from knnviz.weights.search_trials import CRITERIA, WAYS
from knnviz_papers.khim.example import EQUAL
from knnviz_papers.simulate import (
    Row,
    Tables,
    mean_and_error,
    means_and_errors,
    over_samples,
    with_error,
)

#: Sample size of Figure 3(a), of which k = 5 n^(1/3) = 50 vote.
SIZE = 1000

#: Where the paper's greedy search begins, its steps gamma, and how many of them it takes.
START = (0.3, 0.3, 0.4)
GAMMAS = (0.01, 0.05)
STEPS = 20

#: All starts.
STARTS = (START, EQUAL, (0.8, 0.1, 0.1))

#: New points are the left ends of so many cells, as in the paper.
CELLS = 10_000

#: Scores of weights: macro F1 on the points that vote, then macro and micro F1 on new points.
SCORE_NAMES = ("f1_hat", "macro", "micro")

#: Names of the weights.
WEIGHT_NAMES = ("q_0", "q_1", "q_2")


class SampleScores:
    """The scores of weights on one sample; a training point is its own neighbor."""

    def __init__(self, sample: Sample) -> None:
        k = neighbors_rule(SIZE)
        points = np.arange(CELLS)[:, None] / CELLS
        eta = waves().eta(points)
        fractions = []
        for queries in (None, points):
            table = NeighborTable.build(sample.X, queries, k)
            votes = VoteProfile.build(table, sample.y, len(START))
            fractions.append(votes.at(k) / k)

        own, new = fractions
        self.f1_hat = WeightScorer.from_fractions(sample.y, own)
        macro = WeightScorer.from_fractions(eta, new, scoring="f1_macro")
        micro = WeightScorer.from_fractions(eta, new, scoring="f1_micro")
        self.scores = self.f1_hat, macro, micro

    def __call__(self, q: np.ndarray) -> np.ndarray:
        """Scores (J, 3) of weights (J, C)."""
        return np.stack([score(q) for score in self.scores], axis=1)

    def climb(self, start: Sequence[float], gamma: float) -> SearchResult:
        """The greedy search of Algorithm 1."""
        return greedy_search(self.f1_hat, start, step=gamma, n_steps=STEPS)


def khim_figure_3a(repeats: int = 100, seed: int = 0, progress: bool = False) -> Tables:
    """Figure 3(a): F1 along greedy searches with two steps gamma, counted on the sample and on new
    points.

    Tables: "means", a row for each gamma and step: macro F1 on the points that vote, macro and
    micro F1 on new points; "climbs", a row for each gamma: the last step that raised F1 on the
    sample, and how much the whole search raised the three scores.

    Source: Khim et al., Algorithm 1 and Figure 3(a).
    """
    found = over_samples(scores_along, waves(), SIZE, repeats, seed, progress)
    steps = np.arange(1, STEPS + 1)
    means = []
    climbs = []
    for g, gamma in enumerate(GAMMAS):
        along = found[:, g]
        for step in range(STEPS + 1):
            row: Row = {"gamma": gamma, "step": step}
            row |= {"n": SIZE, "k": neighbors_rule(SIZE)}
            means.append(row | means_and_errors(along[:, step], SCORE_NAMES))

        rises = np.diff(along[:, :, 0], axis=1) > 0
        last_rise = (rises * steps).max(axis=1)
        gains = along[:, -1] - along[:, 0]
        raised = np.column_stack([last_rise, gains])
        measured = means_and_errors(raised, ("last_rise", *SCORE_NAMES))
        climbs.append({"gamma": gamma} | measured)
    return {"means": means, "climbs": climbs}


def scores_along(sample: Sample) -> np.ndarray:
    """Scores (gammas, T + 1, 3) along the greedy search of the paper."""
    scores = SampleScores(sample)
    climbs = [scores.climb(START, gamma) for gamma in GAMMAS]
    return np.array([scores(climb.history) for climb in climbs])


def khim_figures_3b_and_4(
    sizes: Sequence[int] = (50, 100, 200, 500, 1000, 1500, 2000, 2500),
    repeats: int = 50,
    seed: int = 0,
    progress: bool = False,
) -> Tables:
    """Figures 3(b), 4(a) and 4(b): equal weights, a greedy search and the grid against n, of which
    k = 5 n^(1/3) vote.

    Tables: "figure_3b", a row for each n and way to weights: macro F1 as searched, on the sample,
    macro and micro F1 on new points, and the mean weights; "figure_4", a row for each n: by how
    much the grid beats the greedy search on the same samples under macro and under micro F1 on new
    points, of which the paper draws the absolute value, the distance of their mean weights, and the
    mean distance of their weights; the paper does not say which one it draws.

    Source: Khim et al., Figures 3(b), 4(a) and 4(b).
    """
    options = SearchOptions(START)
    stream = trials(waves(), options, sizes, repeats=repeats, seed=seed)
    total = repeats * len(sizes)
    *_, run = tqdm(stream, "khim_figures_3b_and_4", total, disable=not progress)
    figure_3b = []
    for j, n in enumerate(sizes):
        for w, way in enumerate(WAYS):
            found = np.column_stack([run.scores[:, j, w], run.q[:, j, w]])
            row: Row = {"n": n, "k": neighbors_rule(n), "way": way}
            row |= means_and_errors(found, (*CRITERIA, *WEIGHT_NAMES))
            figure_3b.append(row)

    compared = {"macro_gain": run.difference("macro")}
    compared["micro_gain"] = run.difference("micro")
    compared["distance"] = run.distance()
    of_grid = run.q[:, :, WAYS.index("grid")]
    of_greedy = run.q[:, :, WAYS.index("greedy")]
    apart = np.linalg.norm(of_grid - of_greedy, axis=2)

    figure_4 = []
    for j, n in enumerate(sizes):
        row = {"n": n}
        for name, (values, errors) in compared.items():
            row |= with_error(name, values[j], errors[j])
        row |= mean_and_error("mean_distance", apart[:, j])
        figure_4.append(row)
    return {"figure_3b": figure_3b, "figure_4": figure_4}


def khim_starts(repeats: int = 200, seed: int = 0, progress: bool = False) -> Tables:
    """How the end of a greedy search depends on its start: three starts, two steps gamma, the same
    samples.

    Tables: "starts", a row for each start and gamma: the three scores and the weights where the
    search ends; "spread", a row for each gamma: by how much the best start beats the worst on the
    same sample, by macro F1 on new points.

    Source: Khim et al., Algorithm 1, which leaves the start to the reader.
    """
    found = over_samples(ends, waves(), SIZE, repeats, seed, progress)
    starts = []
    for s, start in enumerate(STARTS):
        weights = ", ".join(f"{weight:.3g}" for weight in start)
        for g, gamma in enumerate(GAMMAS):
            row: Row = {"start": weights, "gamma": gamma}
            row |= means_and_errors(found[:, s, g], (*SCORE_NAMES, *WEIGHT_NAMES))
            starts.append(row)

    macro = found[..., SCORE_NAMES.index("macro")]
    spread = np.ptp(macro, axis=1)
    spreads = []
    for g, gamma in enumerate(GAMMAS):
        of_gamma = mean_and_error("spread", spread[:, g])
        spreads.append({"gamma": gamma} | of_gamma)
    return {"starts": starts, "spread": spreads}


def ends(sample: Sample) -> np.ndarray:
    """Where greedy searches end (starts, gammas, 6): the three scores and the weights."""
    scores = SampleScores(sample)
    searches = [scores.climb(start, gamma) for start in STARTS for gamma in GAMMAS]
    q = np.array([search.q for search in searches])
    found = np.column_stack([scores(q), q])
    return found.reshape(len(STARTS), len(GAMMAS), -1)
