"""Lesson 05: macro F1 of all class weights on scans of three digits, a greedy search that is stuck,
and a grid.
"""

from functools import cache
from typing import NamedTuple

import numpy as np
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.patches import Polygon

from knnviz import weights
from knnviz.lessons.openings import drawing
from knnviz.neighbors import NeighborTable
from knnviz.problems import rare_digits
from knnviz.views import landscape, style, triangle
from knnviz.weights import WeightScorer

#: Where a cover begins, as a fraction of the width, and what it asks.
COVER = 0.0, "What is the macro F1 of a rule that always says 3?"

#: How many neighbors vote.
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
COLORS = LinearSegmentedColormap.from_list("scores", landscape.COLORS, N=landscape.N_COLORS)
PATH_COLOR = "#6A3D9A"


class SearchResults(NamedTuple):
    """The score of any weights by leave-one-out, and on new scans; a greedy search, and the best
    weights of a grid.
    """

    searched: WeightScorer
    new: WeightScorer
    greedy: weights.SearchResult
    grid: weights.SearchResult


@cache
def search_results(seed: int = 0) -> SearchResults:
    drawn = rare_digits(seed)
    codes, votes = weights.validation_set(drawn.X_train, drawn.y_train, 3, K, "loo")
    searched = WeightScorer.from_fractions(codes, votes.at(K) / K)
    nearest = NeighborTable.build(drawn.X_train, drawn.X_test, K).indices
    fractions = np.eye(3)[drawn.y_train[nearest]].mean(axis=1)
    new = WeightScorer.from_fractions(drawn.y_test, fractions, weights=drawn.test_weights)
    greedy = weights.greedy_search(searched, EQUAL_WEIGHTS, n_steps=STEPS)
    grid = weights.grid_search(searched, landscape.GRID)
    return SearchResults(searched, new, greedy, grid)


def draw() -> drawing.Drawn:
    """The landscape on the triangle of weights, the greedy path, and the best of the grid."""
    searched, new, greedy, grid = search_results()
    page = drawing.Page((0.2, "Macro F1 of all class weights"))
    drawn = rare_digits()
    for code, place in enumerate(SCANS):
        average = drawn.X_train[drawn.y_train == code].mean(axis=0)
        # Few gray levels, so that all of them remain gray in the few colors of the saved picture.
        page.scan(average // 2, *place, SIDE, f"all weight on {drawn.class_names[code]}")
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
    winner = f"Best of the grid:\n{grid.score:.2f} here.\nOn new points?"
    notes = ((stuck, tuple(path[6]), -0.68, PATH_COLOR), (winner, best, 1.05, style.INK))
    for text, at, left, color in notes:
        line = {"arrowstyle": "-", "color": color}
        ax.annotate(text, at, (left, 0.55), va="center", color=color, arrowprops=line)
    return page, (
        "Macro F1 over the triangle of class weights for scans of 3s, 5s and 9s: flat areas with "
        f"sharp borders. A greedy search takes {STEPS} moves from equal weights and stays at "
        f"{greedy.score:.2f}. The best weights of a grid lie far away; they score "
        f"{grid.score:.2f} on these scans, and {new(grid.q):.2f} on new points."
    )


def draw_landscape(page: drawing.Page, score: WeightScorer) -> None:
    """Each point of the triangle colored by the score of its weights, two of which are written;
    yellow is best.
    """
    ax = page.part(2.85, 0.45, 3.9, 3.35)
    corners = triangle.CORNERS
    edge = Polygon(corners, fill=False, linewidth=1.5, edgecolor=style.MUTED, clip_on=False)
    ax.add_patch(edge)

    across, up = ((np.arange(n) + 0.5) / n for n in PIXELS)
    x, y = np.meshgrid(across, up)
    q = triangle.weights_at(x, y).clip(0)
    scores = np.reshape(score(q.reshape(3, -1).T), x.shape)
    box = (0, 1, 0, 1)
    image = ax.imshow(scores, COLORS, aspect="auto", extent=box, origin="lower")
    image.set_clim(landscape.SCALE)
    image.set_clip_path(edge)

    for at, color in SCORE_POSITIONS:
        value = score(triangle.weights_at(*at))
        ax.text(*at, f"{value:.2f}", fontsize=16, color=color, ha="center", va="center")
    ax.axis("off")
