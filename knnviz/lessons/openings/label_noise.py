"""Lesson 02: the map of kNN on tumors, with true labels and with those of a rater who errs one way."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from knnviz.neighbors import NeighborTable
from knnviz.noise import LabelNoise
from knnviz.problems import Grid, breast_cancer
from knnviz.profiles import VoteProfile
from knnviz.rules import Vote
from knnviz.views import style

#: Neighbors that vote, and the rater, who calls three in ten malignant tumors (class 1) benign.
K, RATER = 25, LabelNoise(p0=0.0, p1=0.3)

#: The part of the plane that is drawn, in standard deviations, and cells along each side of it.
BOX, CELLS = ((-2.1, 3.6), (-2.3, 2.9)), 320


class Learned(NamedTuple):
    """What kNN learns from labels: the class of each cell (CELLS, CELLS), and how many malignant tumors it misses."""

    labels: np.ndarray
    cells: np.ndarray
    missed: int
    malignant: int


def learned() -> Iterator[Learned]:
    """What kNN learns from the true labels, then from those of the rater."""
    data = breast_cancer()
    sample = data.sample(data.max_size)
    queries = np.concatenate([data.X_test, Grid.from_box(BOX, CELLS).points])
    table, held_out = NeighborTable.build(sample.X, queries, k_max=K), len(data.y_test)
    for labels in (sample.y, RATER.flip(sample.y, sample.v)):
        predicted = Vote().predict(VoteProfile.count(table, labels, n_classes=2), K)
        malignant = data.y_test == 1
        missed = int((predicted[:held_out][malignant] == 0).sum())
        yield Learned(labels, predicted[held_out:].reshape(CELLS, CELLS), missed, int(malignant.sum()))


def draw() -> tuple[Figure, str]:
    """Both maps, side by side."""
    true, noisy = learned()
    figure = Figure((9.6, 4.0))
    for left, found, head in ((0.055, true, "True labels"), (0.545, noisy, "The tired rater's labels")):
        ax = figure.add_axes((left, 0.085, 0.445, 0.76))
        regions(ax, found)
        figure.text(left, 0.945, head, fontsize=16, fontweight="bold")
        figure.text(left, 0.873, f"kNN misses {found.missed} of {found.malignant} malignant tumors", fontsize=15)
    figure.axes[0].set_ylabel("texture", fontsize=14)
    ax.contour(*sides(), true.cells, levels=[0.5], colors=style.INK, linewidths=1.6, linestyles="dashed")
    ax.text(1.3, -2.15, "old boundary", fontsize=14, ha="right")
    arrow = {"arrowstyle": "-", "linewidth": 1.2, "shrinkB": 6}
    ax.annotate("called benign", (2.53, 1.23), (3.5, 2.45), fontsize=14, ha="right", arrowprops=arrow)
    words = (
        f"Two maps of kNN with k = {K} on tumors by radius and texture. With true labels it misses {true.missed} of "
        f"{true.malignant} held-out malignant tumors. With the labels of a rater who calls three in ten malignant "
        f"tumors benign, the malignant region shrinks, and it misses {noisy.missed}."
    )
    return figure, words


def sides() -> tuple[np.ndarray, np.ndarray]:
    """Centers of the cells, across and up."""
    points = Grid.from_box(BOX, CELLS).points
    return np.unique(points[:, 0]), np.unique(points[:, 1])


def regions(ax: Axes, found: Learned) -> None:
    """The regions of one map, named, and the training points with the labels that it learned from."""
    data = breast_cancer()
    sample = data.sample(data.max_size)
    ax.contourf(
        *sides(), found.cells, levels=[-0.5, 0.5, 1.5], colors=[style.tint(style.class_color(c)) for c in (0, 1)]
    )
    for code, marker in ((0, "o"), (1, "s")):
        across, up = sample.X[found.labels == code].T
        ax.scatter(across, up, s=13, marker=marker, color=style.class_color(code), linewidths=0)
    across, up = sample.X[found.labels != sample.y].T
    ax.scatter(across, up, s=60, facecolors="none", edgecolors=style.class_color(1), linewidths=1.6)
    for x, y, name, code in ((1.75, -1.75, "malignant", 1), (-2.0, 2.4, "benign", 0)):
        ax.text(x, y, name, fontsize=16, fontweight="bold", color=style.class_color(code))
    ax.set(xlim=BOX[0], ylim=BOX[1], xticks=[], yticks=[])
    ax.set_xlabel("radius", fontsize=14, labelpad=4)
