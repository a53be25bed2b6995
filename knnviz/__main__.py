"""Command line: ``python -m knnviz warm`` compiles every kernel into numba's cache."""

import argparse

import numpy as np

from knnviz import LabelNoise, NeighborTable, Vote, VoteProfile, checkerboard, regions, risk
from knnviz.problems import waves
from knnviz.profiles import BallProfile


def warm() -> None:
    """Run every kernel once on a few points, so that the first lab does not wait for a compiler."""
    problem = checkerboard()
    sample, measure = problem.sample(300, 0), problem.measure(4)
    for k_max in (10, 300):
        table = NeighborTable.build(sample.X, measure.points, k_max)
        for n_classes in (2, 3):
            profile = VoteProfile.count(table, sample.y, n_classes)
            for k in (3, 4):
                labels = Vote().predict(profile, k)
    risk.exact(labels, np.full((len(labels), 2), 0.5))
    for each in (problem, waves()):
        cells, eta = each.cells(8)
        for queries in (None, cells.points[:1]):
            balls = BallProfile.integrate(cells, eta, queries, [0.2, 0.5])
            balls.smallest_margin(0.5, np.arange(1.0, each.n_classes + 1))
        risk.curve(each, Vote(), over={"k": [1, 3]}, n=300, repeats=1, resolution=8)
    balls = BallProfile.integrate(*problem.cells(8), masses=[0.5])
    regions.advantage(balls, 0.5, noise=LabelNoise(0.1, 0.2))
    NeighborTable.build(np.round(sample.X, 1), None, 5, exclude_self=True)


def main() -> None:
    """Read the command and run it."""
    parser = argparse.ArgumentParser(prog="python -m knnviz", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("warm", help="compile every kernel into the cache")
    parser.parse_args()
    warm()


if __name__ == "__main__":
    main()
