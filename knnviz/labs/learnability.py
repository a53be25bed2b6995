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

from dataclasses import replace
from functools import partial
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from knnviz import learnability
from knnviz.labs.engine import (
    DECIMALS,
    ByName,
    Cell,
    Choice,
    Float,
    Int,
    Lab,
    Memo,
    Panel,
    Range,
    Seed,
    Shown,
    Values,
    columns,
    rows,
)
from knnviz.labs.parts.class_weights import ROUNDING, by_class, keep_sum, weights_at
from knnviz.labs.parts.data import next_seed
from knnviz.learnability import EXAMPLES, best, cooccurrence, same_best_labels
from knnviz.learnability.conditions import SCORE_TOL
from knnviz.views import landscape, marks, ribbons, style, triangle
from knnviz.views.bars import bars, ticks
from knnviz.views.entries import category_axes
from knnviz.views.layers import Annotations, Axes, Fill, Layer, Lines, Place, Raster
from knnviz.views.marks import Level, level_line, segments
from knnviz.weights import simplex_grid

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

#: Where the slider of a bag ends: at 1 the proportions of the other bags would be lost.
NEARLY_ALL = 0.95
LOST = "at 1 the proportions of the other bags would be lost"

#: What is said of a number that there is not here.
NONE = "none"

SWAPPED = "swapped"
OTHER_WORLDS = ("nothing", SWAPPED)

#: What is drawn in the triangle.
EQUAL = "lines of equal bags"
ERRS = "where counting errs"
INSIDE = (ERRS, EQUAL, "best label of each truth")

#: Room of each of the two bars of a label, and the part of it that is colored.
BAR = 0.4
FILLED = 0.94

#: Color of what a label has where it is wrong.
BASE_COLOR = style.tint(style.MUTED, 0.5)

#: From truth to bags: where bars of labels and of bags end as parts of the width, alone and beside
#: another world; the gap between those of labels as a part of their greatest height, half of the
#: distance of two lines of a text as a part of all, and how the numbers of a sample look.
ENDS = 0.33, 0.64
ENDS_BESIDE = 0.25, 0.47
GAP = 0.25
LINE = 0.038
SMALL: Any = {"size": 12.0, "halo": 0.0}

#: Samples of two labels beside each other: how many, how far apart their dots are, by which part of
#: eta they share a row, and the ends of the rows.
SEEDS = 100
PITCH = 0.03
ROW = 0.03
ACROSS = (0.0, 1.16)

MODEL_TIP = "How raters write bags; moving a slider below makes it an edited process"
ETA_TIP = "Move one and the others follow, because they always sum to 1"
WORLD_TIP = "A world with the same bags, where the best and the counted label change places"


def probabilities(label: int) -> list[Any]:
    """The parameters for a column of M below a heading; the lab shows those of one true label."""
    found: list[Any] = [f"Bags if label {label} is true"]
    starts = NAMED[OPENING].process[:, label].tolist()
    for bag, name, start in zip(BAG_NAMES, COLUMNS[label], starts, strict=True):
        models = OF_THREE if "2" in bag else tuple(SIZES)
        when = {"column": (LABEL_NAMES[label],), "model": models}
        found.append(Float(name, start, 0, 1, f"P(bag {bag} | y = {label})", ETA_TIP, when=when))
    return found


PARAMETERS = (
    "Process",
    Choice("model", SIZES, "bag process", MODEL_TIP, default=OPENING),
    "P(y | x)",
    Float("eta0", 0.5, 0, 1, "P(y = 0 | x) *eta0*", ETA_TIP),
    Float("eta1", 0.3, 0, 1, "P(y = 1 | x) *eta1*", ETA_TIP),
    Float("eta2", 0.2, 0, 1, "P(y = 2 | x) *eta2*", ETA_TIP, when={"model": OF_THREE}),
    Choice(
        "inside",
        INSIDE,
        "in the triangle",
        "What it shows",
        when={"model": OF_THREE},
        draws=("simplex",),
    ),
    "Other world",
    Choice("beside", OTHER_WORLDS, "compare with", WORLD_TIP, draws=("flow",)),
    Int(
        "n",
        0,
        0,
        2000,
        "bags drawn *n*",
        "How many bags you see at x; with none you see the exact fractions",
        step=10,
    ),
    Seed("Another seed draws another sample"),
    Choice("column", LABEL_NAMES, "edit", "The true label whose bags the sliders below show"),
    *chain.from_iterable(map(probabilities, range(MAX_C))),
)


