"""Lesson 04: patients sorted by how many of their neighbors have a malignant tumor, and two thresholds."""

import numpy as np
from matplotlib.figure import Figure
from sklearn.preprocessing import StandardScaler

from knnviz.neighbors import NeighborTable
from knnviz.problems import breast_cancer
from knnviz.views import style

#: Every tenth malignant tumor is taken, and every benign one; how many neighbors vote.
STEP, K = 10, 25

#: Rows of the block of patients without a malignant neighbor.
ROWS = 13

#: Votes from which on a tumor is called malignant: more than half of them, or a single one.
HALF, ONE = 13, 1

LINE_COLOR = "#00795A"


def patients() -> tuple[np.ndarray, np.ndarray]:
    """Measurements (n, 30) of the patients taken, and whether each tumor is malignant (n,)."""
    # Only principal components need, and keep, the table of all columns.
    whole = breast_cancer("pca").table
    chosen = np.concatenate([np.flatnonzero(whole.y == 0), np.flatnonzero(whole.y == 1)[::STEP]])
    return whole.X[chosen], whole.y[chosen] == 1


def malignant_votes() -> np.ndarray:
    """How many of the nearest other patients have a malignant tumor (n,)."""
    X, malignant = patients()
    nearest = NeighborTable.build(StandardScaler().fit_transform(X), None, k_max=K, exclude_self=True).indices
    return malignant[nearest].sum(axis=1)


def detected(votes: int) -> tuple[int, int]:
    """Malignant tumors found, and false alarms, with a threshold of so many votes."""
    alarm, (_, malignant) = malignant_votes() >= votes, patients()
    return int((alarm & malignant).sum()), int((alarm & ~malignant).sum())


def draw() -> tuple[Figure, str]:
    """A dot for each patient, in columns by votes; the benign ones below the malignant ones."""
    votes, (_, malignant) = malignant_votes(), patients()
    none, total = int((votes == 0).sum()), int(malignant.sum())
    width = -(-none // ROWS)
    positions = np.empty((len(votes), 2))
    for count in range(votes.max() + 1):
        column = np.flatnonzero(votes == count)
        column = column[np.argsort(malignant[column], kind="stable")]
        row = np.arange(len(column))
        x, y = (row // ROWS - width - 1, row % ROWS) if count == 0 else (count, row)
        positions[column, 0], positions[column, 1] = x, y
    figure = Figure((9.6, 4.0))
    ax = figure.add_axes((0.015, 0.13, 0.97, 0.72), aspect="equal", anchor="S")
    for kind, color, marker in ((False, style.CLASS_COLORS[0], "o"), (True, style.CLASS_COLORS[1], "s")):
        x, y = positions[malignant == kind].T
        ax.scatter(x, y, s=66, color=color, marker=marker, linewidths=0)
    ax.set(xlim=(-width - 2, votes.max() + 8), ylim=(-0.8, ROWS + 3.2), yticks=[])
    ax.set_xticks([-width / 2 - 1.5, *range(1, votes.max() + 1, 3)], ["none", *range(1, votes.max() + 1, 3)])
    ax.tick_params(length=0, labelsize=14)
    ax.spines[:].set_visible(False)
    (half, half_alarms), (one, one_alarms) = detected(HALF), detected(ONE)
    notes = (
        (ONE, f"threshold: one vote\n{one} of {total} found, {one_alarms} false alarms", ROWS + 0.9, 1.8),
        (HALF, f"threshold: half\n{half} of {total} found,\n{half_alarms} false alarms", 7, 3.4),
    )
    for threshold, note, height, note_height in notes:
        ax.plot([threshold - 0.5] * 2, [-0.8, height + note_height], color=LINE_COLOR, lw=2.5)
        ax.text(threshold, height, note, fontsize=14, color=LINE_COLOR)
    ax.text(3.6, 3.3, "malignant", fontsize=15, color="#B34700")
    ax.text(-width - 1.4, ROWS + 0.3, "benign", fontsize=15, color=style.CLASS_COLORS[0])
    figure.text(0.5, 0.015, f"malignant tumors among the {K} most similar patients", fontsize=14, ha="center")
    figure.text(0.02, 0.925, f"{len(votes)} patients, {total} of them with a malignant tumor", fontsize=16)
    words = (
        f"{len(votes)} patients, one dot each, {total} of them with a malignant tumor, in columns by the number of "
        f"malignant tumors among the {K} most similar patients; {none} have none. With more than half of the votes as "
        f"the threshold, {half} are found with {half_alarms} false alarms; with one vote, {one} with {one_alarms}."
    )
    return figure, words
