"""Compile every kernel into the cache, so that no lab waits for the compiler."""

from argparse import ArgumentParser, Namespace

import numpy as np

from knnviz import active, regions, risk
from knnviz.learnability import comparison
from knnviz.neighbors import NeighborTable
from knnviz.noise import LabelNoise
from knnviz.problems import Resolution, checkerboard, linear, waves
from knnviz.profiles import BallProfile, VoteProfile
from knnviz.rules import Adaptive, PartialAdaptive, Robust, Rule, Vote, Weighted
from knnviz.weights import WeightScorer, confusion

#: Few cells, and one sample.
COARSE = Resolution(integral_cells=(8, 8), repeats=1)


def add_options(parser: ArgumentParser) -> None:
    """``python -m knnviz warm`` has no options."""


def run(options: Namespace) -> None:
    warm()


def warm() -> None:
    """Call every kernel once, on a few points, with each combination of types that labs use."""
    problem = checkerboard()
    sample = problem.sample(300)
    measure = problem.measure(4)
    bags = sample.y[:, None] == np.arange(2)
    for k_max in (10, 300):
        table = NeighborTable.build(sample.X, measure.points, k_max)
        for labels, n_classes in ((bags, 2), (sample.y, 2), (sample.y, 3)):
            profile = VoteProfile.build(table, labels, n_classes)
            rules: list[Rule] = [Vote()]
            if not profile.bags_vote:
                q = (1.0,) * n_classes
                rules += [Weighted(q), Weighted(q, "closed_ball")]
            for k in (3, 4):
                for rule in rules:
                    rule.predict(profile, k)
    for each in (problem, waves()):
        cells, eta = each.cells(8)
        weighted = Weighted((1.0,) * each.n_classes)
        weighted.decide(eta)
        WeightScorer.from_fractions(eta, eta)(np.ones(each.n_classes))
        for truth in (eta, eta.argmax(axis=1)):
            confusion(truth, eta)
        for queries in (None, cells.points[:1]):
            balls = BallProfile.build(cells, eta, queries, masses=[0.2, 0.5])
            balls.smallest_margin(0.5, range(1, each.n_classes + 1))
            if each is problem:
                regions.advantage(balls, 0.5, noise=LabelNoise(0.1, 0.2))
        rules = [Vote(), weighted]
        risk.curve(each, rules, over={"k": [1, 3]}, n=300, resolution=COARSE)
    risk.curve(linear(), Robust(), over={"k": [3]}, n=300, resolution=COARSE)
    columns = np.tile(sample.X, 4)
    for dimension in (3, 8):
        NeighborTable.build(columns[:, :dimension], None, 5)
    compared: dict[str, comparison.BagRule] = {
        "adaptive": Adaptive(max_neighbors=10),
        "partial": PartialAdaptive(max_neighbors=10),
    }
    next(comparison.compare_rules(sample.X, sample.y, compared, [0.0], k_max=10, preparation="raw"))
    scheme = active.Scheme(50, 0.5)
    active.trial(problem, [3], 100, 10, scheme, n_cells=8)
    line = linear().sample(100)
    active.vote(line.X, line.y, line.X, 3)
