"""BagNoiseLab: errors, stopping k and decided fractions of rules as their training bags grow
noisier.

A bag is a candidate label set. Points are in five clusters; in each, every label has a probability,
its inclusion, with which it adds each other one to its bag. With probability nu, the bag noise, the
bag is made of a random label, or loses the true one. J is the number of values of nu. Below nu* the
true label is in more bags than any other, whichever label it is and whatever is drawn. A split
holds out points, on which errors are counted; a preparation changes the points before neighbors are
found.

PL A-kNN is adaptive kNN for partial labels. Adaptive kNN (A-kNN) stops once the leading label
exceeds its baseline by a band: 1 / C, or mean bag size / C. 10-NN is the plain vote; "best k" is
that with the k that errs least on the points held out.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from knnviz.bags import BagProcess, Kind
from knnviz.bounds import errandonea
from knnviz.labs.engine import (
    TO_COME,
    ByName,
    Cell,
    Choice,
    Count,
    Float,
    Int,
    Lab,
    LogInt,
    Memo,
    Panel,
    Range,
    Seed,
    Shown,
    Values,
    columns,
    rows,
)
from knnviz.labs.parts import bag_menus, risk_curve
from knnviz.labs.parts.bag_menus import BAND_TIP, C1, FALLBACKS, KINDS, named
from knnviz.labs.parts.data import next_seed
from knnviz.learnability.comparison import (
    BagSplit,
    Preparation,
    bag_vote_errors,
    best_votes,
    n_train,
    rule_outcome,
)
from knnviz.neighbors import NeighborTable
from knnviz.rules import Adaptive, PartialAdaptive
from knnviz.views import marks, style
from knnviz.views import risk as risk_view
from knnviz.views.layers import Annotations, Axes, Layer, Lines, Points

#: Values of the bag noise nu, the largest of them, the largest T, and k of the plain vote.
NOISES = tuple(round(0.1 * j, 1) for j in range(9))
LARGEST_NU = NOISES[-1]
LARGEST_T = 200
VOTE_K = 10
NUS = np.array(NOISES)

#: Preparations, and the least number of training points for each.
PREPARATIONS = {"vision": 51, "tabular": 101, "raw": 1}


#: Values of rules, by their names.
ByRule = dict[str, np.ndarray]


class RuleStyle(NamedTuple):
    """How the curve of a rule is drawn; ``marker`` is an index in ``style.MARKERS``.

    Its name stands above it ``along`` the axis at this part of it, or right of its end.
    """

    color: str
    along: float = 1.0
    marker: int | None = None
    dash: tuple[float, ...] = ()
    width: float = 2.5


#: Rules, whose k is chosen at each point, fixed, or the best by the test labels.
PARTIAL = "PL A-kNN"
VOTE = "10-NN"
CLASSES = "A-kNN 1/C"
BAG_SIZE = "A-kNN size/C"
BEST = "best k"
STYLES = {
    PARTIAL: RuleStyle(style.CLASS_COLORS[0], marker=0, width=4.0),
    VOTE: RuleStyle(style.CLASS_COLORS[1], marker=1, dash=(9, 4)),
    CLASSES: RuleStyle(style.CLASS_COLORS[2], 0.2, marker=2),
    BAG_SIZE: RuleStyle(style.CLASS_COLORS[7], 0.6, marker=3, dash=(9, 4)),
    BEST: RuleStyle(style.INK, dash=(2, 4), width=3.0),
}

#: The rules that are drawn, by the options of the menu.
RULES = {
    "all": tuple(STYLES),
    **{name: (name,) for name in (PARTIAL, VOTE)},
    **{f"{PARTIAL} and {name}": (PARTIAL, name) for name in (VOTE, CLASSES, BAG_SIZE)},
    f"{PARTIAL}, {VOTE} and {BEST}": (PARTIAL, VOTE, BEST),
}

#: Possible ends of the axis of errors; room at both ends of the axis of nu, for names on the right
#: of it, and above and below fractions.
TOPS = (0.25, 0.5, 0.75, 1.0)
SIDE = 0.03
NAMES_SIDE = 0.36
ROOM = 0.04

#: Size of the markers on a curve, and of the dots of splits, their opacity, and how far those of
#: rules are beside each other.
MARKER_SIZE = 9.0
DOT_SIZE = 5.0
DOT_OPACITY = 0.45
DODGE = 0.012

DATA_TIP = "A fifth of the points is held out in each split; errors are counted there"
PREPARATION_TIP = (
    "As the paper has images (vision) or tables (tabular); raw: columns standardized, pixels as "
    "they are"
)
JOIN_TIP = (
    "Each cluster and label has one probability, uniform on [0, a], with which every other label "
    "joins"
)
KIND_TIP = (
    "A random label makes the bag (in your own: replaces the true one), or the true one is lost"
)
T_TIP = "No ball has more neighbors than this, and no larger k is tried as best k"
RULES_TIP = "Rules to draw and give numbers for; the best k is chosen by the true labels held out"
LEFT_TIP = "What PL A-kNN predicts if several labels are left; A-kNN predicts the majority"

#: Where parameters of the rules that choose k have an effect.
OF_PARTIAL = {"rules": tuple(option for option, drawn in RULES.items() if PARTIAL in drawn)}

PARAMETERS = (
    "Data",
    Choice("problem", bag_menus.DATA, "*data*", DATA_TIP),
    Choice("preparation", PREPARATIONS, "*preparation*", PREPARATION_TIP),
    Int("splits", 5, 1, 20, "*splits*", "Each has clusters, probabilities and bags of its own"),
    Seed("Of all splits, clusters, probabilities and bags"),
    "Bags",
    Float("inclusion", 0.8, 0, 0.95, "largest inclusion *a*", JOIN_TIP, step=0.05),
    Choice("kind", KINDS, "*noise*", KIND_TIP),
    Float(
        "bag_noise",
        0.3,
        0,
        LARGEST_NU,
        "bag noise *nu*",
        "The noise at which the numbers are read off",
        step=0.1,
        digits=1,
    ),
    "Rules",
    Choice("rules", RULES, "rules", RULES_TIP),
    replace(C1, when=OF_PARTIAL),
    Float("delta", 0.1, 0.01, 0.5, "failure probability *delta*", BAND_TIP, when=OF_PARTIAL),
    LogInt("max_neighbors", 100, VOTE_K, LARGEST_T, "largest k *T*", T_TIP, when=OF_PARTIAL),
    Choice("fallback", FALLBACKS, "*at T*", LEFT_TIP, when=OF_PARTIAL),
)


def ranges(values: ByName) -> dict[str, Any]:
    """T up to the training points, preparations that have enough of them, and inclusions of
    simulated bags only.
    """
    size = n_train(len(named(values["problem"]).y))
    enough = tuple(name for name, least in PREPARATIONS.items() if size >= least)
    needs = f"vision needs 51 points to train on, tabular 101, and there are {size}"
    most = min(LARGEST_T, size)
    found: dict[str, Any] = {
        "preparation": Range(enough, needs),
        "max_neighbors": Range((VOTE_K, most), f"there are {size} points to train on"),
    }
    if values["problem"] in bag_menus.OWN.known:
        found["inclusion"] = None
    return found


def adjust(values: dict[str, Any], changes: ByName, before: ByName) -> None:
    noise = values["bag_noise"]
    if round(noise, 12) not in NOISES:
        raise ValueError(
            f"bag noise nu must be one of 0, 0.1, 0.2 and so on to {LARGEST_NU}, got {noise}"
        )


@dataclass(frozen=True, eq=False)
class Bagged:
    """A split with its bags (n, C) at each nu.

    ``outcomes`` are what ``judge`` found on the bags, by rule: they grow, since readers go back and
    forth.
    """

    split: BagSplit
    bags: list[np.ndarray]
    outcomes: dict[Any, np.ndarray] = field(default_factory=dict)


class Compared(NamedTuple):
    """Errors of rules (splits, J), and means (J,) of errors, of the stopping k or the best k, and
    of being decided.
    """

    errors: ByRule
    means: ByRule
    stops: ByRule
    decided: ByRule


def recipe(p: Values, memo: Memo) -> Shown:
    data = named(p.problem)
    own = p.problem in bag_menus.OWN.known
    drawn = RULES[p.rules]
    fallback = FALLBACKS[p.fallback]
    rules = rules_by_name(drawn, p.c1, p.delta, p.max_neighbors, fallback)

    def soon(at_once: bool, function: Callable[..., Any], *given: Any) -> Any:
        if at_once:
            return memo(function, *given)
        return memo.stream(once, function, *given)

    # What is not known yet is None; a saved picture waits for the first split. That has new bags
    # and outcomes of rules at once, the others have them from the background.
    which = (p.problem, p.preparation, p.seed)
    known = []
    for i in range(p.splits):
        is_first = i == 0
        if is_first:
            split = memo.refine(first_split, (False, True), *which)
        else:
            split = soon(False, draw, *which, i)
        if split is None:
            continue
        bagged = soon(is_first, with_bags, split, p.inclusion, p.kind)
        if bagged is None:
            continue
        are_known = set(rules.values()) <= bagged.outcomes.keys()
        judged = soon(is_first or are_known, judge, bagged, rules)
        if judged is not None:
            known.append((bagged, judged))

    compared = Compared({}, {}, {}, {})
    if known:
        compared = memo(compare, known, drawn)
    errors, means, stops, decided = compared
    done = (len(known), p.splits)
    source = repr(p.problem) if own else f"the {p.problem}"
    star = None
    star_shown = None
    if not own:
        star = errandonea.largest_noise(data.n_classes, p.inclusion, p.kind)
        if star <= LARGEST_NU:
            star_shown = star

    def shown(axes: Axes, of_rules: ByRule, *more: Any) -> Panel:
        return memo(panel, memo, axes, of_rules, p.bag_noise, star_shown, *more)

    panels = {"error": lambda: shown(error_axes(errors), means, errors, done, source)}
    if PARTIAL in drawn:
        top = p.max_neighbors * (1 + ROOM)
        panels["stops"] = lambda: shown(axes("stops", "Bags read", "mean number", top), stops)
        panels["decided"] = lambda: shown(
            axes("decided", "Fraction decided", "fraction", 1 + ROOM), decided
        )

    numbers: dict[str, Any] = {}
    if known:
        j = NOISES.index(p.bag_noise)
        numbers |= numbers_at(j, compared)
        if BEST in stops and len(known) < p.splits:
            numbers["best k"] = TO_COME
    if star is not None:
        numbers["nu*"] = star
    numbers["splits done"] = Count(*done)
    return Shown(panels, numbers)


# Splits.


def once(function: Callable[..., Any], *given: Any) -> Iterator[Any]:
    """One value, from the background."""
    yield function(*given)


def first_split(now: bool, problem: str, preparation: Preparation, seed: int) -> BagSplit | None:
    return draw(problem, preparation, seed, 0) if now else None


def draw(problem: str, preparation: Preparation, seed: int, number: int) -> BagSplit:
    """A split, with neighbors of the points held out; inclusions go up to 1, ``with_bags`` scales
    them.
    """
    data = named(problem)
    # Neither before the paper's pipeline for tables nor pixels.
    standardize = preparation != "tabular" and problem != "digits"
    k_max = min(LARGEST_T, n_train(len(data.y)))
    stream = np.random.SeedSequence(seed, spawn_key=(number,))
    split = BagSplit.draw(
        data.X,
        data.y,
        stream,
        bags=data.S,
        largest=1.0,
        standardize=standardize,
        k_max=k_max,
        preparation=preparation,
    )
    # Without the points among which neighbors were found: these take as much memory as the rest of
    # the split.
    return replace(split, table=NeighborTable(split.table.indices, split.table.n))


def with_bags(split: BagSplit, inclusion: float, kind: Kind) -> Bagged:
    process = replace(split.process, kind=kind)
    if isinstance(process, BagProcess):
        process = replace(process, inclusion=inclusion * process.inclusion)
    split = replace(split, process=process)
    # Noise affects each bag by itself: without any none is affected, with noise 1 all are.
    clean = split.bags(0)
    noisy = split.bags(1)
    bags = [np.where(split.draws.noise[:, None] < noise, noisy, clean) for noise in NOISES]
    return Bagged(split, bags)


def rules_by_name(
    drawn: tuple[str, ...], c1: float, delta: float, most: int, fallback: Any
) -> dict[str, Any]:
    """The rules that are drawn, of a plain vote the largest k."""
    band = (c1, delta, most)
    rules: dict[str, Any] = {
        PARTIAL: PartialAdaptive(*band, fallback),
        CLASSES: Adaptive(*band),
        BAG_SIZE: Adaptive(*band, baseline="bag_size"),
    }
    return {name: rules.get(name, most) for name in drawn}


def judge(bagged: Bagged, rules: ByName) -> ByRule:
    """By name of the rule (J, 3) error, mean stopping k and fraction of decided points, or errors
    (J, K) of the votes of the k nearest bags, up to the largest k.

    What ``outcomes`` have is taken from there, and what they lack is added.
    """
    outcomes = bagged.outcomes
    for rule in rules.values():
        if rule not in outcomes:
            outcomes[rule] = np.array([outcome(bagged.split, bags, rule) for bags in bagged.bags])
    return {name: outcomes[rule] for name, rule in rules.items()}


def outcome(split: BagSplit, bags: np.ndarray, rule: Any) -> np.ndarray:
    if isinstance(rule, int):
        return bag_vote_errors(split, bags, rule)
    return np.array(rule_outcome(split, bags, rule)[1:])


def compare(known: list[tuple[Bagged, dict[str, Any]]], drawn: tuple[str, ...]) -> Compared:
    """The rules that are drawn on the splits that are done."""
    errors = {}
    stops = {}
    decided = {}
    for name in drawn:
        of_splits = np.array([judged[name] for _, judged in known])
        if name == VOTE:
            errors[name] = of_splits[:, :, VOTE_K - 1]
            stops[name] = np.full(len(NUS), float(VOTE_K))
        elif name == BEST:
            stops[name], errors[name] = best_votes(of_splits)
        else:
            errors[name] = of_splits[:, :, 0]
            stops[name] = of_splits[:, :, 1].mean(axis=0)
            decided[name] = of_splits[:, :, 2].mean(axis=0)
    means = {name: each.mean(axis=0) for name, each in errors.items()}
    return Compared(errors, means, stops, decided)


def numbers_at(j: int, compared: Compared) -> dict[str, Any]:
    """The numbers of the rules at a noise."""
    _, means, stops, decided = compared
    numbers: dict[str, Any] = {}
    for name, mean in means.items():
        numbers[f"{name} errs"] = float(mean[j])
    for name, mean in stops.items():
        if name == BEST:
            numbers["best k"] = int(mean[j])
        elif name != VOTE:
            numbers[f"{name} stops at"] = float(mean[j])
    for name, mean in decided.items():
        numbers[f"{name} decided"] = float(mean[j])
    return numbers


# Layers.


def axes(name: str, title: str, ylabel: str, high: float) -> Axes:
    xlim = (-SIDE, LARGEST_NU + SIDE)
    xticks = NOISES[::4]
    return Axes(name, title, "bag noise ν", ylabel, xlim, (-ROOM * high, high), xticks=xticks)


def error_axes(errors: ByRule) -> Axes:
    """Axes of errors, which end on a step above all of them."""
    highest = max([each.max() for each in errors.values()], default=0.0)
    top = next(top for top in TOPS if highest <= top)
    xlim = (-SIDE, LARGEST_NU + NAMES_SIDE)
    found = axes("error", "Error on held-out points", "error", top)
    return replace(found, xlim=xlim, xticks=tuple(NOISES[::2]))


def panel(
    memo: Memo,
    axes: Axes,
    means: ByRule,
    noise: float,
    star: float | None,
    errors: ByRule | None = None,
    done: tuple[int, int] = (0, 0),
    source: str = "",
) -> Panel:
    """Means (J,) over nu by rule, nu* if it is in sight, and values at the chosen nu; of ``errors``
    also dots.
    """
    has_errors = errors is not None
    end = axes.ylim[1]
    layers: list[Layer] = []
    if has_errors:
        layers += memo(dots_of_splits, errors)
    else:
        end /= 1 + ROOM
    layers += memo(curves, means, has_errors)
    if star is not None:
        layers.append(Lines("aligned", star, (0, end), color=style.MUTED, dash=(7, 4)))
    layers.append(Lines("at_noise", noise, (0, 0.9 * end), width=1.5))

    says = f"{memo(words, means)}. The line is at nu = {noise:g}."
    if has_errors:
        n_done, n_splits = done
        says = f"Rules on bags of {source}, {n_done} of {n_splits} splits done. {says}"
        layers.append(risk_view.progress(n_done, n_splits, (LARGEST_NU, 0.03 * end)))
        if star is not None:
            align = "right" if star > LARGEST_NU / 2 else "left"
            layers.append(Annotations("aligned_name", star, 0.95 * end, ("ν*",), align=align))
        align = "left" if noise < LARGEST_NU / 2 else "right"
        text = f"ν = {noise:g}"
        given = (marks.HANDLE_HEIGHT * end, text, "bag noise", text, align)
        layers.append(marks.draggable("noise_grip", noise, *given, cross=14))
    else:
        layers.append(marks.grip(noise, axes))
    return Panel(axes, layers, lambda at: {"bag_noise": round(at.x, 1)}, says)


def curves(means: ByRule, labelled: bool) -> tuple[Layer, ...]:
    """Means (J,) by rule: lines, the first on top; then, in the order of the legend, markers or
    lines without any.
    """
    lines = list[Layer]()
    others = list[Layer]()
    for name, mean in means.items():
        color, along, marker, dash, width = STYLES[name]
        side = "left" if along == 1 else "center"
        label = name if labelled else None
        line = Lines(name, NUS, mean, color=color, width=width, dash=dash)
        if marker is None:
            others.append(marks.named_along(replace(line, label=label), along, side))
        else:
            dots = marks.dot(NUS, mean, f"{name}_marks", label, color, marker, MARKER_SIZE)
            lines.insert(0, line)
            others.append(marks.named_along(dots, along, side))
    return *lines, *others


def dots_of_splits(errors: ByRule) -> list[Points]:
    """A dot for each split and noise from errors (splits, J), those of rules beside each other."""
    layers = []
    for i, (name, each) in enumerate(errors.items()):
        x = NUS + DODGE * (i - (len(errors) - 1) / 2) + 0 * each
        color = STYLES[name].color
        dots = marks.dot(x.ravel(), each.ravel(), f"{name}_splits", None, color, 0, DOT_SIZE)
        layers.append(replace(dots, opacity=DOT_OPACITY))
    return layers


def words(means: ByRule) -> str:
    """Means (J,) at both ends of nu."""
    if not means:
        return "Nothing is known yet"
    ends = []
    for name, mean in means.items():
        ends.append(f"{name} {mean[0]:.4g} at 0, {mean[-1]:.4g} at {LARGEST_NU}")
    return "; ".join(ends)


THIRDS = {f"{name} errs": 3 for name in STYLES}


class BagNoiseLab(Lab):
    """Errors, stopping k and decided fractions of rules on bags over the bag noise nu, as means
    over splits of data.

    ``data`` are bags of the reader's own: a ``BagTable``, as ``from_bags`` makes it, or points X
    (n, d), bags S (n, C) of 0 and 1, and true classes y (n,). The lab then opens as the paper has
    it for real data: noise removes the true label, T is 50, or all training points if they are
    fewer, and the preparation is "tabular" if they are enough.

    Source: Errandonea et al., section 4.

    Examples
    --------
    >>> from knnviz.labs import BagNoiseLab
    >>> found = BagNoiseLab(problem="wine", splits=2).readout()
    >>> found["PL A-kNN errs"], found["10-NN errs"]
    (0.152778, 0.25)
    """

    title = "Noisy bags"
    table = PARAMETERS
    ranges = ranges
    adjust = adjust
    recipe = recipe
    parts = (risk_curve,)
    own_data = bag_menus.OWN
    decimals = THIRDS
    layout = columns(
        Cell("error", height=400),
        rows(Cell("stops", height=210), Cell("decided", height=210)),
        ratios=(2, 1),
    )
    buttons = (("New splits", "Draw splits and bags again with the next seed", next_seed),)

    def __init__(self, data: Any = None, **options: Any) -> None:
        if data is not None:
            data = bag_menus.table(data)
            size = n_train(len(data.y))
            if size < VOTE_K:
                raise ValueError(
                    f"{data.name} leaves {size} points to train on, and {VOTE_K} neighbors vote"
                )
            opening = {"kind": "removal", "max_neighbors": min(50, size)}
            opening["preparation"] = "tabular" if size >= PREPARATIONS["tabular"] else "raw"
            options = opening | options
        super().__init__(data, **options)
