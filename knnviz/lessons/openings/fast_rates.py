"""Lesson 03: scans of the digits 3 and 8, sorted by the fraction of 8s among the labels of their neighbors."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from sklearn.datasets import load_digits

from knnviz.lessons.openings import draw_scan
from knnviz.neighbors import NeighborTable
from knnviz.noise import LabelNoise
from knnviz.views import style

#: The number of similar scans, and the label noise of raters who misread three in ten 8s and one in ten 3s.
K, RATERS = 100, LabelNoise(p0=0.1, p1=0.3)

#: Colors of letters about a 3 and about an 8.
LETTER_COLORS = (style.class_color(0), "#B34700")


def scans() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The scans of 3s and 8s (n, 64), whether each is an 8 (n,), and the labels of the raters (n,)."""
    X, digits = load_digits(return_X_y=True)
    chosen = (digits == 3) | (digits == 8)
    y = (digits[chosen] == 8).astype(int)
    return X[chosen], y, RATERS.flip(y, np.random.default_rng(0).random(len(y)))


def fractions(labels: np.ndarray, k: int = K) -> np.ndarray:
    """The fraction of 8s (n,) among the labels of each scan and of those most like it."""
    X, _, _ = scans()
    return labels[NeighborTable.build(X, None, k_max=k).indices].mean(axis=1)


def draw() -> tuple[Figure, str]:
    """The sorted fractions with true labels and with those of the raters, and the two scans at the ends."""
    X, y, observed = scans()
    true, noisy = fractions(y), fractions(observed)
    order = np.argsort(noisy, kind="stable")
    low, high = float(noisy.min()), float(noisy.max())
    figure = Figure((9.6, 4.0))
    figure.text(0.02, 0.92, f"What fraction of the {K} most similar scans is labeled 8?", fontsize=17)
    ax = figure.add_axes((0.205, 0.13, 0.6, 0.73))
    draw_curves(ax, np.sort(true), noisy[order], y[order])
    ends = (order[0], 0.02, 0.27, f"lowest: {low:.2f}"), (order[-1], 0.84, 0.44, f"highest: {high:.2f}")
    for index, left, bottom, text in ends:
        scan = draw_scan(figure, (left, bottom, 0.135, 0.324), X[index])
        scan.set_xlabel(text, fontsize=15, color=LETTER_COLORS[y[index]])
    words = (
        f"{len(y)} scans of the digits 3 and 8, sorted by the fraction of 8s among the labels of their {K} most "
        f"similar scans. With true labels the fraction runs from {true.min():.2f} to {true.max():.2f}. With the "
        f"raters' labels it runs from {low:.2f} to {high:.2f}."
    )
    return figure, words


def draw_curves(ax: Axes, true: np.ndarray, noisy: np.ndarray, y: np.ndarray) -> None:
    """Sorted fractions (n,), those with the raters' labels by the true class, and how far these stay from 0 and 1."""
    at, n = np.arange(len(y)), len(y)
    ax.plot(at, true, color=style.MUTED, linewidth=3)
    for code, marker in ((0, "o"), (1, "s")):
        ax.plot(at[y == code], noisy[y == code], marker, color=style.class_color(code), markersize=6, markeredgewidth=0)
    for level, end, x in ((noisy[0], 0.0, -9), (noisy[-1], 1.0, n + 8)):
        ax.annotate("", (x, end), (x, level), arrowprops={"arrowstyle": "<->", "lw": 2, "shrinkA": 0, "shrinkB": 0})
    ax.text(0, 0.2, "3s, raters' labels", fontsize=15, color=LETTER_COLORS[0])
    ax.text(n, 0.5, "8s, raters' labels", fontsize=15, color=LETTER_COLORS[1], ha="right")
    ax.text(n * 0.57, 0.86, "true labels:\nfrom 0 to 1", fontsize=15, color=style.MUTED, ha="right", va="center")
    ax.set(xlim=(-16, n + 14), ylim=(-0.03, 1.03), xticks=[], yticks=[0, 0.5, 1])
    ax.set_xlabel(f"{n} scans, sorted", fontsize=15, labelpad=6)
    ax.spines[["top", "right"]].set_visible(False)
    ax.tick_params(labelsize=14)
