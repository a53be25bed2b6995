"""LearnabilityLab: whether bags determine the most probable label, and whether counting labels in
bags finds it.

A bag is a candidate label set. M (2^C, C), the matrix of a bag process, has the probability of each
bag, given each true label. eta_y is P(y | x), the probability of label y at the point x, and P(S_y
| x) that of a bag that holds y. The best label has the largest eta_y. A process is reconstructible
if the distribution of its bags always determines the best label. Counting predicts the label in the
most bags, the counted label; at an eta where that is the best one the process is aligned, and
elsewhere counting errs. theta is how much less probable the counted label is than the best. A world
is a process with an eta; the other world differs from it, but its bags have the same distribution.
"""

from collections.abc import Mapping
from dataclasses import replace
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from knnviz import learnability
from knnviz.labs.engine import (
    Choice,
    Click,
    Float,
    Int,
    Lab,
    Memo,
    Panel,
    Range,
    Seed,
    Shown,
    Values,
)
from knnviz.labs.engine.layout import Cell, columns, rows
from knnviz.labs.engine.parameters import DECIMALS
from knnviz.labs.parts.class_weights import ROUNDING, by_class, keep_sum
from knnviz.labs.parts.data import next_seed
from knnviz.learnability import EXAMPLES, best, cooccurrence, same_best_labels
from knnviz.learnability.conditions import SCORE_TOL
from knnviz.views import landscape, marks, style, triangle
from knnviz.views.bars import bars, ticks
from knnviz.views.entries import category_axes
from knnviz.views.layers import Annotations, Axes, Extent, Fill, Layer, Lines, Raster
from knnviz.weights import to_simplex

#: Largest number of labels; their names, those of the bags in the order of M's rows, and of the
#: parameters for eta.
MAX_C = 3
DIGITS = tuple(map(str, range(MAX_C)))
LABEL_NAMES = tuple(f"label {label}" for label in range(MAX_C))
BAGS = tuple("".join(map(str, np.flatnonzero(bag))) for bag in learnability.every_bag(MAX_C))
BAG_NAMES = tuple(f"{{{', '.join(bag)}}}" if bag else "∅" for bag in BAGS)
ETA_NAMES = ("eta0", "eta1", "eta2")

#: Names of the parameters for M, column by column.
COLUMNS = tuple(
    tuple(f"probability_{bag or 'none'}_{label}" for bag in BAGS) for label in range(MAX_C)
)

#: Processes by name, and what they are called once they are edited, by their number of labels; that
#: number of all of these.
NAMED = {name: example for name, example in EXAMPLES.items() if example.n_classes <= MAX_C}
EDITED = {2: "edited, 2 labels", 3: "edited, 3 labels"}
SIZES = {name: example.n_classes for name, example in NAMED.items()}
SIZES |= {name: size for size, name in EDITED.items()}
OF_THREE = tuple(name for name, size in SIZES.items() if size == MAX_C)

#: The process that the lab opens on; by number of labels, the eta taken when this number changes
#: and the process comes with none.
OPENING = "permutation"
ETAS = {2: (0.6, 0.4), 3: (0.5, 0.3, 0.2)}

#: What is said of a number that there is not here.
NONE = "none"

SWAPPED = "swapped"
SAME_BAGS = "same bags"
OTHER_WORLDS = ("nothing", SWAPPED, SAME_BAGS)

#: Limits of the axes over the segment, with room for a marker at an end, and possible upper ends of
#: the axis of bags.
LIMITS = (-0.03, 1.03)
TOPS = (0.25, 0.5, 0.75, 1.03)

#: Width of all bars of a label or bag together, and the part of the room of each that is colored.
GROUP_WIDTH = 0.8
FILLED = 0.94

#: Number of cells of the segment of two labels.
CELLS = 200

#: Colors of bags, another world and solutions.
BAG_COLOR = style.CLASS_COLORS[5]
OTHER_COLOR = style.CLASS_COLORS[4]
SOLVED_COLOR = style.MUTED

MODEL_TIP = "Where bags come from; a slider below makes it an edited one"
ETA_TIP = "These probabilities always sum to 1"
BAGS_TIP = "Moving one probability moves the others: they always sum to 1"
WORLD_TIP = (
    "A world with the same bags: best and counted label change places, or another P(y | x) under "
    "the same M"
)


