"""The moving picture of the README, a slider at work, from a lab's frames: ``make animation``."""

from io import BytesIO

from make import NOTEBOOKS
from PIL import Image

from knnviz.labs import NeighborLab
from knnviz.views import static

TARGET = NOTEBOOKS / "images" / "neighbor-lab.gif"

#: Positions of the slider, and how long each stands, in milliseconds.
STEPS = (1, 3, 5, 7, 9, 13, 17, 25, 35, 49, 65, 85, 109, 137, 167, 200)
PAUSE = 450
REST = 1600


def frames():
    """The lab at each position of its slider, which is drawn below the risk."""
    lab = NeighborLab(problem="checkerboard", n=500, curve="over k", panels=["map", "risk"])
    images = []
    for k in STEPS:
        figure = with_slider(lab.set(k=k).figure(), k)
        picture = BytesIO(static.figure_png(figure, 1))
        images.append(Image.open(picture).convert("RGB"))

    # One palette for all: no color flickers from frame to frame.
    middle = images[len(images) // 2]
    palette = middle.quantize(128, Image.Quantize.MAXCOVERAGE)
    return [image.quantize(palette=palette, dither=Image.Dither.NONE) for image in images]


def with_slider(figure, k):
    """A figure with a slider at k."""
    ax = figure.add_axes((0.63, 0.06, 0.33, 0.1))
    ax.set(xlim=(0, max(STEPS)), ylim=(-1, 1))
    ax.axis("off")
    rail = {"linewidth": 6, "solid_capstyle": "round"}
    ax.plot([1, max(STEPS)], [0, 0], color="0.7", **rail)
    ax.plot([1, k], [0, 0], color="#0072b2", **rail)
    ax.plot([k], [0], "o", color="#0072b2", markersize=17, clip_on=False)
    ax.set_title(f"neighbors k = {k}", loc="left", fontsize=18)
    return figure


def main():
    """Write the picture."""
    first, *rest = frames()
    pauses = [REST, *[PAUSE] * (len(rest) - 1), REST]
    first.save(TARGET, save_all=True, append_images=rest, duration=pauses, loop=0, optimize=False)


if __name__ == "__main__":
    main()
