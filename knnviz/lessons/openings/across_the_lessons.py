"""The end of lesson 08: four things that labels can be, each with the same eta on a line."""

from knnviz.active import Scheme, two_stage_sample
from knnviz.bags import BagProcess
from knnviz.bounds.khim import weight_threshold
from knnviz.learnability import frequency, process_of
from knnviz.lessons.openings import drawing
from knnviz.noise import LabelNoise, theta
from knnviz.problems import logistic
from knnviz.views.style import INK, MUTED, class_color, region_palette

#: Flip rates, class weights, how often labels join, and labels of a first and a second round.
RATES = 0.05, 0.35
WEIGHTS = 1.0, 3.0
INCLUSION = [[1, 0.6], [0.1, 1]]
BOUGHT = 1000, 50

#: By its head what a picture says, and where it begins.
PARTS = {
    "Flipped": "η shrinks, and the\nthreshold follows it",
    "Weighed": "the threshold moves\non purpose",
    "Bought": "labels are bought\nwhere votes are close",
    "Bagged": "1 joins bags of 0 more\noften than 0 those of 1",
}
LEFTS = 0.15, 2.55, 4.95, 7.35


def draw() -> tuple[drawing.Page, str]:
    """eta in gray and what becomes of it, thresholds dashed, and what is predicted as a strip."""
    problem = logistic()
    measure, eta = problem.cells(400)
    x = measure.points
    noisy = LabelNoise(*RATES).corrupt(eta)[:, 1]
    held = frequency(process_of(BagProcess(INCLUSION)), eta)
    sample = two_stage_sample(problem, *BOUGHT, Scheme(k_hard=150, passive_fraction=0))
    thresholds = float(theta(*RATES)), weight_threshold(WEIGHTS), 0.5

    page = drawing.Page(*zip(LEFTS, PARTS, strict=True))
    leads = [line - t for line, t in zip((noisy, eta[:, 1], eta[:, 1]), thresholds, strict=True)]
    leads.append(held[:, 1] - held[:, 0])
    axes = []
    boundaries = []
    for left, words, lead in zip(LEFTS, PARTS.values(), leads, strict=True):
        ax = page.part(left, 1.0, 2.1, 2.55, xticks=[], yticks=[])
        ax.set(xlim=(0, 1), ylim=(-0.12, 1.12))
        ax.plot(x, eta[:, 1], color=MUTED, linewidth=5, alpha=0.4)
        ax.axvline(0.5, color=MUTED, linewidth=1, linestyle=":")
        boundary = x[lead >= 0].min()
        ax.barh(-0.07, (1, boundary), 0.1, color=region_palette(2)[::-1])
        page.write(left, 0.85, words, 14, va="top", linespacing=1.3)
        axes.append(ax)
        boundaries.append(f"{boundary:.2f}")
    for ax, t in zip(axes, thresholds, strict=False):
        ax.axhline(t, color=INK, linewidth=1.3, linestyle="--")
        ax.text(0.98, t - 0.02, f"{t:.2f}", ha="right", va="top")
    flipped, _, bought, bagged = axes
    flipped.text(0.66, 0.92, "η", color=MUTED, ha="right")
    flipped.plot(x, noisy, color=class_color(1), linewidth=2.5)
    flipped.text(0.98, 0.72, "noisy η", color=class_color(1), ha="right")
    bought.vlines(sample.X[BOUGHT[0] :], 0, 0.09, color=INK, linewidth=0.8)
    for label, (at, height) in enumerate(((0.5, 0.0), (0.02, 0.48))):
        bagged.plot(x, held[:, label], color=class_color(label), linewidth=2.5)
        bagged.text(at, height, f"bags with {label}", color=class_color(label), size=12)
    kept, weighed, _, counted = boundaries
    return page, (
        "A curve eta over a line, four times, with the boundary between predicted classes. "
        f"Flipped: noise presses eta together; the threshold {thresholds[0]:.2f} keeps the "
        f"boundary at {kept}. Weighed: the threshold {thresholds[1]:.2f} moves it to {weighed}. "
        "Bought: labels lie around it. Bagged: label 1 joins more bags of 0 than 0 bags of 1, and "
        f"counting moves it to {counted}."
    )