def probabilities(label: int) -> list[Any]:
    """The parameters for a column of M below a heading; the lab shows those of one true label."""
    found: list[Any] = [f"Bags if label {label} is true"]
    starts = NAMED[OPENING].process[:, label].tolist()
    for bag, name, start in zip(BAG_NAMES, COLUMNS[label], starts, strict=True):
        models = OF_THREE if "2" in bag else tuple(SIZES)
        when = {"column": (LABEL_NAMES[label],), "model": models}
        found.append(Float(name, start, 0, 1, f"P(bag {bag} | y = {label})", BAGS_TIP, when=when))
    return found


PARAMETERS = (
    "Process",
    Choice("model", SIZES, "bag process", MODEL_TIP, default=OPENING),
    "P(y | x)",
    Float("eta0", 0.5, 0, 1, "P(y = 0 | x) *eta0*", "Moving one moves the others"),
    Float("eta1", 0.3, 0, 1, "P(y = 1 | x) *eta1*", ETA_TIP),
    Float("eta2", 0.2, 0, 1, "P(y = 2 | x) *eta2*", ETA_TIP, when={"model": OF_THREE}),
    "Other world",
    Choice("beside", OTHER_WORLDS, "compare with", WORLD_TIP),
    Int(
        "n",
        0,
        0,
        2000,
        "bags drawn *n*",
        "Bags in a sample at x; with none the fractions are exact",
        step=10,
    ),
    Seed("Another seed draws another sample"),
    Choice("column", LABEL_NAMES, "edit", "The true label whose bags the sliders below show"),
    *chain.from_iterable(map(probabilities, range(MAX_C))),
)


def ranges(values: Mapping[str, Any]) -> dict[str, Any]:
    """A process can be called edited once it is; the seed needs something that is drawn."""
    model = values["model"]
    n_classes = SIZES[model]
    found: dict[str, Any] = {}
    found["model"] = tuple(name for name in SIZES if name in NAMED or name == model)
    if not values["n"]:
        found["seed"] = None
    found["column"] = Range(LABEL_NAMES[:n_classes], f"there are {n_classes} labels")
    return found


def adjust(values: dict[str, Any], changes: Mapping[str, Any], before: Mapping[str, Any]) -> None:
    """A new process sets all of M; a probability that is moved rescales its column, and the process
    is edited.
    """
    model = values["model"]
    n_classes = SIZES[model]
    has_other_labels = n_classes != SIZES[before["model"]]
    if model in NAMED and model != before["model"]:
        example = NAMED[model]
        eta: Any = example.eta
        found = parameter_values(example.process)
        if eta is None and has_other_labels:
            eta = ETAS[n_classes]
        if eta is not None:
            rounded = np.round(eta, DECIMALS).tolist()
            found |= dict(zip(ETA_NAMES, (*rounded, 0.0), strict=False))
        values |= {name: value for name, value in found.items() if name not in changes}

    of_process = [names[: 2**n_classes] for names in COLUMNS[:n_classes]]
    for label, names in enumerate(of_process):
        moved = changes
        if model not in NAMED and has_other_labels:
            # An edited process of another number of labels must be complete.
            moved = dict.fromkeys(names)
        keep_sum(values, moved, names, f"probabilities of bags if label {label} is true")
    keep_sum(values, changes, ETA_NAMES[:n_classes], "P(y | x)")

    if model in NAMED:
        original = parameter_values(NAMED[model].process)
        if any(abs(values[name] - original[name]) > ROUNDING for name in chain(*of_process)):
            values["model"] = EDITED[n_classes]


def parameter_values(process: np.ndarray) -> dict[str, float]:
    """Values of the parameters for M (2^C, C), 0 for labels beyond C."""
    whole = np.zeros((MAX_C, 2**MAX_C))
    whole[: process.shape[1], : len(process)] = process.T
    rounded = whole.round(DECIMALS).ravel()
    return dict(zip(chain(*COLUMNS), rounded.tolist(), strict=True))


