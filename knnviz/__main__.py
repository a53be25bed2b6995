"""Command line: compile every kernel, serve a class, draw its poll."""

import argparse
import sys
from collections.abc import Sequence

import numpy as np

from knnviz import (
    LabelNoise,
    NeighborTable,
    Robust,
    Vote,
    VoteProfile,
    Weighted,
    active,
    bag_comparison,
    checkerboard,
    metrics,
    regions,
    risk,
)
from knnviz.classroom.server import add_options as add_class_options
from knnviz.classroom.server import serve
from knnviz.lessons import poll_command
from knnviz.problems import linear, waves
from knnviz.profiles import BallProfile
from knnviz.rules import Adaptive, PartialAdaptive


def warm() -> None:
    """Run every kernel once on a few points, so that no lab waits for the compiler."""
    problem = checkerboard()
    sample, measure = problem.sample(300, 0), problem.measure(4)
    for k_max in (10, 300):
        table = NeighborTable.build(sample.X, measure.points, k_max)
        for n_classes in (2, 3):
            profile = VoteProfile.count(table, sample.y, n_classes)
            for k in (3, 4):
                labels = Vote().predict(profile, k)
                for mode in ("index", "closed_ball"):
                    Weighted((1.0,) * n_classes, mode).predict(profile, k)
    risk.exact(labels, np.full((len(labels), 2), 0.5))
    for each in (problem, waves()):
        cells, eta = each.cells(8)
        weighted = Weighted((1.0,) * each.n_classes)
        weighted.decide(eta)
        metrics.WeightScorer.of(eta, eta)(np.ones(each.n_classes))
        for truth in (eta, eta.argmax(axis=1)):
            metrics.confusion(eta, truth)
        for queries in (None, cells.points[:1]):
            balls = BallProfile.integrate(cells, eta, queries, [0.2, 0.5])
            balls.smallest_margin(0.5, range(1, each.n_classes + 1))
        risk.curve(each, [Vote(), weighted], over={"k": [1, 3]}, n=300, repeats=1, resolution=8)
    risk.curve(linear(), Robust(), over={"k": [3]}, n=300, repeats=1, resolution=8)
    balls = BallProfile.integrate(*problem.cells(8), masses=[0.5])
    regions.advantage(balls, 0.5, noise=LabelNoise(0.1, 0.2))
    NeighborTable.build(np.round(sample.X, 1), None, 5, exclude_self=True)
    NeighborTable.build(np.repeat(sample.X, 4, axis=1), None, 5)
    table = NeighborTable.build(sample.X, measure.points, 10)
    adaptive, partial = Adaptive(max_neighbors=10), PartialAdaptive(max_neighbors=10)
    for labels in (sample.y, sample.y[:, None] == np.arange(2)):
        for rule in (adaptive, partial):
            rule.scan(table, labels, 2)
        profile = VoteProfile.count(table, labels, 2)
        Vote().predict(profile, 3), Vote().predict(profile, 4)
    rules: dict[str, bag_comparison.Rule] = {"adaptive": adaptive, "partial": partial}
    next(bag_comparison.compare(sample.X, sample.y, rules, [0.0], k_max=10, preparation="raw"))
    for each in (problem, linear()):
        active.trial(each, 100, 10, active.Scheme(50, 0.5), [3], np.random.SeedSequence(0), resolution=8)


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m knnviz", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("warm", help="compile every kernel into the cache")
    add_class_options(commands.add_parser("class", help="serve a lesson to the students of a class"))
    poll_command.add_options(commands.add_parser("poll", help="draw what a class predicted and solved"))
    return parser


def _parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Parsed options; what argparse leaves over are arguments of Voila."""
    given, left = parser().parse_known_args(arguments)
    if left and given.command != "class":
        parser().error(f"unrecognized arguments: {' '.join(left)}")
    given.voila_arguments = left
    return given


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code; a mistake in it ends with a message."""
    given = _parsed(arguments)
    try:
        if given.command == "warm":
            warm()
        elif given.command == "class":
            serve(given, given.voila_arguments)
        else:
            poll_command.draw_poll(given)
    except (ValueError, FileNotFoundError) as error:
        parser().error(str(error))
    return 0


if __name__ == "__main__":
    sys.exit(main())
