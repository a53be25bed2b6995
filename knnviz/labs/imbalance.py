"""ImbalanceLab: classes that fall off in size by Zipf's law, and weights that undo it in part or in full."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple, Self

import numpy as np

from knnviz import problems
from knnviz.labs.engine.parameters import Choice, Float, Int, within
from knnviz.labs.engine.scenes import Preset
from knnviz.labs.engine.stages import stage
from knnviz.labs.ground import enough
from knnviz.labs.parts.sizes import MOST_NEIGHBORS
from knnviz.labs.sheets import Sheet, SheetLab
from knnviz.labs.windows import WindowLab
from knnviz.metrics import Confusion, Weighing
from knnviz.problems import Problem
from knnviz.rules import Threshold, Weighted
from knnviz.views import imbalance as view
from knnviz.views.layers import Axes, Layer, Panel
from knnviz.weights import greedy_search

#: Who decides.
RULES = ("Bayes rule", "kNN")

#: Cells of the line over which is integrated, and every how many-th of them is drawn.
CELLS, THIN = 20_000, 20

#: Exponents a at which the scores are known.
PARTS = 100
EXPONENTS = np.arange(PARTS + 1) / PARTS

SCREEN = Sheet(
    (960, 700),
    more={"line": (66, 40, 880, 250), "shares": (66, 402, 400, 180), "scores": (546, 402, 400, 180)},
    legend={"legend_left": 8},
    most_points=600,
)
PROJECTOR = Sheet(
    (667, 604),
    more={"line": (78, 36, 566, 186), "shares": (78, 348, 252, 128), "scores": (402, 348, 252, 128)},
    scale=1.5,
    legend={"legend_size": 12.0, "legend_left": 60},
    most_points=300,
)

#: Letters of the numerals on the line, and of the zeros over the classes.
LETTERS = 14.0

#: How a best score is told with its a, and a count beside the expected one.
AT, WITH = "{:.4f} at a = {:.2f}", "{}, expected {:.4g}"

ZIPF = "normal clouds with Zipf's prior"


class Tuned(NamedTuple):
    """Scores (J,) by name over ``EXPONENTS``, and macro F1 that greedy steps reach from equal and balanced weights."""

    scores: Mapping[str, np.ndarray]
    greedy: tuple[float, float]
    cells: int

    @classmethod
    def of(cls, shares: np.ndarray, eta: np.ndarray, weights: np.ndarray, prior: np.ndarray) -> Self:
        """From what a rule reads (m, C), and eta (m, C) on cells of weights (m,)."""
        # Of two classes class 1 wins a tie, as everywhere; a weighing gives it to the first.
        turn = slice(None, None, -1 if len(prior) == 2 else 1)
        weighing = Weighing.of(shares[:, turn], eta[:, turn], weights=weights / weights.sum())
        tried = prior[turn] ** -EXPONENTS[:, None]
        scores = {score.name: replace(weighing, scoring=score.name)(tried) for score in view.SCORES}
        return cls(scores, tuple(greedy_search(weighing, tried[j]).score for j in (0, -1)), len(eta))


class ImbalanceLab(WindowLab, SheetLab):
    """Weighted classes on a line with decisions, prior beside predicted shares, and three scores over the weights."""

    title = "imbalance"
    sheets = (SCREEN, PROJECTOR)
    number_names: Mapping[str, str] = {
        "accuracy": "accuracy",
        "balanced_accuracy": "balanced accuracy",
        "macro_f1": "macro F1",
        "never": "never predicted",
        "best_accuracy": "best accuracy",
        "best_balanced_accuracy": "best balanced accuracy",
        "best_macro_f1": "best macro F1",
        "greedy_equal": "macro F1, greedy from a = 0",
        "greedy_balanced": "macro F1, greedy from a = 1",
        "seen": "classes in the sample",
        "singletons": "points alone of their class",
    }

    classes = Int(8, min=2, max=12).tag(
        label="classes", symbol="C", group="Classes", tip="Their centers are (c + 1/2) / C, from left to right"
    )
    exponent = Float(2.0, min=0, max=3, step=0.1, digits=1).tag(
        label="Zipf exponent", symbol="s", tip="The prior of class c is proportional to (c + 1)^-s"
    )
    scale = Float(0.2, min=0.05, max=0.4).tag(
        label="deviation", symbol="sigma", tip="Standard deviation of each class; what lies beyond the axis is cut off"
    )
    a = Float(0.0, min=0, max=1).tag(
        label="weights, exponent",
        symbol="a",
        group="Weights",
        tip="q_c is proportional to prior_c^-a: 1 undoes the prior",
    )
    rule = Choice(RULES[0], RULES).tag(
        label="rule", group="Rule", tip="What is weighed: the true eta, or the shares of k votes"
    )
    n = Int(1000, min=50, max=8000, step=50).tag(label="sample size", symbol="n", tip="Number of training points")
    k = Int(50, min=1, max=MOST_NEIGHBORS).tag(label="neighbors", symbol="k", tip="Number of neighbors that vote")
    seed = Int(0, min=0, max=2**32 - 1, typed=True).tag(label="seed", tip="Another seed draws another sample")

    presets = (
        Preset("Equal weights", ZIPF, {}),
        Preset("Weights of a root", ZIPF, {"a": 0.5}),
        Preset("Reciprocal weights", ZIPF, {"a": 1.0}),
        Preset("Classes of one size", "normal clouds", {"exponent": 0.0}),
        Preset("Twelve classes", ZIPF, {"classes": 12, "exponent": 1.0, "scale": 0.1}),
        Preset("A thousand points", ZIPF, {"rule": RULES[1], "a": 0.5}),
        Preset("A hundred points", ZIPF, {"rule": RULES[1], "n": 100, "k": 5, "classes": 12, "a": 1.0}),
    )

    def hidden(self, values: Mapping[str, Any]) -> set[str]:
        """The Bayes rule reads no sample."""
        return set() if values["rule"] == RULES[1] else {"n", "k", "seed"}

    def validate(self, values: Mapping[str, Any]) -> None:
        """k is at most n."""
        super().validate(values)
        enough(values["k"], values["n"])

    def slider_range(self, name: str, values: Mapping[str, Any]) -> tuple[Any, ...]:
        """k goes up to n, and n down to k, on its steps."""
        low, *_, high = ends = super().slider_range(name, values)
        if name == "k":
            return low, min(high, values["n"])
        step = self.parameters()["n"].step
        return (max(low, min(-(-values["k"] // step) * step, values["n"])), high) if name == "n" else ends

    def new_sample(self) -> Any:
        """Draw another sample: the next seed. ValueError if none is read."""
        if not self.sampled:
            raise ValueError(f"The {RULES[0]} reads no sample: choose {RULES[1]} to draw one")
        return super().new_sample()

    def pick(self, panel: str, x: float, y: float, mark: str | None = None, index: int = 0) -> dict[str, Any]:
        """A place on the scores is an a, in hundredths."""
        return {"a": within(round(x, 2), (0.0, 1.0))} if panel == "scores" else {}

    @property
    def sampled(self) -> bool:
        """Whether a sample decides."""
        return self.rule == RULES[1]

    @property
    def is_preview(self) -> bool:
        """Whether the scores over a are still those of few cells."""
        return self.tuned.cells < CELLS

    @stage
    def prior(self) -> np.ndarray:
        """How large the classes are (C,)."""
        return np.array(problems.zipf(self.classes, self.exponent))

    @stage
    def plane(self) -> Problem:
        """The distribution."""
        return problems.gaussians(self.classes, self.prior, self.scale)

    @stage
    def cells(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Places (m,) on the line, their probabilities (m,), and eta (m, C) there."""
        measure, eta = self.plane.cells(CELLS)
        return measure.points[:, 0], measure.weights, eta

    @stage
    def joint(self) -> np.ndarray:
        """Probabilities (m, C) of place and class."""
        _, weights, eta = self.cells
        return weights[:, None] * eta

    @stage
    def class_masses(self) -> np.ndarray:
        """Probabilities (C,) of the classes within the box, which cuts off a little of some."""
        return self.joint.sum(axis=0)

    @stage
    def counted(self) -> np.ndarray:
        """Training points (C,) of each class."""
        return np.bincount(self.observed, minlength=self.classes)

    @stage
    def serving(self) -> np.ndarray:
        """Which window of k points each cell (m,) has its votes from."""
        return self.windows.serving(self.cells[0], self.k)

    @stage
    def q(self) -> np.ndarray:
        """Class weights (C,) on the simplex."""
        weights = self.prior**-self.a
        return weights / weights.sum()

    def best(self, eta: np.ndarray) -> np.ndarray:
        """Decisions (m,) of the weighted Bayes rule at places of eta (m, C): class 1 of two on a tie."""
        if self.classes == 2:
            return (self.q[1] * eta[:, 1] >= self.q[0] * eta[:, 0]).view(np.uint8)
        return Weighted(self.q).decide(eta)

    @stage
    def labels(self) -> np.ndarray:
        """Decisions (m,) of the rule at the cells."""
        if not self.sampled:
            return self.best(self.cells[2])
        rule = Threshold.from_weights(self.q) if self.classes == 2 else Weighted(self.q)
        return rule.predict(self.votes, self.k)[self.serving]

    @stage
    def shares(self) -> np.ndarray:
        """What the rule weighs at the cells (m, C)."""
        return self.votes.at(self.k)[self.serving] / self.k if self.sampled else self.cells[2]

    @stage
    def entries(self) -> Confusion:
        """What the rule gets right, class by class."""
        own = self.joint[np.arange(len(self.labels)), self.labels]
        return confusion_of(self.labels, own, self.cells[1], self.class_masses)

    @stage(background=True)
    def tuned(self) -> Iterator[Tuned]:
        """Scores over a, and what greedy steps find: on few cells first."""
        prior, shares, (_, weights, eta) = self.prior, self.shares, self.cells
        for step in (THIN, 1):
            few = slice(step // 2, None, step)
            yield Tuned.of(shares[few], eta[few], weights[few], prior)

    @stage
    def predicted(self) -> np.ndarray:
        """How often each class is predicted (C,)."""
        return self.entries.tp + self.entries.fp

    @stage
    def never(self) -> str:
        """The classes that are never predicted, by name."""
        silent = np.flatnonzero(self.predicted == 0)
        many = "classes" if len(silent) > 1 else "class"
        return f"{many} {', '.join(map(str, silent))}" if len(silent) else "none"

    @stage
    def numbers(self) -> dict[str, Any]:
        """What the lab reads out."""
        entries, (scores, greedy, _) = self.entries, self.tuned
        here = {name: getattr(entries, name) for name in ("accuracy", "balanced_accuracy", "macro_f1")}
        best = {}
        for name, curve in zip(here, scores.values(), strict=True):
            j = int(curve.argmax())
            best[f"best_{name}"] = round(float(curve[j]), 6), float(EXPONENTS[j])
        found = {"greedy_equal": greedy[0], "greedy_balanced": greedy[1]}
        shares = {"predicted": tuple(self.predicted.round(6).tolist())}
        return here | {"never": self.never} | best | found | shares | self.sample_numbers

    @stage
    def sample_numbers(self) -> dict[str, Any]:
        """Classes that the sample holds, and points that are alone of their class, beside what was to be expected."""
        if not self.sampled:
            return {}
        counted, prior, n = self.counted, self.prior, self.n
        seen, alone = problems.expected_seen(prior, n), problems.expected_singletons(prior, n)
        told = {"seen": (int((counted > 0).sum()), seen), "singletons": (int((counted == 1).sum()), alone)}
        return told | {"counts": tuple(counted.tolist())}

    def shown_numbers(self) -> dict[str, str]:
        """The numbers on screen: the best scores with their a, counts with what was to be expected."""
        pairs = {
            "best_accuracy": AT,
            "best_balanced_accuracy": AT,
            "best_macro_f1": AT,
            "seen": WITH,
            "singletons": WITH,
        }
        told = {
            self.number_names[key]: words.format(*self.numbers[key])
            for key, words in pairs.items()
            if key in self.numbers
        }
        return super().shown_numbers() | told

    @stage
    def at(self) -> np.ndarray:
        """Places (r,) that are drawn."""
        return self.cells[0][THIN // 2 :: THIN]

    @stage
    def heights(self) -> np.ndarray:
        """Prior times density (r, C) at these places, the largest class 1 high."""
        joint = self.joint[THIN // 2 :: THIN]
        return joint / joint[:, 0].max()

    @stage
    def voted(self) -> np.ndarray:
        """The same with shares of the votes in place of eta."""
        few = slice(THIN // 2, None, THIN)
        return self.shares[few] * self.heights.sum(axis=1)[:, None]

    @stage
    def lift(self) -> np.ndarray:
        """What the curves are multiplied by (C,): the weights, that of the largest class as 1."""
        return self.q / self.q[0]

    @stage
    def curve_layers(self) -> tuple[Layer, ...]:
        """The weighted classes, by the votes too if a sample decides, and their numerals."""
        true = self.heights * self.lift
        dash, label = ((7, 4), "true") if self.sampled else ((), None)
        drawn = view.curves(self.at, true, "true", label, width=2.5, dash=dash)
        if self.sampled:
            drawn += view.curves(self.at, self.voted * self.lift, "voted", "by the votes", width=1.2)
        centers = (np.arange(self.classes) + 0.5) / self.classes
        return *drawn, view.numerals(centers, true.max(axis=0), LETTERS)

    @stage
    def strip_layers(self) -> tuple[Layer, ...]:
        """Decisions along the line; those of the Bayes rule beneath, and the sample, if a sample decides."""
        frame, few, layers = self.line_axes, slice(THIN // 2, None, THIN), []
        held = {"decisions": self.labels[few]} | ({"best": self.best(self.cells[2][few])} if self.sampled else {})
        for place, (name, labels) in enumerate(held.items()):
            layers += [view.strip(place, frame.xlim, labels, self.classes, name)]
            layers += [view.strip_numerals(place, frame, labels, f"{name}_numerals", LETTERS)]
        return *layers, *self.point_layers

    @stage
    def point_layers(self) -> tuple[Layer, ...]:
        """The first training points, if a sample decides."""
        if not self.sampled:
            return ()
        few = slice(0, self.sheet.most_points)
        return (view.points(self.drawn.X[few, 0], self.observed[few], self.classes, 2),)

    @stage
    def share_layers(self) -> tuple[Layer, ...]:
        """Prior and predicted shares, those of the sample, and what is never predicted."""
        ticks = (view.sample_ticks(self.counted / self.n),) if self.sampled else ()
        return *view.share_bars(self.prior, self.predicted), *ticks, view.never(self.predicted, LETTERS)

    @stage
    def starts(self) -> tuple[float, float]:
        """Macro F1 from which greedy steps climb."""
        curve = self.tuned.scores["f1_macro"]
        return float(curve[0]), float(curve[-1])

    @stage(compare_values=True)
    def score_limits(self) -> tuple[float, float]:
        """Where the axis of scores ends."""
        return view.room(self.tuned.scores, self.tuned.greedy)

    @stage
    def score_curves(self) -> tuple[Layer, ...]:
        """Scores over a, their best a, and what greedy steps find."""
        scores, greedy, _ = self.tuned
        curves = view.score_curves(EXPONENTS, scores)
        return *curves, view.best(EXPONENTS, scores), *view.climbs(self.starts, greedy)

    @stage
    def score_layers(self) -> tuple[Layer, ...]:
        """These curves, and the a in hand."""
        names = zip(view.SCORES, ("accuracy", "balanced_accuracy", "macro_f1"), strict=True)
        here = {score.name: getattr(self.entries, name) for score, name in names}
        return *self.score_curves, view.here(self.a, here), *view.hand(self.a, self.score_limits)

    @stage
    def panels(self) -> tuple[Panel, ...]:
        """The line above, shares and scores below."""
        layers = (*self.strip_layers, *self.curve_layers), self.share_layers, self.score_layers
        return tuple(map(Panel, self.axes, layers))

    @stage
    def line_axes(self) -> Axes:
        """The frame of the line."""
        strips = ("kNN", "Bayes") if self.sampled else ("Bayes",)
        return view.axes(self.sheet.more["line"], self.plane.box[0], strips, self.sampled)

    @stage
    def axes(self) -> tuple[Axes, ...]:
        """The frames of the panels."""
        places = self.sheet.more
        frames = (
            self.line_axes,
            view.share_axes(places["shares"], self.classes),
            view.score_axes(places["scores"], self.score_limits),
        )
        return self.sheet.framed(frames)

    @stage
    def alt(self) -> str:
        """The picture in words and numbers."""
        rule = f"kNN with k = {self.k} on {self.n} points" if self.sampled else self.rule
        return f"{view.describe(self.a, self.prior, self.predicted, rule)} {self.numbers_text()}."


def confusion_of(labels: np.ndarray, own: np.ndarray, weights: np.ndarray, prior: np.ndarray) -> Confusion:
    """Entries of decisions (m,) on cells of weights (m,): ``own`` (m,) is what of each is of the class decided for."""
    said, hits = (np.bincount(labels, part, len(prior)) for part in (weights, own))
    return Confusion(1 - said - prior + hits, prior - hits, said - hits, hits)