class Fractions(NamedTuple):
    """Fractions of bags (2^C,), how often (C,) they hold each label, and P(y | x) (C,), unknown for
    a sample.
    """

    bags: np.ndarray
    held: np.ndarray
    eta: Any = None


def recipe(p: Values, memo: Memo) -> Shown:
    n_classes = SIZES[p.model]
    n_bags = 2**n_classes
    by_label = []
    for names_of_column in COLUMNS[:n_classes]:
        by_label.append(tuple([getattr(p, name) for name in names_of_column[:n_bags]]))
    M = memo(np.transpose, by_label)
    given_eta = tuple([getattr(p, name) for name in ETA_NAMES[:n_classes]])
    eta = memo(np.array, given_eta)
    here = memo(fractions, M, eta)
    other = memo(other_world, M, eta, p.beside)
    sample = None
    if p.n:
        sample = memo(draw_sample, M, eta, p.n, p.seed)

    rank = memo(learnability.rank, M)
    decoded = None
    if rank == n_classes:
        decoded = memo(learnability.decode, M, (sample or here).bags)
    names = LABEL_NAMES[:n_classes]

    numbers: dict[str, Any] = {
        "rank of M": rank,
        "reconstructible": rank == n_classes,
        "aligned at eta": bool(same_best_labels(eta, here.held)),
        "eta": by_class(names, eta),
        "best label": best_labels(eta),
        "in the most bags": best_labels(here.held),
        "by least squares": NONE,
        "eta by least squares": NONE,
        "cost of counting, theta": float(learnability.least_theta(eta, here.held)),
        "counting errs on": memo(learnability.misaligned_fraction, M),
        "eta, other world": NONE,
        "bags differ by": NONE,
    }
    if decoded is not None:
        numbers["by least squares"] = best_labels(decoded)
        numbers["eta by least squares"] = by_class(names, decoded)
    other_eta = None
    if other:
        other_eta = other.eta
        difference = float(abs(other.bags - here.bags).max())
        numbers["eta, other world"] = by_class(names, other_eta)
        numbers["bags differ by"] = round(difference, 12)

    solved = decoded if sample else None
    panels = {
        "simplex": lambda: memo(simplex_panel, memo, p.model, M, eta, other_eta),
        "eta": lambda: memo(eta_panel, eta, other_eta, solved),
        "fractions": lambda: memo(labels_panel, here, sample),
        "bags": lambda: memo(bags_panel, here, other, sample, p.n),
    }
    return Shown(panels, numbers)


def fractions(process: np.ndarray, eta: np.ndarray) -> Fractions:
    bags = learnability.bag_distribution(process, eta)
    return Fractions(bags, learnability.frequency(process, eta), eta)


def other_world(process: np.ndarray, eta: np.ndarray, beside: str) -> Fractions | None:
    """The other world; None if none is chosen, or there is none."""
    if beside == SWAPPED:
        counted = best(learnability.frequency(process, eta)).argmax()
        if best(eta)[counted]:
            return None
        return fractions(*learnability.swap(process, eta))
    if beside == SAME_BAGS:
        others = learnability.other_etas(process, eta)
        if others:
            return fractions(process, others[0])
    return None


def draw_sample(process: np.ndarray, eta: np.ndarray, n: int, seed: int) -> Fractions:
    """Fractions of n bags that are drawn."""
    n_classes = len(eta)
    rng = np.random.default_rng(seed)
    uniform = rng.random(n)
    thresholds = np.cumsum(eta)[:-1]
    y = (uniform[:, None] >= thresholds).sum(axis=1)
    drawn = learnability.draw_bags(process, y, rng)
    codes = drawn @ (1 << np.arange(n_classes))
    bags = np.bincount(codes, minlength=2**n_classes) / n
    return Fractions(bags, bags @ learnability.every_bag(n_classes))


def draw_next(lab: Lab) -> None:
    """Draw with the next seed; ValueError where nothing is drawn."""
    if "seed" in lab.setting.hidden:
        raise ValueError("nothing is drawn here: choose more than 0 bags drawn")
    next_seed(lab)


# Words


def vector_text(values: np.ndarray) -> str:
    rounded = np.round(values, 3) + 0.0
    return f"({', '.join(f'{value:.3g}' for value in rounded)})"


