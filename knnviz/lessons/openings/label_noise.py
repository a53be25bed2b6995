"""Lesson 02: the map of kNN on tumors, with true labels and with those of a rater who errs one
way.
"""

from functools import partial

from knnviz.active import vote
from knnviz.lessons.openings import drawing
from knnviz.noise import LabelNoise
from knnviz.problems import breast_cancer
from knnviz.views import style

#: Where a cover begins, as a fraction of the width, and what it asks.
COVER = 0.52, "How will the malignant region change?"

#: Neighbors that vote, and the rater, who calls three in ten malignant tumors (class 1) benign.
K = 25
RATER = LabelNoise(p0=0.0, p1=0.3)


def draw() -> drawing.Drawn:
    """Both maps, side by side, and below each how many malignant tumors it misses."""
    data = breast_cancer()
    sample = data.sample(data.max_size)
    malignant = data.X_test[data.y_test == 1]
    observed = RATER.flip(sample.y, sample.v)
    heads = (0.45, "True labels"), (5.2, "The tired rater's labels")
    page = drawing.Page(*heads)
    regions = []
    missed = []
    for (left, _), labels in zip(heads, (sample.y, observed), strict=True):
        rule = partial(vote, sample.X, labels, k=K)
        ax = page.plane(left, 0.75, 4.3, 2.83)
        regions.append(drawing.shade(ax, rule, style.region_palette(2)))
        drawing.dots(ax, sample.X, labels, 13)
        x, y = sample.X[labels != sample.y].T
        ax.scatter(x, y, 60, facecolors="none", linewidths=1.6, edgecolors=style.class_color(1))
        drawing.name_classes(ax, (-2.0, 3.05), (2.2, -1.5))
        missed.append((rule(malignant) == 0).sum())
        page.write(left, 0.1, f"kNN misses {missed[-1]} of {len(malignant)} malignant tumors")
    ax.contour(*regions[0], levels=[0.5], colors=style.INK, linewidths=1.6, linestyles="dashed")
    ax.text(0.95, -2.15, "old boundary", ha="right")
    arrow = {"arrowstyle": "-", "shrinkB": 6}
    ax.annotate("called benign", (2.53, 1.23), (4.1, 3.15), ha="right", arrowprops=arrow)
    return page, (
        f"Two maps of kNN with k = {K} on tumors by radius and texture. With true labels it "
        f"misses {missed[0]} of {len(malignant)} held-out malignant tumors. With the labels of a "
        "rater who calls three in ten malignant tumors benign, the malignant region shrinks, and "
        f"it misses {missed[1]}."
    )
