"""The end of lesson 08: four things that labels can be, each with the same eta on a line."""

from knnviz.active import Scheme, two_stage_sample
from knnviz.bags import BagProcess
from knnviz.bounds.khim import weight_threshold
from knnviz.learnability import frequency, process_of
from knnviz.lessons.openings import drawing
from knnviz.lessons.openings.active_learning import CLOSE_COLOR
from knnviz.noise import LabelNoise, theta
from knnviz.problems import logistic
from knnviz.views.style import INK, MUTED, region_palette

#: Where a cover begins, as a fraction of the width, and what it asks.
COVER = 0.26, "Flipped labels: the boundary stays. Where does it go in the other three?"

#: The color of class 1.
ORANGE = drawing.WORD_COLORS[1]

#: Flip rates, class weights, how often labels join, and labels of a first and a second round.
RATES = 0.05, 0.35
WEIGHTS = 1.0, 3.0
INCLUSION = [[1, 0.6], [0.1, 1]]
BOUGHT = 1000, 50

#: Where a picture begins, its head, and what it says.
PARTS = (
    (0.4, "Flipped (02, 03)", "noise flattens η;\nthe threshold follows"),
    (2.75, "Weighed (04, 05)", "weights move the\nboundary on purpose"),
    (5.1, "Bought (06)", "labels are bought\nwhere votes are close"),
    (7.45, "Bagged (07, 08)", "label 1 joins more:\nthe boundary moves"),
)


def draw() -> drawing.Drawn:
    """eta in gray; class 1 is predicted where an orange line is above a dashed one, as a strip
    tells.
    """
    problem = logistic()
    measure, eta = problem.cells(400)
    x = measure.points
    held = frequency(process_of(BagProcess(INCLUSION)), eta)
    noisy = LabelNoise(*RATES).corrupt(eta)
    sample = two_stage_sample(problem, *BOUGHT, Scheme(k_hard=150, passive_fraction=0))
    lines = (noisy[:, 1], eta[:, 1], eta[:, 1], held[:, 1])
    thresholds = (float(theta(*RATES)), weight_threshold(WEIGHTS), 0.5, held[:, 0])

    page = drawing.Page(*[part[:2] for part in PARTS])
    axes = []
    told = []
    for (left, head, words), line, threshold in zip(PARTS, lines, thresholds, strict=True):
        ax = page.part(left, 1.15, 1.95, 2.4, xticks=[], yticks=[])
        ax.set(xlim=(0, 1), ylim=(-0.12, 1.12), xlabel="x")
        ax.plot(x, eta[:, 1], color=MUTED, linewidth=6, alpha=0.4)
        ax.axvline(0.5, color=MUTED, linewidth=1, linestyle=":")
        ax.plot(x, line, color=ORANGE, linewidth=2.5)
        ax.plot(x, threshold + 0 * line, color=INK, linewidth=1.3, linestyle="--")
        boundary = x[line >= threshold].min()
        ax.barh(-0.07, (1, boundary), 0.1, color=region_palette(2)[::-1])
        for y, line_of_words in zip((0.58, 0.28), words.split("\n"), strict=True):
            page.write(left, y, line_of_words, 13)
        axes.append(ax)
        told.append(f"{head}: {' '.join(words.split())}; the boundary is at {boundary:.2f}.")
    flipped, weighed, bought, bagged = axes
    flipped.set(ylabel="fraction of class 1")
    bagged.set(ylabel="fraction of bags")
    flipped.text(0.66, 0.92, "η", color=MUTED, ha="right")
    flipped.text(0.98, 0.7, "noisy η", color=ORANGE, size=12, ha="right")
    for ax, threshold in zip(axes, thresholds[:3], strict=False):
        words = f"threshold\n{threshold:.2f}"
        ax.text(0.98, threshold - 0.02, words, size=12, ha="right", va="top")
        if ax is not bought:
            arrow = {"arrowstyle": "->"}
            ax.annotate("1/2", (0.1, threshold), (0.05, 0.5), size=12, arrowprops=arrow)
    places = sample.X[BOUGHT[0] :]
    bought.axvspan(places.min(), places.max(), color=CLOSE_COLOR, zorder=0)
    bought.vlines(places, 0, 0.09, color=INK, linewidth=0.8)
    bought.text(0.98, 0.12, "bought", size=12, ha="right")
    for ax in (weighed, bought):
        ax.text(0.66, 0.92, "η", color=ORANGE, ha="right")
    bagged.text(0.03, 0.47, "with 1", color=ORANGE, size=12)
    bagged.text(0.97, 0.27, "with 0", size=12, ha="right")
    return page, f"The same curve eta, 1/2 in the middle, four times. {' '.join(told)}"
