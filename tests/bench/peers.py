"""The picture of NeighborLab drawn by matplotlib: the kernels are ours, controls and drawing are
not.

``redrawn`` is what courses do. ``blitted`` keeps one figure, and draws only what k moves and what
lies on it again.
"""

import zlib

import ipywidgets
import matplotlib.pyplot as plt
import numpy as np
from contourpy import contour_generator
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.image import PcolorImage

from knnviz import BallProfile, NeighborTable, Vote, VoteProfile, checkerboard, risk

#: Points, those that are drawn, most neighbors, cells along each side of the map, the point x. The
#: figure in inches is as large as a lab's on a page of 1400 x 900.
N = 8000
DRAWN = 600
K_MAX = 200
RESOLUTION = 200
X = np.array([[0.3, 0.6]])
SIZE = (8.82, 5.63)

COLORS = ("#0072B2", "#D55E00")
TINTS = np.array([(163, 203, 227), (240, 197, 163)], np.uint8)
LOOKS = [
    {"ls": "", "marker": m, "ms": 7, "color": color, "mec": "w"}
    for m, color in zip("os", COLORS, strict=True)
]
LEGEND = {"loc": "upper left", "ncols": 2, "frameon": False}
CIRCLE = np.linspace(0, 2 * np.pi, 121)
EDGES = np.linspace(0, 1, RESOLUTION + 1)


class Votes:
    """What a lab with these points has at hand before k moves."""

    def __init__(self):
        problem = checkerboard()
        self.sample = problem.sample(N, 0)
        self.measure, self.eta = problem.cells(RESOLUTION)

        self.near = NeighborTable.build(self.sample.X, X, K_MAX, distances=True)
        self.at_x = VoteProfile.build(self.near, self.sample.y, 2)
        cells = NeighborTable.build(self.sample.X, self.measure.points, K_MAX)
        self.at_cells = VoteProfile.build(cells, self.sample.y, 2)

        masses = np.unique(np.geomspace(1, K_MAX, 60).round()) / N
        self.balls = BallProfile.build(*problem.cells(60), X, masses=masses)
        self.bayes_risk = problem.bayes_risk()
        self.boundary = lines(self.eta[:, 1], 0.5)

    def at(self, k):
        """Labels of the cells, and the numbers of the lab that k moves."""
        labels = Vote().predict(self.at_cells, k)
        votes = self.at_x.at(k)[0].tolist()
        exact = risk.exact(self.eta, labels, weights=self.measure.weights)
        decision = Vote().predict(self.at_x, k)[0]
        return labels, {
            "risk": round(exact, 6),
            "votes at x": {"class 0": votes[0], "class 1": votes[1]},
            "decision at x": f"class {decision}",
        }


def lines(z, level):
    """Where values at the cells cross a level: x and y (2, n), a NaN after each line."""
    centers = (np.arange(RESOLUTION) + 0.5) / RESOLUTION
    z = z.reshape(RESOLUTION, RESOLUTION)
    parts = [np.empty((0, 2))]
    for line in contour_generator(centers, centers, z).lines(level):
        parts += [line, [[np.nan, np.nan]]]
    return np.concatenate(parts).T


