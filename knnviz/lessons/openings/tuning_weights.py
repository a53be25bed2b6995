"""Lesson 05: macro F1 of all class weights on scans of three digits, a greedy search that is stuck, and a grid."""

from functools import cache
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure
from matplotlib.patches import Polygon, Rectangle
from sklearn.datasets import load_digits

from knnviz import weights
from knnviz.neighbors import NeighborTable
from knnviz.profiles import VoteProfile
from knnviz.views import landscape, style
from knnviz.weights import WeightScorer

#: The digits, the first of them common; how many scans of each are taken; how many neighbors vote.
DIGITS, N_SCANS, K = (3, 5, 9), (80, 8, 8), 21

#: Where the greedy search starts, and how many steps it takes.
EQUAL_WEIGHTS, STEPS = np.ones(3) / 3, 20

#: Corners of the triangle, where a scan of each digit is drawn beside its corner, and its side, in inches.
CORNERS = np.array([[2.85, 0.45], [6.75, 0.45], [4.8, 3.8]])
SCAN_POSITIONS = ((2.0, 0.32), (6.9, 0.32), (5.2, 3.18))
SIDE = 0.68

#: Where two scores are written on their plateaus, in inches.
SCORE_POSITIONS = (4.15, 1.1), (6.08, 0.72)

#: Cells of the landscape to an inch, and its colors from the lowest score to the highest.
CELLS_PER_INCH = 120
COLORS = LinearSegmentedColormap.from_list("scores", landscape.COLORS[::-1], N=28)
PATH_COLOR = "#6A3D9A"


class Scans(NamedTuple):
    """Scans (n, 64) and their classes (n,), and new ones with weights that give them the same class fractions."""

    X: np.ndarray
    y: np.ndarray
    X_new: np.ndarray
    y_new: np.ndarray
    new_weights: np.ndarray


class SearchResults(NamedTuple):
    """The score of any weights by leave-one-out, and on new scans; a greedy search, and the best weights of a grid."""

    searched: WeightScorer
    new: WeightScorer
    greedy: weights.SearchResult
    grid: weights.SearchResult


@cache
def digits() -> tuple[np.ndarray, np.ndarray]:
    """All scans (n, 64) of scikit-learn and their digits (n,)."""
    X, y = load_digits(return_X_y=True)
    return X, y


@cache
def scans(seed: int = 0) -> Scans:
    """``N_SCANS`` scans of each digit, drawn at random, and all others of these digits as new ones."""
    X, y = digits()
    order = np.random.default_rng(seed).permutation(len(y))
    of_digit = [order[y[order] == digit] for digit in DIGITS]
    chosen = np.concatenate([each[:m] for each, m in zip(of_digit, N_SCANS, strict=True)])
    new = np.concatenate([each[m:] for each, m in zip(of_digit, N_SCANS, strict=True)])
    y, y_new = np.searchsorted(DIGITS, y[chosen]), np.searchsorted(DIGITS, y[new])
    new_weights = (np.array(N_SCANS) / np.bincount(y_new))[y_new]
    return Scans(X[chosen], y, X[new], y_new, new_weights / new_weights.sum())


@cache
def search_results(seed: int = 0) -> SearchResults:
    drawn = scans(seed)
    codes, votes = weights.validation_set(drawn.X, drawn.y, 3, K, "loo")
    searched = WeightScorer.from_fractions(votes.at(K) / K, codes)
    fractions = VoteProfile.count(NeighborTable.build(drawn.X, drawn.X_new, K), drawn.y, 3).at(K) / K
    new = WeightScorer.from_fractions(fractions, drawn.y_new, weights=drawn.new_weights)
    greedy = weights.greedy_search(searched, EQUAL_WEIGHTS, n_steps=STEPS)
    return SearchResults(searched, new, greedy, weights.grid_search(searched, landscape.GRID))


