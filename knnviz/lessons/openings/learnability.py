"""Lesson 08: bags of candidate digits that two groups of raters wrote, and the digit in most of the nearest bags."""

from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

from knnviz.bags import BagDraws, BagProcess
from knnviz.lessons.openings import draw_scan
from knnviz.neighbors import NeighborTable
from knnviz.views.style import CLASS_COLORS, MUTED, tint

#: How many bags are counted, the index of the new scan among the held-out ones, and the digit that group A often adds.
K, NEW_SCAN, FAVORITE = 30, 16, 8

TRUE_COLOR, WRONG_COLOR, OTHER_COLOR = CLASS_COLORS[0], "#B34700", tint(MUTED, 0.45)

#: The frame of a bag.
BAG_FRAME = {"boxstyle": "round,pad=0.25,rounding_size=0.6", "facecolor": tint(MUTED, 0.15), "edgecolor": MUTED}


class Neighbors(NamedTuple):
    """A new scan with its digit, the scans (K, 64) most like it with theirs (K,), and their bags (K, 10) by group."""

    scan: np.ndarray
    digit: int
    scans: np.ndarray
    digits: np.ndarray
    bags: dict[str, np.ndarray]


def neighbors() -> Neighbors:
    """Group A adds an 8 to nine of ten bags, and any other digit to two of ten; group B writes the next digit."""
    X, y = load_digits(return_X_y=True)
    X, X_new, y, y_new = train_test_split(X, y, test_size=0.2, random_state=0, stratify=y)
    nearest = NeighborTable.build(X, X_new[NEW_SCAN : NEW_SCAN + 1], k_max=K).indices[0]
    process = BagProcess(np.tile(np.where(np.arange(10) == FAVORITE, 0.9, 0.2), (10, 1)))
    bags = {
        "A": process.draw(X, y, BagDraws.draw(len(y), n_classes=10, seed=0))[nearest],
        "B": np.eye(10, dtype=bool)[(y[nearest] + 1) % 10],
    }
    return Neighbors(X_new[NEW_SCAN], int(y_new[NEW_SCAN]), X[nearest], y[nearest], bags)


def draw() -> tuple[Figure, str]:
    """The new scan, then for each group four of the nearest scans with their bags, and the counts of all bags."""
    found = neighbors()
    figure = Figure((9.6, 4.0))
    figure.text(0.012, 0.925, "A new scan", fontsize=15)
    draw_scan(figure, (0.012, 0.53, 0.13, 0.312), found.scan)
    figure.text(0.012, 0.44, f"It is a {found.digit}.", fontsize=15, color=TRUE_COLOR, weight="bold")
    figure.text(0.012, 0.13, f"Count the\nbags of the\n{K} scans\nmost like it.", fontsize=14, linespacing=1.35)
    titles = {"A": "true digit in every bag", "B": "true digit in no bag"}
    shown = np.r_[:3, int(np.flatnonzero(found.digits != found.digit)[0])]
    counts = {group: bags.sum(axis=0) for group, bags in found.bags.items()}
    for left, (group, title) in zip((0.19, 0.61), titles.items(), strict=True):
        figure.text(left, 0.925, f"Group {group}:", fontsize=16, weight="bold")
        figure.text(left + 0.125, 0.925, title, fontsize=15)
        for column, index in enumerate(shown):
            draw_scan(figure, (left + 0.097 * column, 0.67, 0.07, 0.168), found.scans[index])
            bag = " ".join(map(str, np.flatnonzero(found.bags[group][index])))
            figure.text(left + 0.035 + 0.097 * column, 0.575, bag, fontsize=15, ha="center", bbox=BAG_FRAME)
        bars(figure.add_axes((left, 0.105, 0.375, 0.4)), counts[group], found.digit)
    explain(figure, counts, found.digit)
    first, last = counts["A"][FAVORITE], counts["B"][found.digit + 1]
    words = (
        f"A scan of a {found.digit}, and the bags of the {K} scans most like it. Group A: the true digit is in every "
        f"bag, yet 8 is in {first} bags and {found.digit} in {counts['A'][found.digit]}. Group B: no bag holds the "
        f"true digit; {found.digit + 1} is in {last} bags, and one digit back is {found.digit}."
    )
    return figure, words


def bars(ax: Axes, counts: np.ndarray, digit: int) -> None:
    """Counts by digit: the true one in blue, the winner in orange."""
    colors = [OTHER_COLOR] * 10
    colors[counts.argmax()], colors[digit] = WRONG_COLOR, TRUE_COLOR
    ax.bar(range(10), counts, color=colors, width=0.78)
    ax.set(xticks=range(10), yticks=[], xlim=(-0.55, 9.55), ylim=(0, 1.12 * K))
    ax.tick_params(axis="x", labelsize=14, length=0)
    ax.spines[["top", "left", "right"]].set_visible(False)
    for each, count in enumerate(counts.tolist()):
        if count and colors[each] != OTHER_COLOR:
            ax.text(each, count + 0.8, str(count), fontsize=14, ha="center", color=colors[each])


def explain(figure: Figure, counts: dict[str, np.ndarray], digit: int) -> None:
    """Write which digit wins in each group, and how to get from B's winner to the true digit."""
    left, right = figure.axes[5], figure.axes[10]
    left.text(4.5, 22, f"{FAVORITE} wins: wrong", fontsize=15, color=WRONG_COLOR, ha="center", weight="bold")
    won = counts["B"][digit + 1]
    right.text(3, 22, f"{digit + 1} wins: wrong", fontsize=15, color=WRONG_COLOR, weight="bold")
    right.text(3, 13.5, "One back: right", fontsize=15, color=TRUE_COLOR, weight="bold")
    right.bar([digit], [won], width=0.78, facecolor="none", edgecolor=TRUE_COLOR, linewidth=1.6, linestyle=(0, (3, 2)))
    arrow = {"arrowstyle": "-|>", "color": TRUE_COLOR, "linewidth": 2, "mutation_scale": 16}
    right.annotate("", (digit, 0.55 * won), (digit + 1, 0.55 * won), arrowprops=arrow)
