"""Labs of a few lines, and a page that stands for one."""

from knnviz.labs import Lab
from knnviz.labs.engine import Choice, Float, Int, Panel, Preset, Range, Shown, columns
from knnviz.views.layers import Axes, Lines


def line_panel(name, title, height, click=None, says=""):
    """A horizontal line."""
    axes = Axes(name, title, "x", "y", (0, 10), (0, 10))
    line = Lines(name="level", label="level", x=[0, 1], y=[height, height])
    return Panel(axes, [line], click, says)


def ranges(values):
    """The small number is at most the large one, and even with an odd mode there is no offset."""
    found = {"small": Range((0, values["large"]), "the small number is at most the large one")}
    if values["mode"] == "odd":
        found["offset"] = Range((0.5, 0.5), "odd modes have no offset")
    return found


def recipe(p, memo):
    total = p.small + p.large

    def sum_panel():
        return memo(line_panel, "sum", "Sum", total, lambda at: {"large": at.x, "small": at.y})

    def offset_panel():
        return memo(line_panel, "offset", "Offset", p.offset)

    numbers = {"total": total, "with offset": total + p.offset, "mode": p.mode}
    return Shown({"sum": sum_panel, "offset": offset_panel}, numbers)


class Sums(Lab):
    """Two numbers, of which one is at most the other."""

    title = "Sums"
    table = (
        "Numbers",
        Int("small", 2, 0, 9, "small *a*", "The small one", play=6000),
        Int("large", 5, 1, 9, "large *b*", "The large one", step=2),
        "Others",
        Choice("mode", ("plain", "odd", "spare"), "*mode*", "What to do"),
        Float("offset", 0.5, 0, 1, "offset *c*", "What is added"),
        Float(
            "more",
            0.5,
            0,
            1,
            "more",
            "Without effect unless the mode is spare",
            when={"mode": ("spare",)},
        ),
    )
    ranges = ranges
    recipe = recipe
    layout = columns(("sum", 1.0), ("offset", 1.0))
    presets = (
        Preset("Nines", "nobody", {"small": 9, "large": 9}),
        Preset("Odd", "nobody", {"mode": "odd"}),
    )