def ranges(values: ByName) -> dict[str, Any]:
    """A process can be called edited once it is; the seed needs something that is drawn."""
    model = values["model"]
    n_classes = SIZES[model]
    found: dict[str, Any] = {
        "model": tuple(name for name in SIZES if name in NAMED or name == model),
        "column": Range(LABEL_NAMES[:n_classes], f"there are {n_classes} labels"),
    }
    if not values["n"]:
        found["seed"] = None
    for names in COLUMNS[:n_classes]:
        occur = [name for name in names if values[name] > 0]
        for name in occur:
            if len(occur) > 2 and values[name] <= NEARLY_ALL:
                found[name] = Range((0, NEARLY_ALL), LOST)
    return found


def adjust(values: dict[str, Any], changes: ByName, before: ByName) -> None:
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
    """Fractions of bags (2^C,), how often (C,) they hold each label, and the world that they come
    from, unknown for a sample.
    """

    bags: np.ndarray
    held: np.ndarray
    eta: Any = None
    process: Any = None


def recipe(p: Values, memo: Memo) -> Shown:
    n_classes = SIZES[p.model]
    n_bags = 2**n_classes
    by_label = []
    for names_of_column in COLUMNS[:n_classes]:
        by_label.append(tuple(getattr(p, name) for name in names_of_column[:n_bags]))
    M = memo(np.transpose, by_label)
    given_eta = tuple(getattr(p, name) for name in ETA_NAMES[:n_classes])
    eta = memo(np.array, given_eta)
    here = memo(fractions, M, eta)
    other = None
    if p.beside == SWAPPED:
        other = memo(swapped_world, M, eta)
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
        "in the most bags": best_labels((sample or here).held),
        "by least squares": NONE,
        "eta by least squares": NONE,
        "samples that are right": NONE,
        "cost of counting": float(learnability.least_theta(eta, here.held)),
        "counting errs on (part of area)": memo(learnability.misaligned_fraction, M),
        "eta, other world": NONE,
        "bags differ by": NONE,
    }
    if decoded is not None:
        numbers["by least squares"] = best_labels(decoded)
        numbers["eta by least squares"] = by_class(names, decoded)
    solutions = None
    if sample and decoded is not None and n_classes == 2:
        solutions = memo(solve_samples, M, eta, p.n)
        right = (best(solutions) == best(eta)).all(axis=1)
        numbers["samples that are right"] = f"{right.sum()} of {SEEDS}"
    if other:
        difference = float(abs(other.bags - here.bags).max())
        numbers["eta, other world"] = by_class(names, other.eta)
        numbers["bags differ by"] = round(difference, 12)

    solved = decoded if sample else None
    title = "From truth to bags"
    if p.beside == SWAPPED and not other:
        title = "No other world: counting is right here"
    panels = {
        "flow": lambda: memo(flow_panel, title, here, other, sample, p.n, solved),
        "fractions": lambda: memo(labels_panel, here, sample),
    }
    if n_classes == 2:
        panels["solutions"] = lambda: memo(solutions_panel, eta, solutions, p.seed)
    if n_classes == MAX_C:
        panels["simplex"] = lambda: memo(simplex_panel, memo, p.inside, M, eta)
    return Shown(panels, numbers)


def fractions(process: np.ndarray, eta: np.ndarray) -> Fractions:
    bags = learnability.bag_distribution(process, eta)
    return Fractions(bags, learnability.frequency(process, eta), eta, process)


def swapped_world(process: np.ndarray, eta: np.ndarray) -> Fractions | None:
    """The world in which best and counted label change places; None where they are one label."""
    counted = best(learnability.frequency(process, eta)).argmax()
    if best(eta)[counted]:
        return None
    return fractions(*learnability.swap(process, eta))


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


def solve_samples(process: np.ndarray, eta: np.ndarray, n: int) -> np.ndarray:
    """What n bags of each of the first seeds are solved for (SEEDS, C)."""
    bags = [draw_sample(process, eta, n, seed).bags for seed in range(SEEDS)]
    return learnability.decode(process, np.array(bags))


def draw_next(lab: Lab) -> None:
    """Draw with the next seed; ValueError where nothing is drawn."""
    if "seed" in lab.setting.hidden:
        raise ValueError("no bags are drawn here yet: choose more than 0")
    next_seed(lab)


# Words


def best_labels(scores: Any) -> str:
    return " or ".join(map(str, np.flatnonzero(best(scores))))