def best_labels(scores: Any) -> str:
    return " or ".join(map(str, np.flatnonzero(best(scores))))


def bags_text(bags: np.ndarray) -> str:
    """Fractions (2^C,) of bags, without those that do not occur."""
    occurring = []
    for name, value in zip(BAG_NAMES, bags, strict=False):
        if value:
            occurring.append(f"{name} {value:.3g}")
    return ", ".join(occurring)


# The simplex of eta, a triangle or a segment


def simplex_panel(
    memo: Memo, model: str, process: np.ndarray, eta: np.ndarray, other: Any
) -> Panel:
    """The best label of each eta, where counting errs, and two eta with the same bags."""
    n_classes = len(eta)
    title = "Where counting errs"
    layers = [memo(regions, n_classes), memo(counting_errs, process)]
    if n_classes == 2:
        at = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
        axes = Axes("simplex", title, "P(y = 0 | x)", "fraction", LIMITS, LIMITS)
        axes = replace(axes, xticks=at, yticks=(0, 0.5, 1))
        layers += memo(frequency_lines, process)
    else:
        axes = Axes("simplex", title, "", "", triangle.X_LIMITS, triangle.Y_LIMITS, bare=True)
        layers += memo(triangle.frame, LABEL_NAMES)
    layers += memo(of_process, process)
    layers += memo(worlds, eta, other)
    says = f"Bags of {n_classes} labels, {model}, at P(y | x) = {vector_text(eta)}."

    def click(at: Click) -> dict[str, float]:
        clicked = np.array([at.x, 1 - at.x])
        if n_classes == 3:
            clicked = triangle.weights_at(at.x, at.y)
        # In hundredths.
        rounded = to_simplex(clicked, 100).tolist()
        return dict(zip(ETA_NAMES, rounded, strict=False))

    return Panel(axes, layers, click, says)


def position(eta: np.ndarray) -> tuple[float, float]:
    """Position of an eta (C,) in the triangle, or on the segment at the height of handles."""
    if len(eta) == 2:
        return float(eta[0]), marks.HANDLE_HEIGHT
    x, y = triangle.positions(eta)
    return float(x), float(y)


def eta_at_cells(n_classes: int) -> np.ndarray:
    """The eta (m, C) at the cells of the segment or of the triangle."""
    if n_classes == 3:
        return landscape.GRID
    first = (np.arange(CELLS) + 0.5) / CELLS
    return np.stack([first, 1 - first], axis=1)


def cells(values: np.ndarray, n_classes: int, outside: int) -> tuple[np.ndarray, Extent]:
    """Values (m,) at ``eta_at_cells`` as rows and columns, with one value outside the triangle, and
    their extent.
    """
    if n_classes == 2:
        return values[None], (0.0, 1.0, 0.0, 1.0)
    return landscape.on_triangle(values, outside)


def regions(n_classes: int) -> Raster:
    best_label = eta_at_cells(n_classes).argmax(axis=1)
    codes, extent = cells(best_label, n_classes, n_classes)
    look: Any = {"palette": (*style.region_palette(n_classes), landscape.TRANSPARENT)}
    look["labels"] = tuple(f"best: {c}" for c in range(n_classes))
    return Raster("regions", codes.astype(np.uint8), extent, **look)


def counting_errs(process: np.ndarray) -> Fill:
    n_classes = process.shape[1]
    eta = eta_at_cells(n_classes)
    costs = learnability.least_theta(eta, learnability.frequency(process, eta))
    wrong, extent = cells(costs > SCORE_TOL, n_classes, 0)
    inside = wrong.astype(bool)
    return Fill("misled", inside, extent, label="counting errs", hatch="\\")


def frequency_lines(process: np.ndarray) -> list[Layer]:
    """P(S_y | x) of two labels over the segment, for M (4, 2)."""
    lines: list[Layer] = []
    for y, row in enumerate(cooccurrence(process)):
        color = style.class_color(y)
        label = f"P(bag holds {y})"
        lines.append(marks.curve(f"held{y}", label, (0, 1), row[::-1], color, width=3.0))
    return lines


