"""Lesson 07: a scan without a label, and what students wrote about the scans most like it: a few
digits each.
"""

import numpy as np

from knnviz.lessons.openings.drawing import Drawn, Page
from knnviz.neighbors import NeighborTable
from knnviz.problems.answers import LABELED, SCAN, archive
from knnviz.views import style

#: Where a cover begins, as a fraction of the width, and what it asks.
COVER = 0.34, "Which digits can it be?"

#: How many answers are shown.
K = 10

#: Middle of the first column, width of the columns, and lower end and height of the rows, in
#: inches.
FIRST = 4.28
WIDTH = 0.54
BOTTOM = 0.1
HEIGHT = 0.225

#: Inches of a bar for each answer, and the lower end of the bars.
BAR_STEP = 0.078
BARS_BOTTOM = 2.47

#: Color of digits other than the two with most votes.
OTHERS = "#DDDDDD"


def draw() -> Drawn:
    """The new scan, its neighbors with their answers in rows, and how many answers hold each
    digit.
    """
    X, written = archive()
    nearest = NeighborTable.build(X[:LABELED], X[[SCAN]], k_max=K).indices[0]
    bags = written[nearest]
    votes = bags.sum(axis=0)
    most = np.flatnonzero(votes == votes.max())
    leaders = dict(zip(most.tolist(), style.CLASS_COLORS, strict=False))
    colors = [leaders.get(digit, OTHERS) for digit in range(10)]
    head = f"The {K} scans most like it, and what students wrote"
    page = Page((0.2, "Which digit is this?"), (3.35, head))
    page.scan(X[SCAN], 0.2, 0.4, 2.55)
    page.write(3.35, BARS_BOTTOM + 0.1, "how\noften", 13, linespacing=1.1)
    middle = FIRST + WIDTH * np.arange(10)
    bars = page.paper.bar(middle, votes * BAR_STEP, WIDTH - 0.08, BARS_BOTTOM, color=colors)
    texts = [f"{n}" if n else "" for n in votes]
    for digit in leaders:
        texts[digit] += f" of {K}"
    page.paper.bar_label(bars, texts, padding=3)

    rows = BOTTOM + HEIGHT * np.arange(K)[::-1]
    centered = {"ha": "center", "va": "center_baseline"}
    for index, bag, row in zip(nearest, bags, rows, strict=True):
        page.scan(X[index], 3.5, row, HEIGHT - 0.015)
        for digit in np.flatnonzero(bag).tolist():
            x = middle[digit]
            page.paper.bar(x, HEIGHT - 0.025, WIDTH - 0.11, row, color=colors[digit])
            ink = style.PAPER if digit in leaders else style.INK
            page.write(x, row + 0.1, f"{digit}", 13, color=ink, **centered)

    counted = ", ".join(f"{digit} in {count}" for digit, count in enumerate(votes) if count)
    return (
        page,
        f"A handwritten digit that is hard to read. Of {K} answers about the scans most like it: "
        f"{counted}.",
    )
