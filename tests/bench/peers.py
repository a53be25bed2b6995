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

COLORS, TINTS = ("#0072B2", "#D55E00"), np.array([(163, 203, 227), (240, 197, 163)], np.uint8)
LOOKS = [
    {"ls": "", "marker": m, "ms": 7, "color": color, "mec": "w"}
    for m, color in zip("os", COLORS, strict=True)
]
CIRCLE = np.linspace(0, 2 * np.pi, 121)
EDGES = np.linspace(0, 1, RESOLUTION + 1)


class Votes:
    """What a lab with these points has at hand before k moves."""

    def __init__(self) -> None:
        problem = checkerboard()
        self.sample = problem.sample(N, 0)
        (self.measure, self.eta) = problem.cells(RESOLUTION)
        self.near = NeighborTable.build(self.sample.X, X, K_MAX, distances=True)
        cells = NeighborTable.build(self.sample.X, self.measure.points, K_MAX)
        self.at_x, self.at_cells = (
            VoteProfile.count(table, self.sample.y, 2) for table in (self.near, cells)
        )
        self.balls = BallProfile.integrate(
            *problem.cells(60), X, np.unique(np.geomspace(1, K_MAX, 60).round()) / N
        )
        self.bayes_risk, self.boundary = problem.bayes_risk(), lines(self.eta[:, 1], 0.5)

    def at(self, k: int) -> tuple[np.ndarray, dict]:
        """Labels of the cells, and the numbers of the lab that k moves."""
        labels = Vote().predict(self.at_cells, k)
        votes = self.at_x.at(k)[0].tolist()
        exact = risk.exact(labels, self.eta, self.measure.weights)
        decision = Vote().predict(self.at_x, k)[0]
        return labels, {
            "risk": round(exact, 6),
            "votes at x": {"class 0": votes[0], "class 1": votes[1]},
            "decision at x": f"class {decision}",
        }


def lines(z: np.ndarray, level: float) -> np.ndarray:
    """Where values at the cells cross a level: x and y (2, n), a NaN after each line."""
    centers = (np.arange(RESOLUTION) + 0.5) / RESOLUTION
    z = z.reshape(RESOLUTION, RESOLUTION)
    found = contour_generator(centers, centers, z).lines(level)
    return np.concatenate(
        [np.empty((0, 2)), *(np.append(line, [[np.nan] * 2], axis=0) for line in found)]
    ).T