def bags_text(world: Fractions) -> str:
    """The bags that occur, with what each true label has in them."""
    occurring = []
    for name, total, parts in zip(BAG_NAMES, world.bags, world.process * world.eta, strict=False):
        if total:
            shares = [f"{part:.3g} from label {y}" for y, part in enumerate(parts) if part]
            occurring.append(f"{name} {total:.3g} ({', '.join(shares)})")
    return "; ".join(occurring)


# The simplex of eta, a triangle


def simplex_panel(memo: Memo, inside: str, process: np.ndarray, eta: np.ndarray) -> Panel:
    """The best label of each eta of three labels, with what is drawn inside."""
    layers: list[Layer] = [memo(regions)]
    if inside == ERRS:
        layers.append(memo(counting_errs, process))
    layers += memo(triangle.frame, LABEL_NAMES)
    if inside == EQUAL:
        x, y = with_equal_bags(process, eta).T
        own = marks.curve("own", "same bags as η", x, y, width=4.0)
        layers += [memo(equal_bags, process), own]
    layers.append(memo(cross, eta))
    axes = replace(triangle.axes(), name="simplex", title=inside.capitalize(), xlim=(-0.15, 1.15))
    return Panel(axes, layers, partial(weights_at, names=ETA_NAMES))


def regions() -> Raster:
    codes, extent = landscape.on_triangle(landscape.GRID.argmax(axis=1), MAX_C)
    palette = (*style.region_palette(MAX_C), landscape.TRANSPARENT)
    labels = tuple(f"best: {label}" for label in range(MAX_C))
    return Raster("regions", codes, extent, palette=palette, labels=labels, at="in words")


def counting_errs(process: np.ndarray) -> Fill:
    frequencies = learnability.frequency(process, landscape.GRID)
    costs = learnability.least_theta(landscape.GRID, frequencies)
    wrong, extent = landscape.on_triangle(costs > SCORE_TOL, 0)
    return Fill("misled", wrong.astype(bool), extent, label="counting errs", hatch="\\")


def equal_bags(process: np.ndarray) -> Layer:
    """Truths with the same bags M eta, for M (8, 3), joined to lines; points where no two truths
    have the same bags.
    """
    if learnability.rank(process) == MAX_C:
        x, y = triangle.positions(simplex_grid(MAX_C, 10)).T
        return marks.dot(x, y, "equal_bags", "equal bags", style.MUTED, 0, 5.0)
    # Each line crosses the side between the two labels whose bags differ most.
    apart = np.linalg.norm(process[:, :, None] - process[:, None], axis=0)
    sides = np.eye(MAX_C)[list(np.unravel_index(apart.argmax(), apart.shape))]
    along = np.arange(0.1, 0.95, 0.1)[:, None]
    starts = (1 - along) * sides[0] + along * sides[1]
    x, y = np.concatenate([with_equal_bags(process, eta) for eta in starts]).T
    return Lines("equal_bags", x, y, label="equal bags", color=style.MUTED, width=1.2)


def with_equal_bags(process: np.ndarray, eta: np.ndarray) -> np.ndarray:
    """From the ends of the line of truths with the same bags to one of these: positions (m, 2), the
    last one NaN, and no others where the line is a point.
    """
    others = learnability.other_etas(process, eta)
    etas = [*others, eta] if others else others
    ends = triangle.positions(np.reshape(etas, (-1, MAX_C)))
    return np.append(ends, [[np.nan, np.nan]], axis=0)


def cross(eta: np.ndarray) -> Annotations:
    """eta (3,) as a cross to drag."""
    x, y = triangle.positions(eta)
    spoken = ", ".join(f"label {c} {fraction:.3g}" for c, fraction in enumerate(eta))
    return marks.draggable("eta", x, y, "η", "P(y | x)", spoken, size=18, cross=18, pulls="xy")


# Fractions of labels and bags


