"""ImbalanceLab: classes whose priors follow Zipf's distribution, and weights that undo them in part or in full.

The weight of a class is its prior to the power -a: a = 0 gives equal weights, and a = 1 undoes the prior.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from knnviz import problems
from knnviz.labs.imbalance.decisions import A_VALUES, READOUT_KEYS, Decisions, NormalClasses
from knnviz.labs.imbalance.panels import FractionPanel, LinePanel, ScorePanel
from knnviz.labs.old_engine import Cell, Choice, Component, Float, Input, Int, Lab, Preset, Seed, columns, rows, stage
from knnviz.labs.old_parts.buttons import Button, new_sample
from knnviz.labs.old_parts.line_sample import LineSample, WindowVotes
from knnviz.labs.old_parts.sizes import LARGEST_SLIDER_K

BAYES, KNN = RULES = ("Bayes rule", "kNN")

#: Formats of numbers that are pairs: a best score and its a; a count and its expectation.
BEST, COUNT = "{:.4f} at a = {:.2f}", "{}, expected {:.4g}"
PAIRS = {f"best_{name}": BEST for name in READOUT_KEYS.values()} | {"seen": COUNT, "singletons": COUNT}

ZIPF = "normal clouds with Zipf's prior"


class SampleButton(Component):
    """The button that draws another sample; the Bayes classifier uses none."""

    sampled: bool = Input()

    def actions(self) -> list[Button]:
        return [(*new_sample(self.lab)[:2], self.draw)]

    def draw(self) -> Lab:
        """Set the next seed; ValueError if the rule uses no sample."""
        if not self.sampled:
            raise ValueError(f"The {BAYES} reads no sample: choose {KNN} to draw one")
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
        Preset("A thousand points", ZIPF, {"rule": KNN, "a": 0.5}),
        Preset("A hundred points", ZIPF, {"rule": KNN, "n": 100, "k": 5, "classes": 12, "a": 1.0}),
    )

    classes_on_line = NormalClasses()
    a = Float(0.0, min=0, max=1).tag(
        label="weights, exponent",
        symbol="a",
        group="Weights",
        tip="q_c is proportional to prior_c^-a: 1 undoes the prior",
    )
    rule = Choice(BAYES, RULES).tag(
        label="rule", group="Rule", tip="What is weighed: the true eta, or the fractions of k votes"
    )
    n = Int(1000, min=50, max=8000, step=50).tag(
        label="sample size", symbol="n", tip="Number of training points", when={"rule": (KNN,)}
    )
    k = Int(50, min=1, max=LARGEST_SLIDER_K).tag(
        label="neighbors", symbol="k", tip="Number of neighbors that vote", when={"rule": (KNN,)}, at_most="n"
    )
    seed = Seed().tag(tip="Another seed draws another sample", when={"rule": (KNN,)})

    @property
    def sampled(self) -> bool:
        return self.rule == KNN

    data = LineSample(chosen_problem=classes_on_line.chosen_problem, n=n, seed=seed)
    votes = WindowVotes(data=data, labels=data.labels)
    decisions = Decisions(classes_on_line=classes_on_line, votes=votes, sampled=sampled, a=a, k=k)
    button = SampleButton(sampled=sampled)

    @stage
    def class_counts(self) -> np.ndarray | None:
        return np.bincount(self.data.labels, minlength=self.classes) if self.sampled else None

    line = LinePanel(decisions=decisions)
    fractions = FractionPanel(decisions=decisions, class_counts=class_counts)
    scores = ScorePanel(decisions=decisions)

    @stage
    def sample_numbers(self) -> dict[str, Any]:
        if not self.sampled:
            return {}
        counts, probabilities, n = self.class_counts, self.classes_on_line.class_probabilities, self.n
        return {
            "seen": (int((counts > 0).sum()), problems.expected_seen(probabilities, n)),
            "singletons": (int((counts == 1).sum()), problems.expected_singletons(probabilities, n)),
            "counts": tuple(counts.tolist()),
        }

    @stage
    def numbers(self) -> dict[str, Any]:
        decisions = self.decisions
        at_a = {READOUT_KEYS[name]: score for name, score in decisions.scores_at_a.items()}
        best = {f"best_{READOUT_KEYS[name]}": highest(curve) for name, curve in decisions.scores_over_a.items()}
        greedy = dict(zip(("greedy_equal", "greedy_balanced"), decisions.greedy_scores, strict=True))
        fractions = {"predicted": tuple(decisions.predicted_fractions.round(6).tolist())}
        return at_a | {"never": never(decisions.predicted_fractions)} | best | greedy | fractions | self.sample_numbers

    def shown_numbers(self) -> dict[str, str]:
        """As in every lab, and the pairs."""
        pairs = {name: text.format(*self.numbers[name]) for name, text in PAIRS.items() if name in self.numbers}
        return super().shown_numbers() | {self.number_names[name]: text for name, text in pairs.items()}


def highest(curve: np.ndarray) -> tuple[float, float]:
    """The highest score over ``A_VALUES``, and the first a at which it is reached."""
    at = int(curve.argmax())
    return round(float(curve[at]), 6), float(A_VALUES[at])


def never(predicted: np.ndarray) -> str:
    classes = np.flatnonzero(predicted == 0)
    noun = "classes" if len(classes) > 1 else "class"
    return f"{noun} {', '.join(map(str, classes))}" if len(classes) else "none"