class Picture:
    """Map, votes and risk; ``move`` sets what k moves, ``over`` is that and what lies on it, from
    bottom to top.
    """

    def __init__(self, figure, votes):
        self.votes = votes
        left = figure.add_axes((0.06, 0.27, 0.48, 0.674))
        right = figure.add_axes((0.63, 0.64, 0.35, 0.304))
        below = figure.add_axes((0.63, 0.17, 0.35, 0.25))
        self.over = [*self.draw_map(left), *self.draw_votes(right), *self.draw_risk(below)]

        left.legend(bbox_to_anchor=(0, -0.1), **LEGEND)
        for axes in (right, below):
            axes.legend(bbox_to_anchor=(0, -0.2), **LEGEND)

    def draw_map(self, axes):
        """Draw labels, points and the ball around x; all that is to be drawn again."""
        pixels = np.zeros((RESOLUTION, RESOLUTION, 3), np.uint8)
        self.regions = PcolorImage(axes, EDGES, EDGES, pixels)
        axes.add_artist(self.regions)
        (self.outline,) = axes.plot([], [], color="gray", lw=1)

        points = self.votes.sample.X[:DRAWN]
        y = self.votes.sample.y[:DRAWN]
        dots = []
        for c, look in enumerate(LOOKS):
            dots += axes.plot(*points[y == c].T, label=f"class {c}", **look)
        self.voters = [axes.plot([], [], **look)[0] for look in LOOKS]

        bayes = axes.plot(*self.votes.boundary, "k--", lw=2.5, label="Bayes boundary")
        (self.ball,) = axes.plot([], [], "k", lw=2, label="ball of k neighbors")
        cross = axes.plot(*X.T, "k+", ms=18, mew=3)
        name = axes.text(*X[0] + (0.02, -0.01), "x", size=17, weight="bold")
        axes.set(title="Map", xlabel="x1", ylabel="x2", xlim=(0, 1), ylim=(0, 1))

        below = [self.regions, self.outline, *dots, *self.voters]
        return [*below, *bayes, self.ball, *cross, name, *axes.spines.values()]

    def draw_votes(self, axes):
        """Draw fractions of votes at x, and what is expected of them."""
        balls = self.votes.balls
        ks = np.arange(1, K_MAX + 1)
        fractions = self.votes.at_x.counts[0] / ks[:, None]
        for c, color in enumerate(COLORS):
            label = None if c else "expected votes"
            expected = balls.frequency[:, 0, c]
            axes.plot(balls.masses * N, expected, "--", color=color, label=label)
            axes.plot(ks, fractions[:, c], color=color, lw=2.5, label=f"votes, class {c}")
        axes.plot([0, K_MAX + 1], [0.5, 0.5], ":", color="gray", label="threshold")

        axes.set(title="The ball around x", xlabel="neighbors k")
        axes.set(ylabel="fraction of votes", xlim=(0, K_MAX + 1))
        self.at_k = axes.axvline(0, color="k", lw=2)
        self.text = axes.text(0, 0.93, "", size=14, weight="bold")
        return [self.at_k, self.text]

    def draw_risk(self, axes):
        """Draw the risk beside its limits."""
        bayes = [self.votes.bayes_risk] * 2
        for dash, label in (("--", "Bayes risk"), (":", "limit of kNN")):
            axes.plot([0, 206], bayes, "k", ls=dash, lw=2, label=label)
        (self.here,) = axes.plot([], [], "D", ms=13, color="#CC79A7", label="this sample")
        self.risk = axes.text(5, 0.5, "", size=14, weight="bold")
        axes.set(title="Risk", xlabel="neighbors k", ylabel="risk")
        axes.set(xlim=(0, 206), ylim=(0.2, 0.55))
        return [self.here, self.risk]

    def move(self, k):
        """Set what is drawn to another k."""
        labels, at = self.votes.at(k)
        self.regions.set_data(EDGES, EDGES, TINTS[labels].reshape(RESOLUTION, RESOLUTION, 3))
        self.outline.set_data(lines(labels, 0.5))

        near = self.votes.near
        sample = self.votes.sample
        nearest = near.indices[0, :k]
        for c, voters in enumerate(self.voters):
            voters.set_data(sample.X[nearest[sample.y[nearest] == c]].T)
        radius = near.distances[0, k - 1]
        self.ball.set_data(X.T + radius * np.array([np.cos(CIRCLE), np.sin(CIRCLE)]))

        self.at_k.set_xdata([k, k])
        zeros, ones = at["votes at x"].values()
        side, align = (2, "left") if k <= K_MAX / 2 else (-2, "right")
        self.text.set(x=k + side, ha=align, text=f"{zeros} : {ones} → {at['decision at x']}")
        self.here.set_data([k], [at["risk"]])
        self.risk.set_text(f"risk {at['risk']:.4f}")


def redrawn():
    """``interact`` and a new figure for each k, shown as a page shows figures."""
    votes = Votes()

    def show(k):
        Picture(plt.figure(figsize=SIZE, dpi=100), votes).move(k)
        plt.show()

    ipywidgets.interact(show, k=ipywidgets.IntSlider(25, 1, K_MAX))


def blitted():
    """A slider, and the pixels of one figure: its background is stored, what moves is drawn over
    it.
    """
    canvas = FigureCanvasAgg(Figure(figsize=SIZE, dpi=100))
    picture = Picture(canvas.figure, Votes())
    for artist in picture.over:
        artist.set_animated(True)
    canvas.draw()
    background = canvas.copy_from_bbox(canvas.figure.bbox)
    slider = ipywidgets.IntSlider(25, 1, K_MAX, description="k")
    image = ipywidgets.Image(format="png")

    def show(change):
        picture.move(change["new"])
        canvas.restore_region(background)
        for artist in picture.over:
            artist.axes.draw_artist(artist)
        image.value = png(np.asarray(canvas.buffer_rgba()))

    slider.observe(show, "value")
    show({"new": slider.value})
    return ipywidgets.VBox([slider, image])


def png(pixels):
    """Pixels (height, width, 4) as a PNG without filters, in half the time that Pillow takes for
    its fastest one.
    """
    height, width, _ = pixels.shape
    rows = np.zeros((height, 1 + 3 * width), np.uint8)
    rows[:, 1:].reshape(height, width, 3)[:] = pixels[:, :, :3]
    header = width.to_bytes(4) + height.to_bytes(4) + bytes((8, 2, 0, 0, 0))
    body = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows, 1)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + body


def chunk(name, content):
    """A part of a PNG: its length, name and content, and their checksum."""
    checksum = zlib.crc32(name + content)
    return len(content).to_bytes(4) + name + content + checksum.to_bytes(4)
