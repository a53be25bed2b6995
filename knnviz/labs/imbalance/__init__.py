"""ImbalanceLab: classes that fall off in size by Zipf's distribution, and weights that undo it in part or in full."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from knnviz import problems
from knnviz.labs.engine import Cell, Choice, Component, Float, Input, Int, Lab, Preset, Seed, columns, rows, stage
from knnviz.labs.imbalance.decisions import EXPONENTS, SHOWN, Decisions, NormalClasses
from knnviz.labs.imbalance.panels import FractionPanel, LinePanel, ScorePanel
from knnviz.labs.parts.buttons import Button, new_sample
from knnviz.labs.parts.line_sample import LineSample, WindowVotes
from knnviz.labs.parts.sizes import MOST_NEIGHBORS

RULES = ("Bayes rule", "kNN")

#: How a best score is shown with its a, and a count beside the expected one.
AT, WITH = "{:.4f} at a = {:.2f}", "{}, expected {:.4g}"
PAIRS = {f"best_{name}": AT for name in SHOWN.values()} | {"seen": WITH, "singletons": WITH}

ZIPF = "normal clouds with Zipf's prior"


class SampleButton(Component):
    """The button for another sample, if the rule reads one."""

    sampled: bool = Input()

    def actions(self) -> list[Button]:
        return [(*new_sample(self.lab)[:2], self.draw)]

    def draw(self) -> Lab:
        """The next seed; ValueError if no sample is read."""
        if not self.sampled:
            raise ValueError(f"The {RULES[0]} reads no sample: choose {RULES[1]} to draw one")
        return self.lab.set(seed=self.lab.seed + 1)


class ImbalanceLab(Lab):
    """Weighted classes on a line, their priors beside predicted fractions, and three scores over the weights.

    Source: Khim et al., section 6.

    Examples
    --------
    >>> from knnviz.labs import ImbalanceLab
    >>> found = ImbalanceLab(classes=8, exponent=2.0).readout()
    >>> found["accuracy"], found["balanced_accuracy"], found["never"]
    (0.669685, 0.265491, 'class 1')
    """

    title = "imbalance"
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
    layout = rows(Cell("line", height=220), columns(("fractions", 0.46), ("scores", 0.46)))

    presets = (
        Preset("Equal weights", ZIPF, {}),
        Preset("Weights of a root", ZIPF, {"a": 0.5}),
        Preset("Reciprocal weights", ZIPF, {"a": 1.0}),
        Preset("Classes of one size", "normal clouds", {"exponent": 0.0}),
        Preset("Twelve classes", ZIPF, {"classes": 12, "exponent": 1.0, "scale": 0.1}),
        Preset("A thousand points", ZIPF, {"rule": RULES[1], "a": 0.5}),
        Preset("A hundred points", ZIPF, {"rule": RULES[1], "n": 100, "k": 5, "classes": 12, "a": 1.0}),
    )

    world = NormalClasses()
    a = Float(0.0, min=0, max=1).tag(
        label="weights, exponent",
        symbol="a",
        group="Weights",
        tip="q_c is proportional to prior_c^-a: 1 undoes the prior",
    )
    rule = Choice(RULES[0], RULES).tag(
        label="rule", group="Rule", tip="What is weighed: the true eta, or the fractions of k votes"
    )
    n = Int(1000, min=50, max=8000, step=50).tag(
        label="sample size", symbol="n", tip="Number of training points", when={"rule": RULES[1:]}
    )
    k = Int(50, min=1, max=MOST_NEIGHBORS).tag(
        label="neighbors", symbol="k", tip="Number of neighbors that vote", when={"rule": RULES[1:]}, at_most="n"
    )
    seed = Seed().tag(tip="Another seed draws another sample", when={"rule": RULES[1:]})

    @property
    def sampled(self) -> bool:
        return self.rule == RULES[1]

    data = LineSample(chosen_problem=world.chosen_problem, n=n, seed=seed)
    votes = WindowVotes(data=data, labels=data.labels)
    decisions = Decisions(world=world, votes=votes, sampled=sampled, a=a, k=k)
    button = SampleButton(sampled=sampled)

    @stage
    def counted(self) -> np.ndarray | None:
        return np.bincount(self.data.labels, minlength=self.classes) if self.sampled else None

    line = LinePanel(world=world, data=data, decisions=decisions, sampled=sampled)
    fractions = FractionPanel(world=world, decisions=decisions, counted=counted)
    scores = ScorePanel(decisions=decisions, a=a)

    @stage
    def sample_numbers(self) -> dict[str, Any]:
        if not self.sampled:
            return {}
        counted, prior, n = self.counted, self.world.prior, self.n
        seen, alone = problems.expected_seen(prior, n), problems.expected_singletons(prior, n)
        found = {"seen": (int((counted > 0).sum()), seen), "singletons": (int((counted == 1).sum()), alone)}
        return found | {"counts": tuple(counted.tolist())}

    @stage
    def numbers(self) -> dict[str, Any]:
        decisions = self.decisions
        here = {SHOWN[name]: score for name, score in decisions.here.items()}
        best = {f"best_{SHOWN[name]}": highest(curve) for name, curve in decisions.curves.items()}
        greedy = dict(zip(("greedy_equal", "greedy_balanced"), decisions.greedy, strict=True))
        fractions = {"predicted": tuple(decisions.predicted.round(6).tolist())}
        return here | {"never": never(decisions.predicted)} | best | greedy | fractions | self.sample_numbers

    def shown_numbers(self) -> dict[str, str]:
        """As in every lab; the best scores with their a, counts with what was to be expected."""
        pairs = {name: text.format(*self.numbers[name]) for name, text in PAIRS.items() if name in self.numbers}
        return super().shown_numbers() | {self.number_names[name]: text for name, text in pairs.items()}


def highest(curve: np.ndarray) -> tuple[float, float]:
    """The highest score over ``EXPONENTS``, and the first a at which it is reached."""
    at = int(curve.argmax())
    return round(float(curve[at]), 6), float(EXPONENTS[at])


def never(predicted: np.ndarray) -> str:
    silent = np.flatnonzero(predicted == 0)
    many = "classes" if len(silent) > 1 else "class"
    return f"{many} {', '.join(map(str, silent))}" if len(silent) else "none"