class Picture:
    """Map, votes and risk; ``move`` sets what k moves, ``over`` is that and what lies on it, from
    bottom to top.
    """

    def __init__(self, figure: Figure, votes: Votes) -> None:
        self.votes = votes
        points = votes.sample.X[:DRAWN]
        y = votes.sample.y[:DRAWN]
        places = (0.06, 0.27, 0.48, 0.674), (0.63, 0.64, 0.35, 0.304), (0.63, 0.17, 0.35, 0.25)
        left, right, below = (figure.add_axes(place) for place in places)
        self.regions = PcolorImage(
            left, EDGES, EDGES, np.zeros((RESOLUTION, RESOLUTION, 3), np.uint8)
        )
        left.add_artist(self.regions)
        (self.outline,) = left.plot([], [], color="gray", lw=1)
        dots = [
            left.plot(*points[y == c].T, label=f"class {c}", **look)[0]
            for c, look in enumerate(LOOKS)
        ]
        self.voters = [left.plot([], [], **look)[0] for look in LOOKS]
        bayes = left.plot(*votes.boundary, "k--", lw=2.5, label="Bayes boundary")
        (self.ball,) = left.plot([], [], "k", lw=2, label="ball of k neighbors")
        cross = left.plot(*X.T, "k+", ms=18, mew=3)
        cross += [left.text(*X[0] + (0.02, -0.01), "x", size=17, weight="bold")]
        left.set(title="Map", xlabel="x1", ylabel="x2", xlim=(0, 1), ylim=(0, 1))
        ks = np.arange(1, K_MAX + 1)
        for c, color in enumerate(COLORS):
            label = None if c else "expected votes"
            right.plot(
                votes.balls.masses * N,
                votes.balls.frequency[:, c, 0],
                "--",
                color=color,
                label=label,
            )
            right.plot(
                ks, votes.at_x.counts[0, :, c] / ks, color=color, lw=2.5, label=f"votes, class {c}"
            )
        right.plot([0, K_MAX + 1], [0.5, 0.5], ":", color="gray", label="threshold")
        right.set(
            title="Votes around x",
            xlabel="neighbors k",
            ylabel="fraction of votes",
            xlim=(0, K_MAX + 1),
        )
        self.at_k = right.axvline(0, color="k", lw=2)
        self.text = right.text(0, 0.93, "", size=14, weight="bold")
        for dash, label in (("--", "Bayes risk"), (":", "limit of the vote")):
            below.plot([0, 206], [votes.bayes_risk] * 2, "k", ls=dash, lw=2, label=label)
        (self.here,) = below.plot([], [], "D", ms=13, color="#CC79A7", label="this sample")
        self.risk = below.text(5, 0.5, "", size=14, weight="bold")
        below.set(
            title="Risk", xlabel="neighbors k", ylabel="risk", xlim=(0, 206), ylim=(0.2, 0.55)
        )
        for axes in (left, right, below):
            axes.legend(
                loc="upper left",
                bbox_to_anchor=(0, -0.1 if axes is left else -0.2),
                ncols=2,
                frameon=False,
            )
        self.over = [
            self.regions,
            self.outline,
            *dots,
            *self.voters,
            *bayes,
            self.ball,
            *cross,
            *left.spines.values(),
        ]
        self.over += [self.at_k, self.text, self.here, self.risk]

    def move(self, k: int) -> None:
        """Set what is drawn to another k."""
        (labels, at) = self.votes.at(k)
        near = self.votes.near
        sample = self.votes.sample
        self.regions.set_data(EDGES, EDGES, TINTS[labels].reshape(RESOLUTION, RESOLUTION, 3))
        self.outline.set_data(lines(labels, 0.5))
        nearest = near.indices[0, :k]
        for c, voters in enumerate(self.voters):
            voters.set_data(sample.X[nearest[sample.y[nearest] == c]].T)
        self.ball.set_data(
            X.T + near.distances[0, k - 1] * np.array([np.cos(CIRCLE), np.sin(CIRCLE)])
        )
        self.at_k.set_xdata([k, k])
        (zeros, ones) = at["votes at x"].values()
        decision = at["decision at x"]
        side, align = (2, "left") if k <= K_MAX / 2 else (-2, "right")
        self.text.set(x=k + side, ha=align, text=f"{zeros} : {ones} → {decision}")
        self.here.set_data([k], [at["risk"]])
        self.risk.set_text(f"risk {at['risk']:.4f}")


def redrawn() -> None:
    """``interact`` and a new figure for each k, shown as a page shows figures."""
    votes = Votes()

    def show(k: int) -> None:
        Picture(plt.figure(figsize=SIZE, dpi=100), votes).move(k)
        plt.show()

    ipywidgets.interact(show, k=ipywidgets.IntSlider(25, 1, K_MAX))


def blitted() -> ipywidgets.Widget:
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

    def show(change: dict) -> None:
        picture.move(change["new"])
        canvas.restore_region(background)
        for artist in picture.over:
            artist.axes.draw_artist(artist)
        image.value = png(np.asarray(canvas.buffer_rgba()))

    slider.observe(show, "value")
    show({"new": slider.value})
    return ipywidgets.VBox([slider, image])


def png(pixels: np.ndarray) -> bytes:
    """Pixels (height, width, 4) as a PNG without filters, in half the time that Pillow takes for
    its fastest one.
    """
    height, width, _ = pixels.shape
    rows = np.zeros((height, 1 + 3 * width), np.uint8)
    rows[:, 1:].reshape(height, width, 3)[:] = pixels[:, :, :3]
    header = width.to_bytes(4) + height.to_bytes(4) + bytes((8, 2, 0, 0, 0))
    chunks = (b"IHDR", header), (b"IDAT", zlib.compress(rows, 1)), (b"IEND", b"")
    packed = (
        len(data).to_bytes(4) + name + data + zlib.crc32(name + data).to_bytes(4)
        for name, data in chunks
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(packed)
