"""Lesson 03: scans of the digits 3 and 8, sorted by the fraction of 8s among the labels of their
neighbors.
"""

import numpy as np
from sklearn.datasets import load_digits

from knnviz.lessons.openings import drawing
from knnviz.neighbors import NeighborTable
from knnviz.noise import LabelNoise
from knnviz.views import style

#: Where a cover begins, as a fraction of the width, and what it asks.
COVER = 0.16, "Between which two fractions do the true labels run? And the raters'?"

#: The number of similar scans, and the label noise of raters who misread three in ten 8s and one in
#: ten 3s.
K = 100
RATERS = LabelNoise(p0=0.1, p1=0.3)


def scans() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The scans of 3s and 8s (n, 64), whether each is an 8 (n,), and the labels of the raters
    (n,).
    """
    X, digits = load_digits(return_X_y=True)
    chosen = (digits == 3) | (digits == 8)
    y = (digits[chosen] == 8).astype(int)
    v = np.random.default_rng(0).random(len(y))
    return X[chosen], y, RATERS.flip(y, v)


def draw() -> drawing.Drawn:
    """The sorted fractions with true labels and with those of the raters, and the two scans at the
    ends.
    """
    X, y, observed = scans()
    nearest = NeighborTable.build(X, None, k_max=K).indices
    true = y[nearest].mean(axis=1)
    noisy = observed[nearest].mean(axis=1)
    n = len(y)
    low = noisy.min()
    high = noisy.max()
    order = np.argsort(noisy, kind="stable")
    first, *_, last = order
    page = drawing.Page((0.2, f"What fraction of the {K} most similar scans is labeled 8?"))
    page.scan(X[first], 0.2, 1.1, 1.3, "first scan", y[first])
    page.scan(X[last], 8.06, 1.76, 1.3, "last scan", y[last])

    ax = page.part(1.97, 0.52, 5.8, 2.96, xticks=[], yticks=[0, 0.5, 1])
    ax.set(xlim=(-16, n + 14), ylim=(-0.03, 1.03), xlabel=f"{n} scans, sorted")
    ax.spines[["top", "right"]].set_visible(False)
    at = np.arange(n)
    ax.plot(at, np.sort(true), color=style.MUTED, linewidth=3)
    drawing.dots(ax, np.column_stack([at, noisy[order]]), y[order], 36)

    arrow = {"arrowstyle": "<->", "lw": 2, "shrinkA": 0, "shrinkB": 0}
    ax.annotate("", (-9, 0.0), (-9, low), arrowprops=arrow)
    ax.annotate("", (n + 8, 1.0), (n + 8, high), arrowprops=arrow)
    blue, orange, _ = drawing.WORD_COLORS
    ax.text(0, 0.2, f"3s, raters' labels:\nfrom {low:.2f}", fontsize=15, color=blue)
    ax.text(n, 0.4, f"8s, raters' labels:\nto {high:.2f}", fontsize=15, color=orange, ha="right")
    ends = "true labels:\nfrom 0 to 1"
    ax.text(n * 0.57, 0.86, ends, fontsize=15, color=style.MUTED, ha="right", va="center")
    return page, (
        f"{n} scans of the digits 3 and 8, sorted by the fraction of 8s among the labels of their "
        f"{K} most similar scans. With true labels the fraction runs from {true.min():.2f} to "
        f"{true.max():.2f}. With the raters' labels it runs from {low:.2f} to {high:.2f}."
    )
