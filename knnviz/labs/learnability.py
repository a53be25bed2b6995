"""LearnabilityLab: what bags tell of labels, whatever the learner, and what counting them tells."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, Self

import numpy as np

from knnviz import learnability
from knnviz.labs.engine.parameters import Choice, Int, within
from knnviz.labs.engine.scenes import Preset
from knnviz.labs.engine.stages import stage
from knnviz.labs.processes import EDITED, ETAS, PARTS, ProcessLab, chances_of, etas_of
from knnviz.labs.sheets import Sheet, SheetLab
from knnviz.learnability.conditions import TIE
from knnviz.learnability.places import misaligned_share, where_first
from knnviz.views import learnability as view
from knnviz.views import marks, style
from knnviz.views.layers import Axes, Layer, Panel
from knnviz.weights import nearest

#: What may stand beside the world on show.
BESIDE = ("nothing", "swapped", "same bags")

#: Where the axis of bags may end.
TOPS = (0.25, 0.5, 0.75, 1.03)

SCREEN = Sheet(
    (960, 690),
    more={
        "segment": (66, 40, 372, 290),
        "triangle": (56, 40, 392, 327),
        "shares": (524, 40, 176, 230),
        "process": (778, 40, 168, 290),
        "told": (36, 500, 424, 180),
        "bags": (524, 428, 422, 168),
    },
    legend={"legend_left": 8},
)
PROJECTOR = Sheet(
    (667, 506),
    more={
        "segment": (64, 36, 244, 176),
        "triangle": (64, 36, 228, 200),
        "shares": (370, 36, 108, 138),
        "process": (540, 36, 116, 214),
        "told": (16, 348, 366, 146),
        "bags": (430, 312, 226, 104),
    },
    scale=1.5,
    legend={"legend_size": 12.0, "legend_left": 48},
)

#: Sizes of letters in the table of M, its digits, and sizes in what is said: on a screen and in a lecture hall.
NUMBERS, DIGITS, WORDS = (14.0, 12.0), (3, 2), (15.0, 13.0)

SECTION = "Errandonea et al., section 2"
MODELS = "Errandonea et al., appendix A"


class World(NamedTuple):
    """A process and P(y | x)."""

    process: np.ndarray
    eta: np.ndarray

    @property
    def law(self) -> np.ndarray:
        """Its bags (2^C,)."""
        return learnability.bag_law(*self)


class LearnabilityLab(ProcessLab, SheetLab):
    """The simplex of P(y | x) with the label that is best and the one in most bags, the bags, and the matrix M."""

    title = "which bags can be learned from"
    sheets = (SCREEN, PROJECTOR)
    number_names: Mapping[str, str] = {
        "rank": "rank of M",
        "reconstructible": "reconstructible",
        "aligned_process": "aligned at every eta",
        "aligned": "aligned at eta",
        "best_label": "best label",
        "counted_label": "in most bags",
        "sample_label": "in most bags drawn",
        "decoded_label": "by least squares",
        "theta": "counting costs theta",
        "misaligned_share": "counting errs on",
        "mean_bag_size": "labels in a bag",
        "law_gap": "bags differ by",
    }

    beside = Choice(BESIDE[0], BESIDE).tag(
        label="beside it",
        group="Other world",
        tip="A world with the same bags: best and counted label change places, or another P(y | x) under the same M",
    )
    n = Int(0, min=0, max=2000, step=10).tag(
        label="bags drawn", symbol="n", tip="Bags in a sample at x; with none the shares are exact"
    )

    order = ("model", "n_classes", *ETAS, "beside", "n", "seed", "column")

    presets = (
        Preset("Labels themselves", SECTION, {"model": "labels themselves"}),
        Preset("Two never apart", SECTION, {"model": "two never apart", "beside": BESIDE[2]}),
        Preset("A mixture of two", SECTION, {"model": "a mixture of two", "beside": BESIDE[2]}),
        Preset("All but one wrong label", SECTION, {"model": "all but one wrong label"}),
        Preset("Mostly right", SECTION, {"model": "mostly right"}),
        Preset("Permutation", SECTION, {"model": "permutation"}),
        Preset("Permutation, swapped", "Errandonea et al., Theorem 3.1", {"model": "permutation", "beside": BESIDE[1]}),
        Preset("Never alone", SECTION, {"model": "never alone"}),
        Preset("Always both", SECTION, {"model": "always both", "beside": BESIDE[2]}),
        Preset("First expert", f"{MODELS}.5", {"model": "first expert"}),
        Preset("Second expert", f"{MODELS}.5", {"model": "second expert"}),
        *(Preset(name, MODELS, {"model": name}) for name in learnability.MODELS),
    )

    def show_process(self, process: np.ndarray, eta: np.ndarray | None = None) -> Self:
        """Show a process M (2^C, C) of two or three labels, and P(y | x) (C,) if it is given.

        Raises ValueError for arrays that are none.
        """
        process = learnability.matrix.checked(process)
        n_classes = process.shape[1]
        if n_classes not in (2, 3):
            raise ValueError(f"the lab shows two or three labels, got {n_classes}")
        if eta is None:
            eta = self.eta if self.n_classes == n_classes else np.full(n_classes, 1 / n_classes)
        process, eta = learnability.matrix.checked_point(process, eta)
        return self.set(model=EDITED, n_classes=n_classes, **chances_of(process), **etas_of(eta))

    def hidden(self, values: Mapping[str, Any]) -> set[str]:
        """A sample has a seed as well."""
        hidden = super().hidden(values)
        return hidden - {"seed"} if values["n"] else hidden

    def actions(self) -> list[tuple[str, str, Callable[[], Any]]]:
        """Buttons: bags or a model drawn anew, and back to the start."""
        _, *others = super().actions()
        return [("New sample", "Draw the bags, or a model's process, with the next seed", self.new_sample), *others]

    def new_sample(self) -> Self:
        """Draw with the next seed; ValueError where nothing is drawn."""
        if "seed" in self.hidden(self.values):
            raise ValueError("nothing is drawn here: choose more than 0 bags drawn, or a model that draws its process")
        return super().new_sample()

    def pick(self, panel: str, x: float, y: float, mark: str | None = None, index: int = 0) -> dict[str, Any]:
        """A place on the simplex is P(y | x) in hundredths; one in the table is a column to edit."""
        if panel == "process":
            return {"column": f"label {int(within(np.floor(x), (0, self.n_classes - 1)))}"}
        if panel != "simplex":
            return {}
        eta = nearest(view.eta_at(x, y, self.n_classes), PARTS)
        return dict(zip(ETAS, eta.round(12).tolist(), strict=False))

    @stage
    def world(self) -> World:
        """The world on show."""
        return World(self.process, self.eta)

    @stage
    def together(self) -> np.ndarray:
        """C (C, C), how often bags hold two labels."""
        return learnability.cooccurrence(self.process)

    @stage
    def held(self) -> np.ndarray:
        """P(S_y | x) (C,)."""
        return learnability.frequency(*self.world)

    @stage
    def other(self) -> World | None:
        """The world beside this one, with the same bags; None if none is asked for, or there is none."""
        if self.beside == BESIDE[0]:
            return None
        if self.beside == BESIDE[1]:
            right = learnability.best(self.eta)[self.counted]
            return None if right else World(*learnability.swap(*self.world))
        ends = learnability.other_etas(*self.world)
        return World(self.process, ends[0]) if ends else None

    @stage
    def counted(self) -> int:
        """The label in most bags, the smallest of several."""
        return int(learnability.best(self.held).argmax())

    @stage
    def sample(self) -> np.ndarray | None:
        """Shares of the bags (2^C,) in a sample; None without one."""
        if not self.n:
            return None
        stream = np.random.default_rng(self.seed)
        y = (stream.random(self.n)[:, None] >= np.cumsum(self.eta)[:-1]).sum(axis=1)
        bags = learnability.draw_bags(self.process, y, stream)
        codes = (bags << np.arange(self.n_classes)).sum(axis=1)
        return np.bincount(codes, minlength=2**self.n_classes) / self.n

    @stage
    def sample_held(self) -> np.ndarray | None:
        """Shares of the sample's bags that hold each label (C,); None without one."""
        return None if self.sample is None else self.sample @ learnability.every_bag(self.n_classes)

    @stage
    def decoded(self) -> np.ndarray | None:
        """eta (C,) by least squares from the bags of the sample or, without one, of x; None where M forbids it."""
        if not self.reconstructible:
            return None
        return learnability.decode(self.process, self.world.law if self.sample is None else self.sample)

    @stage
    def reconstructible(self) -> bool:
        """Whether the columns of M are independent."""
        return learnability.is_reconstructible(self.process)

    @stage
    def counterexample(self) -> np.ndarray | None:
        """An eta (C,) at which the process is not aligned; None if there is none."""
        return learnability.misaligned(self.process)

    @stage
    def confused(self) -> tuple[np.ndarray, np.ndarray] | None:
        """Two eta that bags cannot tell apart; None if there are none."""
        return learnability.confusable(self.process)

    @stage
    def theta(self) -> float:
        """What counting bags costs at eta."""
        return float(learnability.least_theta(self.held, self.eta))

    @stage
    def wrong_share(self) -> float:
        """Share of the simplex where counting picks another label."""
        return misaligned_share(self.process)

    @stage
    def numbers(self) -> dict[str, Any]:
        """What the lab reads out."""
        found = {
            "rank": learnability.rank(self.process),
            "reconstructible": self.reconstructible,
            "aligned_process": self.counterexample is None,
            "aligned": bool(learnability.is_label_aligned(*self.world)),
            "best_label": said_set(self.eta),
            "counted_label": said_set(self.held),
            "decoded_label": None if self.decoded is None else said_set(self.decoded),
            "decoded": None if self.decoded is None else rounded(self.decoded),
            "frequency": rounded(self.held),
            "theta": self.theta,
            "misaligned_share": self.wrong_share,
            "mean_bag_size": float(self.held.sum()),
        }
        if self.sample is not None:
            found |= {"sample_label": said_set(self.sample_held)}
        if self.other is not None:
            found |= {"other_best": said_set(self.other.eta)}
            found |= {"law_gap": float(abs(self.other.law - self.world.law).max())}
        return found

    @stage
    def simplex_layers(self) -> tuple[Layer, ...]:
        """Which label is best, where counting errs, two eta that bags cannot tell apart, one that is not aligned."""
        n_classes, etas = self.n_classes, view.etas(self.n_classes)
        wrong = learnability.least_theta(etas @ self.together.T, etas) > TIE
        ground = view.regions(etas.argmax(axis=1), n_classes), view.misled(wrong, n_classes)
        found = *view.pair(self.confused, "the same bags"), view.witness(self.counterexample)
        if n_classes == 2:
            return *ground, *view.held_lines(self.together), *found
        parts = [where_first(self.together, label) for label in range(n_classes)]
        return *ground, *view.frame(), view.borders(parts), *found

    @stage
    def eta_layers(self) -> tuple[Layer, ...]:
        """P(y | x) of this world, and of the one beside it."""
        if self.other is None:
            return view.handle(self.eta)
        return view.other_eta(self.other.eta, self.eta), *view.handle(self.eta, self.other.eta)

    @stage
    def share_layers(self) -> tuple[Layer, ...]:
        """P(y | x) and P(S_y | x), with those of the other world and of the sample."""
        others = () if self.other is None else (view.beside_truth(self.other.eta),)
        sample = () if self.sample is None else (view.seen("sample_held", self.sample_held),)
        return *view.shares(self.eta, self.held), *others, *sample

    @stage
    def bag_layers(self) -> tuple[Layer, ...]:
        """Bags of this world, of the one beside it, and of the sample."""
        other = None if self.other is None else self.other.law
        sample = () if self.sample is None else (view.drawn_bags(self.sample, 1 if other is None else 2),)
        return *view.law(self.world.law, other), *sample

    @stage
    def table_layers(self) -> tuple[Layer, ...]:
        """M."""
        look = NUMBERS[self.projected], DIGITS[self.projected], self.sheet.more["process"][3]
        return view.table(self.process, int(self.column[-1]), *look)

    @stage
    def said(self) -> list[str]:
        """What there is to say, line by line, with a tick before what is good news."""
        rank, n_classes = learnability.rank(self.process), self.n_classes
        can = "tell" if self.reconstructible else "cannot tell"
        lines = [(f"rank {rank} of {n_classes}: the bags {can}", self.reconstructible)]
        always = self.counterexample is None
        where = "aligned at every η" if always else f"not aligned at η = {told(self.counterexample)}"
        lines.append((where, always))
        cost = "" if self.theta <= TIE else f", costs {self.theta:.3g}"
        here = f"here: best {said_set(self.eta, '/')}, in most bags {said_set(self.held, '/')}{cost}"
        lines.append((here, bool(learnability.is_label_aligned(*self.world))))
        lines.append(self.said_decoded)
        if self.beside != BESIDE[0]:
            lines.append(self.said_beside)
        return [f"{'✓' if good else '✗'} {text}" for text, good in lines]

    @property
    def said_decoded(self) -> tuple[str, bool]:
        """What least squares makes of the bags, and whether its label is a best one."""
        if self.decoded is None:
            return "least squares cannot tell", False
        source = "least squares gives" if self.sample is None else "the sample gives"
        right = learnability.best(self.eta)[self.decoded.argmax()]
        return f"{source} {told(self.decoded)}", bool(right)

    @property
    def said_beside(self) -> tuple[str, bool]:
        """What there is to say of the other world, and whether the labels that are best in it are those of this one."""
        if self.other is None:
            return "nothing to swap here" if self.beside == BESIDE[1] else "no other η has these bags", True
        alike = (learnability.best(self.other.eta) == learnability.best(self.eta)).all()
        return f"same bags, other world: best {said_set(self.other.eta)}", bool(alike)

    @stage
    def panels(self) -> tuple[Panel, ...]:
        """The simplex, the shares at eta and M above; what is said, and the bags, below."""
        lines, place = [(line, style.INK) for line in self.said], self.sheet.more["told"]
        told_axes, told_layers = marks.told("told", "What follows", lines, place, WORDS[self.projected])
        simplex = *self.simplex_layers, *self.eta_layers
        stacks = simplex, self.share_layers, self.table_layers, told_layers, self.bag_layers
        return tuple(map(Panel, (*self.axes[:3], told_axes, self.axes[3]), stacks))

    @stage(compare_values=True)
    def top(self) -> float:
        """Where the axis of bags ends."""
        tallest = max(self.world.law.max(), 0.0 if self.sample is None else self.sample.max())
        return next((top for top in TOPS if tallest <= 0.97 * top), TOPS[-1])

    @stage
    def axes(self) -> tuple[Axes, ...]:
        """The frames of the panels."""
        places, n_classes = self.sheet.more, self.n_classes
        frames = (
            view.axes(n_classes, places["segment" if n_classes == 2 else "triangle"]),
            view.share_axes(n_classes, places["shares"]),
            view.table_axes(n_classes, places["process"]),
            view.bag_axes(n_classes, self.top, places["bags"]),
        )
        return self.sheet.framed(frames)

    @stage
    def alt(self) -> str:
        """The picture in words and numbers."""
        head = f"Bags of {self.n_classes} labels, {self.model}, at P(y | x) = {told(self.eta)}."
        shown = f"{view.describe_table(self.process)} {view.describe(self.eta, self.held)}"
        return f"{head} {shown} {'. '.join(self.said)}. {self.numbers_text()}."


def told(values: np.ndarray) -> str:
    """A few shares as a reader writes them."""
    return f"({', '.join(f'{value:.3g}' for value in np.round(values, 3) + 0.0)})"


def rounded(values: np.ndarray) -> tuple[float, ...]:
    """The same to six decimals."""
    return tuple((np.round(values, 6) + 0.0).tolist())


def said_set(scores: np.ndarray, between: str = " or ") -> str:
    """The labels with the largest score, as a reader writes them."""
    return between.join(map(str, np.flatnonzero(learnability.best(scores))))