def labels_panel(here: Fractions, sample: Fractions | None) -> Panel:
    """eta_y and P(S_y | x) side by side, with fractions of the sample.

    The gray base is what y has where another label is true, and where y is true as much as the
    wrong label that joins least; the rest is its lead where it is true.
    """
    eta = here.eta
    labels = DIGITS[: len(eta)]
    colors = style.palette(len(eta))
    pale = tuple(style.tint(color, 0.45) for color in colors)
    bases = as_wrong_label(here.process, eta)
    right = BAR / 2
    filled = FILLED * BAR
    layers: list[Layer] = [
        bars("truth", eta, -right, filled, pale, "pale: P(y | x)"),
        bars("frequency", here.held, right, filled, colors, "on top: lead"),
        bars("bases", bases, right, filled, (BASE_COLOR,), "gray: base"),
    ]
    if sample:
        layers.append(ticks("sample_frequency", "in the sample", sample.held, right, BAR))

    axes = category_axes("fractions", "Bags with each label", "fraction of bags", labels)
    axes = replace(axes, xlabel="label", ylim=(0, 1.03))
    parts = []
    for label, a, b, base in zip(labels, eta, here.held, bases, strict=True):
        parts.append(f"label {label}: {a:.3g} and {b:.3g}, base {base:.3g}")
    says = f"P(y | x) and how often a bag holds y: {'; '.join(parts)}."
    return Panel(axes, layers, says=says)


def as_wrong_label(process: np.ndarray, eta: np.ndarray) -> np.ndarray:
    """Of P(S_y | x) = (C eta)_y all but the lead of y where it is true, (C_yy - v_y) eta_y.

    v_i is how often the wrong label that joins least is in a bag of the true label i. A label
    without a lead has nothing above its base.
    """
    together = cooccurrence(process)
    least = np.where(np.eye(len(eta)), np.inf, together).min(axis=0)
    return together @ eta - np.maximum(np.diag(together) - least, 0) * eta


class Slots(NamedTuple):
    """Lower ends of the bars of labels (C,) and of the bags (b,) that occur, which bags they are,
    where both kinds of bars end, and the height of all.
    """

    labels: np.ndarray
    bags: np.ndarray
    known: np.ndarray
    start: float
    end: float
    top: float


def flow_panel(
    title: str,
    here: Fractions,
    other: Fractions | None,
    sample: Fractions | None,
    n: int,
    solved: np.ndarray | None,
) -> Panel:
    """P(y | x) as bars, the bags that the labels make as bars of parts, and ribbons between them,
    with another world on the other side; n bags of a sample.
    """
    slots = slots_of(here, other)
    heads = ["P(y | x)", "P(bag | x)"]
    places = [slots.start - ribbons.WIDTH, slots.end + ribbons.WIDTH]
    layers = world_layers(here, slots)
    amounts = here.bags[slots.known]
    place: Any = {"x": slots.end, "y": slots.bags + amounts / 2}
    if other:
        heads = ["this world", "the same bags", "other world"]
        places = [slots.start, 0.5, 1 - slots.start]
        layers += world_layers(other, slots._replace(start=1 - slots.start, end=1 - slots.end))
        place = {"x": 0.5, "y": slots.bags + amounts, "align": "center"}

    bags = tuple(f"{BAG_NAMES[bag]}: {here.bags[bag]:.2f}" for bag in slots.known)
    layers.append(Annotations("bags", texts=bags, size=style.NAME_SIZE, **place))
    layers.append(
        Annotations(
            "heads",
            places,
            slots.top,
            tuple(heads),
            align="middle",
            size=style.NAME_SIZE,
            color=style.MUTED,
        )
    )
    if sample:
        layers += sample_layers(here, sample, n, solved, slots)
    axes = Axes("flow", title, "", "", (0, 1), (-LINE * slots.top, slots.top), bare=True)
    return Panel(axes, layers, says=f"Bags: {bags_text(here)}.")


def slots_of(here: Fractions, other: Fractions | None) -> Slots:
    """Places of bars that do not move with eta, nor with a process that has as many bags, if these
    are few.
    """
    most = here.process.max(axis=1)
    ends = ENDS
    if other:
        most = np.maximum(most, other.process.max(axis=1))
        ends = ENDS_BESIDE
    known = np.flatnonzero(most)
    n_classes = len(here.eta)
    room = most[known]
    if len(known) <= MAX_C:
        room = np.ones(len(known))
    top = (1 + GAP) * max(n_classes, min(len(known), MAX_C))
    labels = ribbons.spread(np.ones(n_classes), top)
    return Slots(labels, ribbons.spread(room, top), known, *ends, top)


