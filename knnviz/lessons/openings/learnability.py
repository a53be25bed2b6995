"""Lesson 08: bags of candidate digits that two groups of raters wrote, and the digit in most of the
nearest bags.
"""

import numpy as np
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

from knnviz.bags import BagDraws, BagProcess
from knnviz.lessons.openings import drawing
from knnviz.neighbors import NeighborTable
from knnviz.views.style import MUTED, tint

#: Where a cover begins, as a fraction of the width, and what it asks.
COVER = 0.6, "Which digit wins in group B?"

#: How many bags are counted, the index of the new scan among the held-out ones, and the digit that
#: group A often adds.
K = 30
NEW_SCAN = 165
FAVORITE = 8

TRUE_COLOR, WRONG_COLOR, _ = drawing.WORD_COLORS
OTHER_COLOR = tint(MUTED, 0.45)

#: The frame of a bag.
BAG_FRAME = {
    "boxstyle": "round,pad=0.25,rounding_size=0.6",
    "facecolor": tint(MUTED, 0.15),
    "edgecolor": MUTED,
}


def draw() -> drawing.Drawn:
    """The new scan, then for each group four of the nearest scans with their bags, and the counts
    of all bags.

    Group A adds an 8 to nine of ten bags, and any other digit to two of ten; group B writes the
    next digit.
    """
    X, y = load_digits(return_X_y=True)
    X, X_new, y, y_new = train_test_split(X, y, test_size=0.2, random_state=0, stratify=y)
    scan = X_new[NEW_SCAN]
    digit = y_new[NEW_SCAN]
    nearest = NeighborTable.build(X, scan[None], k_max=K).indices[0]
    scans = X[nearest]
    digits = y[nearest]

    often = np.full(10, 0.2)
    often[FAVORITE] = 0.9
    process = BagProcess(np.tile(often, (10, 1)))
    draws = BagDraws.draw(len(y), n_classes=10, seed=0)
    bags_a = process.draw(X, y, draws)[nearest]
    bags_b = np.eye(10, dtype=bool)[(digits + 1) % 10]

    heads = (
        (0.12, "A new scan"),
        (1.82, "Group A: true digit in every bag"),
        (5.86, "Group B: true digit in no bag"),
    )
    page = drawing.Page(*heads)
    page.scan(scan, 0.12, 2.12, 1.25)
    page.write(0.12, 1.74, f"It is a {digit}.", color=TRUE_COLOR, weight="bold")
    task = f"Count the\nbags of the\n{K} scans\nmost like it."
    page.write(0.12, 0.52, task, 14, linespacing=1.35)
    # Three of the nearest scans, and one of another digit.
    some = [0, 1, 2, int(np.argmax(digits != digit))]
    _, (left_a, _), (left_b, _) = heads
    a = draw_group(page, left_a, scans, bags_a, some, digit)
    b = draw_group(page, left_b, scans, bags_b, some, digit)
    return page, (
        f"A scan of a {digit}, and the bags of the {K} scans most like it. Group A: the true digit "
        f"is in every bag; {digit} is in {a[digit]} bags and {FAVORITE} in {a[FAVORITE]}, so "
        f"counting is right. Group B: no bag holds the true digit; {b.argmax()} is in {b.max()} "
        "bags, so counting is wrong."
    )


def draw_group(
    page: drawing.Page,
    left: float,
    scans: np.ndarray,
    bags: np.ndarray,
    some: list[int],
    digit: int,
) -> np.ndarray:
    """Some of the scans (K, 64) with their bags of a group, and how many of all its bags (K, 10)
    hold each digit.
    """
    for column, index in enumerate(some):
        at = left + 0.93 * column
        bag = " ".join(map(str, np.flatnonzero(bags[index])))
        page.scan(scans[index], at, 2.68, 0.67)
        page.write(at + 0.335, 2.3, bag, ha="center", bbox=BAG_FRAME)
    counts = bags.sum(axis=0)
    winner = counts.argmax()
    colors = [OTHER_COLOR] * 10
    colors[winner] = WRONG_COLOR
    colors[digit] = TRUE_COLOR
    ax = page.part(left, 0.42, 3.6, 1.6, xticks=range(10), yticks=[])
    ax.set(xlim=(-0.55, 9.55), ylim=(0, 1.12 * K))
    bars = ax.bar(range(10), counts, 0.78, color=colors)
    ax.bar_label(bars, [n or "" for n in counts])
    ax.spines[["top", "left", "right"]].set_visible(False)
    verdict = "right" if winner == digit else "wrong"
    at = left + 0.44 + 0.356 * winner
    page.write(at, 1.5, f"{winner} wins: {verdict}", color=colors[winner], weight="bold")
    return counts