def of_process(process: np.ndarray) -> list[Layer]:
    """For M (2^C, C) where counting changes, and two eta that bags cannot tell apart."""
    layers: list[Layer] = []
    if len(process) == 8:
        layers.append(borders(process))
    etas = learnability.indistinguishable_etas(process) or ()
    ends = [position(eta) for eta in etas]
    x, y = np.array(ends).reshape(-1, 2).T
    joined = Lines("pair_line", x, y, width=2.0, dash=(2, 4))
    pair = marks.dot(x, y, "pair", "the same bags", style.INK, 1, 15.0)
    return [*layers, joined, pair]


def borders(process: np.ndarray) -> Lines:
    """Borders in the triangle between eta with different labels in most bags, for M (8, 3)."""
    found = {}
    scores = cooccurrence(process)
    for label in range(3):
        polygon = learnability.largest_score_polygon(scores, label)
        next_corners = np.roll(polygon, -1, axis=0)
        for ends in zip(polygon, next_corners, strict=True):
            on_side_of_triangle = (np.maximum(*ends) < ROUNDING).any()
            if not on_side_of_triangle:
                # Two polygons share a border, and dashes drawn twice would make a solid line.
                rounded = [tuple((end.round(9) + 0.0).tolist()) for end in ends]
                found[frozenset(rounded)] = ends

    pieces = [np.empty((0, 3))]
    gap = np.full(3, np.nan)
    for ends in found.values():
        pieces.append(np.stack([*ends, gap]))
    x, y = triangle.positions(np.concatenate(pieces)).T
    return Lines("borders", x, y, label="answer changes", width=2.5, dash=(7, 4))


def worlds(eta: np.ndarray, other: np.ndarray | None) -> list[Layer]:
    """eta (C,) as a cross to drag, on the segment with a line, and that of the other world; names
    point outward.
    """
    is_segment = len(eta) == 2
    x, y = position(eta)
    align = "right" if is_segment and eta[0] > 0.5 else "left"
    layers = list[Layer]()
    if other is not None:
        u, v = position(other)
        align, side = ("right", "left") if u >= x else ("left", "right")
        look: Any = {"color": OTHER_COLOR, "size": 18, "cross": 14, "align": side}
        layers.append(Annotations("other_eta", u, v, ("η′",), **look))
    if is_segment:
        layers.append(Lines("at_eta", x, (0, 1)))
    spoken = ", ".join(f"label {c} {fraction:.3g}" for c, fraction in enumerate(eta))
    pulls = "x" if is_segment else "xy"
    look = {"size": 18, "cross": 18}
    layers.append(marks.draggable("eta", x, y, "η", "P(y | x)", spoken, align, pulls, **look))
    return layers


# Fractions of labels and bags


def side_by_side(count: int) -> tuple[float, list[float]]:
    """The width of each of so many bars of a label or bag, and how far their middles are from its
    middle.
    """
    width = GROUP_WIDTH / count
    return width, [(at - (count - 1) / 2) * width for at in range(count)]


def eta_panel(eta: np.ndarray, other: np.ndarray | None, solved: np.ndarray | None) -> Panel:
    """P(y | x) in this world and in the other one, and the solution of least squares for a sample,
    with numbers.
    """
    low, top = (0.0, 1.15) if solved is None else (-0.3, 1.3)
    drawn = [("this world", eta, BAG_COLOR)]
    if other is not None:
        drawn.append(("other world", other, OTHER_COLOR))
    if solved is not None:
        drawn.append(("least squares", solved, SOLVED_COLOR))
    width, offsets = side_by_side(len(drawn))
    size = (14.0, 12.0, 11.0)[len(drawn) - 1]
    layers = list[Layer]()
    for offset, (label, values, color) in zip(offsets, drawn, strict=True):
        heights = values.clip(low, top)
        entry = label if len(drawn) > 1 else ""
        layers.append(bars(label, heights, offset, FILLED * width, (color,), entry))

        rounded = values.round(2) + 0.0
        texts = tuple([f"{value:.2f}".removeprefix("0") for value in rounded])
        x = np.arange(len(values)) + offset
        y = heights.clip(0, 1) + 0.05 * (top - low)
        look: Any = {"size": size, "align": "middle"}
        layers.append(Annotations(f"{label}, numbers", x, y, texts, **look))
    axes = category_axes("eta", "P(y | x)", "probability", DIGITS[: len(eta)])
    axes = replace(axes, xlabel="label y", ylim=(low, top))
    return Panel(axes, layers)


