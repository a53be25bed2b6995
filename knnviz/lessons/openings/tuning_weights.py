"""Lesson 05: macro F1 of all class weights on scans of three digits, a greedy search that is stuck,
and a grid.
"""

from functools import cache
from typing import NamedTuple

import numpy as np
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.patches import Polygon
from sklearn.datasets import load_digits

from knnviz import weights
from knnviz.lessons.openings import drawing
from knnviz.neighbors import NeighborTable
from knnviz.views import landscape, style, triangle
from knnviz.weights import WeightScorer

#: Where a cover begins, as a fraction of the width, and what it asks.
COVER = 0.0, "What is the macro F1 of a rule that always says 3?"

#: The digits, the first of them common; how many scans of each are taken; how many neighbors vote.
DIGITS = (3, 5, 9)
N_SCANS = (80, 8, 8)
K = 21

#: Where the greedy search starts, and how many moves it makes.
EQUAL_WEIGHTS = np.ones(3) / 3
STEPS = 20

#: Where the average scan of each digit stands beside its corner, in inches, and its side.
SCANS = ((1.4, 0.75), (7.5, 0.75), (6.1, 3.1))
SIDE = 0.68

#: Where two scores are written on their plateaus of the unit triangle, in these colors.
SCORE_POSITIONS = (((0.333, 0.194), style.PAPER), ((0.828, 0.081), style.INK))

#: Pixels of the landscape, across and up, and its colors from the lowest score to the highest.
PIXELS = (468, 402)
COLORS = LinearSegmentedColormap.from_list("scores", landscape.COLORS[::-1], N=28)
PATH_COLOR = "#6A3D9A"


class Scans(NamedTuple):
    """Scans (n, 64) and their classes (n,), and new ones with weights that give them the same class
    fractions.
    """

    X: np.ndarray
    y: np.ndarray
    X_new: np.ndarray
    y_new: np.ndarray
    new_weights: np.ndarray


class SearchResults(NamedTuple):
    """The score of any weights by leave-one-out, and on new scans; a greedy search, and the best
    weights of a grid.
    """

    searched: WeightScorer
    new: WeightScorer
    greedy: weights.SearchResult
    grid: weights.SearchResult


@cache
def scans(seed: int = 0) -> Scans:
    """``N_SCANS`` scans of each digit, drawn at random, and all others of these digits as new
    ones.
    """
    X, digits = load_digits(return_X_y=True)
    order = np.random.default_rng(seed).permutation(len(digits))
    chosen = []
    new = []
    for digit, m in zip(DIGITS, N_SCANS, strict=True):
        of_digit = order[digits[order] == digit]
        chosen += of_digit[:m].tolist()
        new += of_digit[m:].tolist()
    y = np.searchsorted(DIGITS, digits[chosen])
    y_new = np.searchsorted(DIGITS, digits[new])
    class_weights = np.array(N_SCANS) / np.bincount(y_new)
    new_weights = class_weights[y_new]
    return Scans(X[chosen], y, X[new], y_new, new_weights / new_weights.sum())


@cache
def search_results(seed: int = 0) -> SearchResults:
    drawn = scans(seed)
    codes, votes = weights.validation_set(drawn.X, drawn.y, 3, K, "loo")
    searched = WeightScorer.from_fractions(codes, votes.at(K) / K)
    nearest = NeighborTable.build(drawn.X, drawn.X_new, K).indices
    fractions = np.eye(3)[drawn.y[nearest]].mean(axis=1)
    new = WeightScorer.from_fractions(drawn.y_new, fractions, weights=drawn.new_weights)
    greedy = weights.greedy_search(searched, EQUAL_WEIGHTS, n_steps=STEPS)
    grid = weights.grid_search(searched, landscape.GRID)
    return SearchResults(searched, new, greedy, grid)


def draw() -> tuple[drawing.Page, str]:
    """The landscape on the triangle of weights, the greedy path, and the best of the grid."""
    searched, new, greedy, grid = search_results()
    page = drawing.Page((0.2, "Macro F1 of all class weights"))
    drawn = scans()
    for code, place in enumerate(SCANS):
        average = drawn.X[drawn.y == code].mean(axis=0)
        # Few gray levels, so that all of them remain gray in the few colors of the saved picture.
        page.scan(average // 2, *place, SIDE, f"all weight on {DIGITS[code]}")
    draw_landscape(page, searched)

    ax = page.axes[-1]
    path = triangle.positions(greedy.history)
    best = tuple(triangle.positions(grid.q))
    for color, width in ((style.PAPER, 7), (PATH_COLOR, 3.5)):
        ax.plot(*path.T, color=color, lw=width, solid_capstyle="round")
    marked = ((path[0], "o", style.INK), (path[-1], "^", PATH_COLOR), (best, "s", style.INK))
    for at, marker, color in marked:
        ax.plot(*at, marker, color=color, ms=11, mec=style.PAPER)

    stuck = f"Greedy search:\n{STEPS} moves from\nequal weights"
    winner = f"Best of the grid:\n{grid.score:.2f} here.\nOn new scans?"
    notes = ((stuck, tuple(path[6]), -0.68, PATH_COLOR), (winner, best, 1.05, style.INK))
    for text, at, left, color in notes:
        line = {"arrowstyle": "-", "color": color}
        ax.annotate(text, at, (left, 0.55), va="center", color=color, arrowprops=line)
    return page, (
        "Macro F1 over the triangle of class weights for scans of 3s, 5s and 9s: flat areas with "
        f"sharp borders. A greedy search takes {STEPS} moves from equal weights and stays at "
        f"{greedy.score:.2f}. The best weights of a grid lie far away; they score "
        f"{grid.score:.2f} on these scans, and {new(grid.q):.2f} on new ones."
    )


def draw_landscape(page: drawing.Page, score: WeightScorer) -> None:
    """Each point of the triangle colored by the score of its weights, two of which are written;
    yellow is best.
    """
    ax = page.part(2.85, 0.45, 3.9, 3.35)
    edge = Polygon(triangle.CORNERS, fill=False, linewidth=1.5, clip_on=False)
    edge.set_edgecolor(style.MUTED)
    ax.add_patch(edge)

    across, up = ((np.arange(n) + 0.5) / n for n in PIXELS)
    x, y = np.meshgrid(across, up)
    q = triangle.weights_at(x, y).clip(0)
    scores = np.reshape(score(q.reshape(3, -1).T), x.shape)
    box = (0, 1, 0, 1)
    image = ax.imshow(scores, COLORS, aspect="auto", extent=box, origin="lower")
    image.set_clip_path(edge)

    for at, color in SCORE_POSITIONS:
        value = score(triangle.weights_at(*at))
        ax.text(*at, f"{value:.2f}", fontsize=16, color=color, ha="center", va="center")
    ax.axis("off")
