"""Lesson 07: a scan without a label, and what students wrote about the scans most like it: a few digits each."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch, Rectangle
from sklearn.datasets import load_digits

from knnviz.neighbors import NeighborTable
from knnviz.views import style

#: How many of the first scans have answers, which scan is new, and how many answers are shown.
LABELED, SCAN, K = 1200, 1572, 10

#: Students write down two digits, and any other whose average scan is at most this many times as far as the nearest.
MAX_RATIO = 1.2

#: Left end and width of the columns, and lower end and height of the rows, in inches.
LEFT, WIDTH, BOTTOM, HEIGHT = 4.05, 0.54, 0.1, 0.225

#: Inches of a bar for each answer, and the lower end of the bars.
BAR_STEP, BARS_BOTTOM = 0.078, 2.47

#: Color of digits other than the two with most votes.
OTHERS = "#DDDDDD"


def archive() -> tuple[np.ndarray, np.ndarray]:
    """All scans (1797, 64), and the digits (1797, 10) bool that a student writes down about each."""
    X, y = load_digits(return_X_y=True)
    averages = np.array([X[:LABELED][y[:LABELED] == digit].mean(axis=0) for digit in range(10)])
    far = np.linalg.norm(X[:, None] - averages, axis=2)
    first, second = np.sort(far, axis=1)[:, :2].T
    return X, far <= np.maximum(second, MAX_RATIO * first)[:, None]


def answers() -> tuple[np.ndarray, np.ndarray]:
    """The scans (K,) with answers that are most like the new one, the nearest first, and those answers (K, 10)."""
    X, bags = archive()
    nearest = NeighborTable.build(X[:LABELED], X[[SCAN]], k_max=K).indices[0]
    return nearest, bags[nearest]


def draw() -> tuple[Figure, str]:
    """The new scan, its neighbors with their answers in rows, and how many answers hold each digit."""
    (X, _), (nearest, bags) = archive(), answers()
    votes = bags.sum(axis=0)
    leaders = dict(zip(np.flatnonzero(votes == votes.max()).tolist(), style.CLASS_COLORS, strict=False))
    figure = Figure((9.6, 4.0))
    ax = figure.add_axes((0, 0, 1, 1))
    scan(ax, X[SCAN], 0.2, 0.4, 2.55)
    ax.text(0.2, 3.62, "Which digit is this?", fontsize=16)
    ax.text(3.35, 3.62, f"The {K} scans most like it, and what students wrote", fontsize=16)
    ax.text(3.35, BARS_BOTTOM + 0.1, "how\noften", fontsize=13, linespacing=1.1)
    for row, (index, bag) in enumerate(zip(nearest, bags, strict=True)):
        bottom = BOTTOM + (K - 1 - row) * HEIGHT
        scan(ax, X[index], 3.5, bottom, HEIGHT - 0.015)
        for digit in np.flatnonzero(bag).tolist():
            draw_digit(ax, digit, bottom, leaders.get(digit, OTHERS))
    for digit, count in enumerate(votes):
        left = LEFT + digit * WIDTH
        ax.add_patch(Rectangle((left, BARS_BOTTOM), WIDTH - 0.08, count * BAR_STEP, color=leaders.get(digit, OTHERS)))
        if count:
            text = f"{count} of {K}" if digit in leaders else str(count)
            ax.text(left + WIDTH / 2 - 0.04, BARS_BOTTOM + count * BAR_STEP + 0.05, text, fontsize=14, ha="center")
    ax.set(xlim=(0, 9.6), ylim=(0, 4.0), aspect="equal")
    ax.axis("off")
    counted = ", ".join(f"{digit} in {count}" for digit, count in enumerate(votes) if count)
    words = (
        f"A scan of a handwritten digit that is hard to read. Of {K} answers about the scans most like it: {counted}."
    )
    return figure, words


def scan(ax: Axes, pixels: np.ndarray, left: float, bottom: float, side: float) -> None:
    extent = (left, left + side, bottom, bottom + side)
    ax.imshow(pixels.reshape(8, 8), cmap="gray_r", extent=extent)
    ax.add_patch(Rectangle((left, bottom), side, side, fill=False, edgecolor=style.MUTED, linewidth=0.6))


def draw_digit(ax: Axes, digit: int, bottom: float, color: str) -> None:
    left, ink = LEFT + digit * WIDTH, style.INK if color == OTHERS else style.PAPER
    box = FancyBboxPatch(
        (left + 0.03, bottom + 0.02), WIDTH - 0.14, HEIGHT - 0.04, boxstyle="round,pad=0.01", color=color
    )
    ax.add_patch(box)
    center = left + WIDTH / 2 - 0.04, bottom + HEIGHT / 2 - 0.005
    ax.text(*center, str(digit), color=ink, fontsize=13, ha="center", va="center_baseline")