def labels_panel(here: Fractions, sample: Fractions | None) -> Panel:
    """eta_y and P(S_y | x) side by side, with fractions of the sample."""
    eta = here.eta
    labels = DIGITS[: len(eta)]
    colors = style.palette(len(eta))
    pale = tuple([style.tint(color, 0.45) for color in colors])
    width, (left, right) = side_by_side(2)
    truth = bars("truth", eta, left, FILLED * width, pale, "P(y | x)")
    frequency = bars("frequency", here.held, right, FILLED * width, colors, "P(in bag)")
    layers: list[Layer] = [truth, frequency]
    if sample:
        layers.append(ticks("sample_frequency", "in the sample", sample.held, right, width))

    axes = category_axes("fractions", "Bags with each label", "fraction", labels)
    axes = replace(axes, xlabel="label", ylim=(0, 1.03))
    pairs = []
    for label, a, b in zip(labels, eta, here.held, strict=True):
        pairs.append(f"label {label}: {a:.3g} and {b:.3g}")
    says = f"P(y | x) and how often a bag holds y: {'; '.join(pairs)}."
    return Panel(axes, layers, says=says)


def bags_panel(here: Fractions, other: Fractions | None, sample: Fractions | None, n: int) -> Panel:
    """The distribution of bags in this world and in the other one, and their fractions in the
    sample.
    """
    bags = here.bags
    width, (left, *_) = side_by_side(2 if other else 1)
    label = "this world" if other else ""
    filled = FILLED * width
    layers: list[Layer] = [bars("distribution", bags, left, filled, (BAG_COLOR,), label)]
    if other:
        name = "other_distribution"
        beside = bars(name, other.bags, -left, filled, (OTHER_COLOR,), "other world")
        layers.append(beside)

    tops = TOPS
    room = 0.97
    tallest = bags.max()
    if sample:
        # Numbers stand above bars.
        tops = (0.3, 0.6, 0.9, 1.15)
        room = 0.88
        tallest = max(tallest, sample.bags.max())
    top = next((top for top in tops if tallest <= room * top), tops[-1])
    if sample:
        layers.append(ticks("drawn", "in the sample (number)", sample.bags, left, width))
        layers.append(counted(bags, sample.bags, n, left, top))

    names = [",".join(bag) or "∅" for bag in BAGS[: len(bags)]]
    axes = category_axes("bags", "How often each bag occurs", "fraction", names)
    axes = replace(axes, xlabel="labels in the bag", ylim=(0, top), yticks=())
    return Panel(axes, layers, says=f"Bags: {bags_text(bags)}.")


def counted(bags: np.ndarray, drawn: np.ndarray, n: int, offset: float, top: float) -> Annotations:
    """How many of n bags are drawn, above the bars and ticks of those that occur."""
    highest = np.maximum(bags, drawn)
    shown = np.flatnonzero(highest > 0)
    x = shown + offset
    y = highest[shown] + 0.05 * top
    texts = tuple([f"{count:.0f}" for count in n * drawn[shown]])
    return Annotations("counts", x, y, texts, size=14.0, align="middle")


class LearnabilityLab(Lab):
    """The simplex of P(y | x) with the most probable label and the one in most bags, the bags, and
    the matrix M.

    Source: Errandonea et al., section 2 and appendix A.

    Examples
    --------
    >>> from knnviz.labs import LearnabilityLab
    >>> found = LearnabilityLab(model="permutation").readout()
    >>> (
    ...     found["reconstructible"],
    ...     found["aligned at eta"],
    ...     found["best label"],
    ...     found["in the most bags"],
    ... )
    (True, False, '0', '1')
    """

    title = "Which bags can be learned from"
    table = PARAMETERS
    ranges = ranges
    adjust = adjust
    recipe = recipe
    layout = columns(
        rows(("simplex", 5 / 6), Cell("bags", height=270)),
        rows(Cell("eta", height=270), Cell("fractions", height=270)),
        ratios=(3, 2),
    )
    buttons = (("New sample", "Draw the bags with the next seed", draw_next),)