def world_layers(world: Fractions, slots: Slots) -> list[Layer]:
    """The ribbons and bars of a world, and its labels."""
    turn = np.sign(slots.end - slots.start)
    source = ribbons.Side(slots.start, slots.labels)
    target = ribbons.Side(slots.end - turn * ribbons.WIDTH, slots.bags)
    amounts = world.process[slots.known] * world.eta
    palette = style.palette(len(world.eta))
    layers: list[Layer] = [*ribbons.ribbons(f"from{turn:.0f}", amounts, source, target, palette)]
    x = slots.start - turn * 1.25 * ribbons.WIDTH
    align = "right" if turn > 0 else "left"
    for label, fraction in enumerate(world.eta):
        place = Place(x, slots.labels[label] + fraction / 2, align)
        text = f"{label}: {fraction:.2f}"
        layers.append(marks.naming(f"label{label}{turn:.0f}", place, text, palette[label]))
    return layers


def sample_layers(
    here: Fractions, sample: Fractions, n: int, solved: np.ndarray | None, slots: Slots
) -> list[Layer]:
    """How many of n bags are drawn, and the solution for them, as levels with numbers."""
    line = LINE * slots.top
    drawn = sample.bags[slots.known]
    middles = slots.bags + here.bags[slots.known] / 2 - line
    counts = tuple(f"{count:.0f} of {n}" for count in n * drawn)
    layers = [
        level("drawn", "in the sample", slots.end, slots.bags + drawn, style.INK),
        Annotations("counts", slots.end, middles, counts, **SMALL),
    ]
    if solved is not None:
        # A level that would stand at the bar of another label is left to its number.
        heights = np.where(abs(solved - 0.5) <= 0.5 + GAP, slots.labels + solved, np.nan)
        texts = tuple(f"solved: {each:.2f}" for each in solved.round(6) + 0.0)
        at = slots.start - 1.25 * ribbons.WIDTH
        y = slots.labels + here.eta / 2 - line
        layers += [
            level("solved", "solved", slots.start, heights, style.MUTED),
            Annotations("estimates", at, y, texts, color=style.MUTED, align="right", **SMALL),
        ]
    return layers


def level(name: str, label: str, end: float, heights: np.ndarray, color: str) -> Lines:
    """Levels across bars that end there."""
    x = segments(end - 1.25 * ribbons.WIDTH, np.full(len(heights), end + 0.25 * ribbons.WIDTH))
    y = np.repeat(heights, 3)
    return Lines(name, x, y, label=label, at="in words", color=color, width=3.0)


def solutions_panel(eta: np.ndarray, solutions: np.ndarray | None, seed: int) -> Panel:
    """eta_0 of two labels by least squares: a dot for each sample (SEEDS, 2), in the color of the
    label that it ranks first, gray for a tie; this sample has a ring.
    """
    half = Level(0.5, "half", "1/2", (5, 4), style.MUTED, "below")
    exact = Level(float(eta[0]), "exact", "η₀", (), style.INK, "center")
    layers: list[Layer] = [level_line(each, ACROSS) for each in (half, exact)]
    title = "No sample"
    found = np.array([0.0, 1.0])
    if solutions is not None:
        title = f"{SEEDS} samples"
        found = solutions[:, 0]
        first = best(solutions)
        codes = np.where(first.all(axis=1), 2, first[:, 1])
        ranks = 1 + marks.ranks_within(np.floor(found / ROW + 1e-9))
        x = ranks * min(PITCH, 1 / ranks.max())
        dots = marks.of_classes(
            "solutions",
            x,
            found,
            codes,
            palette=(*style.palette(2), style.MUTED),
            markers=(*style.markers(2), style.MARKERS[0]),
            size=6.0,
            halo=0.5,
            ringed=np.arange(SEEDS) == seed,
        )
        layers.append(dots)
    axes = Axes(
        "solutions",
        title,
        "",
        "η₀ by least squares",
        ACROSS,
        (min(-0.3, found.min() - 0.1), max(1.3, found.max() + 0.1)),
        xticks=(0.0,),
        xnames=("",),
        yticks=(0.0, 0.5, 1.0),
    )
    return Panel(axes, layers)


class LearnabilityLab(Lab):
    """The simplex of P(y | x) with the most probable label, lines of equal bags or where counting
    errs; ribbons from labels to bags; and how often bags hold each label.

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

    title = "Labels from bags"
    table = PARAMETERS
    ranges = ranges
    adjust = adjust
    recipe = recipe
    layout = rows(
        columns(("simplex", 0.93), Cell("fractions", height=270), ratios=(4, 3)),
        columns(Cell("flow", height=330), Cell("solutions", height=330), ratios=(3, 2)),
    )
    opens = ("simplex", "flow")
    buttons = (("New sample", "Draw the bags with the next seed", draw_next),)