def draw() -> tuple[Figure, str]:
    """The landscape on the triangle of weights, the greedy path, and the best of the grid."""
    results = search_results()
    flat, best, new = results.searched(EQUAL_WEIGHTS), results.grid.score, results.new(results.grid.q)
    figure = Figure((9.6, 4.0))
    ax = figure.add_axes((0, 0, 1, 1))
    draw_landscape(ax, results.searched)
    for code, (left, bottom) in enumerate(SCAN_POSITIONS):
        box = (left, left + SIDE, bottom, bottom + SIDE)
        ax.imshow(typical(code), cmap="gray_r", extent=box, zorder=3)
        ax.add_patch(Rectangle((left, bottom), SIDE, SIDE, fill=False, edgecolor=style.MUTED, linewidth=0.8, zorder=3))
    for digit, (left, height) in zip(DIGITS, ((0.45, 0.66), (7.7, 0.66), (6.03, 3.52)), strict=True):
        ax.text(left, height, f"all weight on {digit}", fontsize=14, va="center")
    for position, color in zip(SCORE_POSITIONS, (style.PAPER, style.INK), strict=True):
        score = results.searched(weights_at(np.array(position)))
        ax.text(*position, f"{score:.2f}", fontsize=16, ha="center", va="center", color=color)
    ax.text(0.2, 3.62, "Macro F1 of all class weights", fontsize=16)
    x, y = (results.greedy.history @ CORNERS).T
    ax.plot(x, y, color=style.PAPER, lw=7, solid_capstyle="round")
    ax.plot(x, y, color=PATH_COLOR, lw=3.5)
    ax.plot(x[0], y[0], "o", color=style.INK, ms=10)
    ax.plot(x[-1], y[-1], "^", color=PATH_COLOR, ms=12, mec=style.PAPER)
    best_position = results.grid.q @ CORNERS
    ax.plot(*best_position, "s", color=style.INK, ms=10, mec=style.PAPER)
    arrow = {"arrowstyle": "-", "color": style.INK, "lw": 1.3, "shrinkB": 7}
    stuck = f"Greedy search:\n{STEPS} steps from\nequal weights,\nalways {results.greedy.score:.2f}"
    path_arrow = arrow | {"color": PATH_COLOR}
    ax.annotate(stuck, (x[6], y[6]), (0.2, 2.3), fontsize=15, va="center", color=PATH_COLOR, arrowprops=path_arrow)
    winner = f"Best of the grid:\n{best:.2f} here,\n{new:.2f} on new scans"
    ax.annotate(winner, best_position, (6.95, 2.3), fontsize=15, va="center", arrowprops=arrow)
    ax.set(xlim=(0, 9.6), ylim=(0, 4.0), aspect="equal")
    ax.axis("off")
    listed = ", ".join(map(str, DIGITS))
    words = (
        f"Macro F1 over the triangle of class weights for scans of {listed}: flat areas with sharp borders. A greedy "
        f"search takes {STEPS} steps from equal weights and stays at {flat:.2f}. The best weights of a grid lie far "
        f"away; they score {best:.2f} on these scans, and {new:.2f} on new ones."
    )
    return figure, words


def draw_landscape(ax: Axes, score: WeightScorer) -> None:
    """Each point of the triangle colored by the score of its weights; yellow is best."""
    (left, bottom), (right, top) = CORNERS.min(axis=0), CORNERS.max(axis=0)
    across, up = (
        np.arange(low + 0.5 / CELLS_PER_INCH, high, 1 / CELLS_PER_INCH) for low, high in ((left, right), (bottom, top))
    )
    q = weights_at(np.stack(np.meshgrid(across, up), axis=-1))
    inside = (q >= 0).all(axis=-1)
    scores = np.full(inside.shape, np.nan)
    scores[inside] = score(q[inside])
    extent = (left, right, bottom, top)
    ax.imshow(scores, cmap=COLORS, extent=extent, origin="lower", interpolation="nearest")
    ax.add_patch(Polygon(CORNERS, fill=False, edgecolor=style.MUTED, linewidth=1.5, joinstyle="round"))


def weights_at(positions: np.ndarray) -> np.ndarray:
    """The weights (..., 3) at positions in inches (..., 2)."""
    ones = np.ones((*positions.shape[:-1], 1))
    return np.concatenate([positions, ones], axis=-1) @ np.linalg.inv(np.column_stack([CORNERS, np.ones(3)]))


def typical(code: int) -> np.ndarray:
    """The scan in the sample that is nearest to the mean of the class."""
    drawn = scans()
    of_class = drawn.X[drawn.y == code]
    return of_class[((of_class - of_class.mean(axis=0)) ** 2).sum(axis=1).argmin()].reshape(8, 8)
