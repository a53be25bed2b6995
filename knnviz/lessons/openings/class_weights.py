"""Lesson 04: patients sorted by how many of their neighbors have a malignant tumor, and two
thresholds.
"""

import numpy as np
from sklearn.preprocessing import StandardScaler

from knnviz.lessons.openings import drawing
from knnviz.neighbors import NeighborTable
from knnviz.problems import breast_cancer
from knnviz.views.dots import stacked

#: Where a cover begins, as a fraction of the width, and what it asks.
COVER = 0.0, "Who would ship this program?"

#: Every tenth malignant tumor is taken, and every benign one; how many neighbors vote.
STEP = 10
K = 25

#: Votes from which on a tumor is called malignant: more than half of them, or a single one.
HALF = 13
ONE = 1

LINE_COLOR = "#00795A"


def patients() -> tuple[np.ndarray, np.ndarray]:
    """Measurements (n, 30) of the patients taken, and whether each tumor is malignant (n,)."""
    # Only principal components need, and keep, the table of all columns.
    whole = breast_cancer("pca").table
    benign = np.flatnonzero(whole.y == 0)
    malignant = np.flatnonzero(whole.y == 1)
    chosen = np.concatenate([benign, malignant[::STEP]])
    return whole.X[chosen], whole.y[chosen] == 1


def draw() -> drawing.Drawn:
    """A dot for each patient, in columns by votes; the benign ones below the malignant ones."""
    X, malignant = patients()
    scaled = StandardScaler().fit_transform(X)
    nearest = NeighborTable.build(scaled, None, k_max=K, exclude_self=True).indices
    votes = malignant[nearest].sum(axis=1)
    total = malignant.sum()
    none = (votes == 0).sum()
    most = votes.max()

    # Patients without a malignant neighbor are a block left of the columns.
    order = np.lexsort((malignant, votes))
    places = stacked(votes[order], np.ones(len(votes)))
    left, _ = places.min(axis=0)
    _, top = places.max(axis=0)

    page = drawing.Page((0.2, f"{len(votes)} patients, {total} of them with a malignant tumor"))
    ax = page.part(0.15, 0.52, 9.3, 2.9, aspect="equal", anchor="S", frame_on=False, yticks=[])
    label = f"malignant tumors among the {K} most similar patients"
    ax.set(xlim=(left - 1, most + 8), ylim=(0.2, top + 4.2), xlabel=label)
    some = range(1, most + 1, 3)
    ax.set_xticks([left / 2, *some], ["none", *some])
    ax.tick_params(length=0)
    drawing.dots(ax, places, malignant[order], 66)
    drawing.name_classes(ax, (left - 0.4, top + 1.3), (3.6, 4.3))

    notes = []
    for threshold, name, height in ((ONE, "one vote", top + 1), (HALF, "half", 8)):
        called = malignant[votes >= threshold]
        found = called.sum()
        note = f"Threshold: {name}, {found} of {total} found, {(~called).sum()} false alarms"
        notes.append(note)
        ax.text(threshold, height, note.replace(", ", "\n"), color=LINE_COLOR)
        at = threshold - 0.5
        ax.plot([at, at], [0.2, height + 3.4], color=LINE_COLOR, lw=2.5)
    return page, (
        f"{len(votes)} patients, one dot each, {total} of them with a malignant tumor, in columns "
        f"by the number of malignant tumors among the {K} most similar patients; {none} have "
        f"none. {'. '.join(notes)}."
    )
