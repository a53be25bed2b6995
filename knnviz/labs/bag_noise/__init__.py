"""BagNoiseLab: errors, stopping k and decided fractions of rules as their training bags grow noisier.

A bag is a candidate label set. Points are in five clusters; in each, every label has a probability, its inclusion, with
which it adds each other one to its bag. With probability nu, the bag noise, the bag is made of another or a random
label, or loses the true one. J is the number of values of nu. A cluster is aligned if the true label is in more bags
than any other, whichever label it is; below nu* every cluster is, whatever is drawn. A split holds out points, on which
errors are counted; a preparation changes the points before neighbors are found.

The rules: "partial" is adaptive kNN for partial labels (PL A-kNN). Adaptive kNN (A-kNN) stops once the leading label
exceeds its baseline by a band: 1 / C in "classes", mean bag size / C in "bag_size". "vote" is the plain vote of 10-NN,
"best" that with the k that errs least on the points held out.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from knnviz.labs.bag_noise.data import Splits
from knnviz.labs.bag_noise.panels import ErrorPanel, NoisePanel
from knnviz.labs.bag_noise.splits import LARGEST_T, NOISES, VOTE_K, Run, training_size
from knnviz.labs.old_engine import Choice, Component, Float, Lab, LogInt, Preset, columns, default_limits, rows, stage
from knnviz.labs.old_parts.bag_choices import FALLBACKS
from knnviz.learnability.comparison import BagRule
from knnviz.repeats import nan_mean
from knnviz.rules import Adaptive, PartialAdaptive

#: Seconds between two pictures of curves that fill in.
PAUSE = 0.1

#: Keys of numbers by rule: of its error, its mean stopping k, and the fraction of points where it decides.
NUMBER_KEYS = {
    "partial": ("error", "mean_stop_k", "decided"),
    "vote": ("vote_error",),
    "classes": ("aknn_error", "aknn_mean_stop_k", "aknn_decided"),
    "bag_size": ("aknn_size_error", "aknn_size_mean_stop_k", "aknn_size_decided"),
    "best": ("best_k_error", "best_k"),
}

SECTION = "Errandonea et al., section 4, on other data"
VARIATION = "a variation of Errandonea et al., section 4"


class StoppingRules(Component):
    """PL A-kNN and A-kNN with the same band, which stop at T neighbors in any case."""

    c1 = Float(0.5, min=0.05, max=3, step=0.05).tag(
        label="band factor",
        symbol="c1",
        group="Adaptive rules",
        tip="The band is c1 sqrt(log n + log(C / delta)) / sqrt(k)",
    )
    delta = Float(0.1, min=0.01, max=0.5).tag(
        label="failure probability", symbol="delta", tip="The band is c1 sqrt(log n + log(C / delta)) / sqrt(k)"
    )
    max_neighbors = LogInt(100, min=VOTE_K, max=LARGEST_T).tag(
        label="largest k", symbol="T", tip="Largest number of neighbors in a ball, and the largest best k"
    )
    fallback = Choice("largest lead", FALLBACKS).tag(
        label="at T", tip="What PL A-kNN predicts if several labels are left at T; A-kNN predicts the majority"
    )

    def limits(self, name: str, values: Mapping[str, Any]) -> tuple[Any, ...]:
        limits = default_limits(self.parameters[name])
        return (limits[0], min(LARGEST_T, training_size(values["problem"]))) if name == "max_neighbors" else limits

    def coerce(self, values: dict[str, Any], changes: Mapping[str, Any]) -> list[str]:
        _, most = self.limits("max_neighbors", values)
        if values["max_neighbors"] <= most or "max_neighbors" in changes:
            return []
        values["max_neighbors"] = most
        return [f"The largest k is {most}: there are no more training points."]

    @stage(compare_values=True)
    def by_name(self) -> dict[str, BagRule]:
        band = {"c1": self.c1, "delta": self.delta, "max_neighbors": self.max_neighbors}
        adaptive = {name: Adaptive(**band, baseline=name) for name in ("classes", "bag_size")}
        return {"partial": PartialAdaptive(**band, fallback=FALLBACKS[self.fallback]), **adaptive}


class BagNoiseLab(Lab):
    """Errors, stopping k and decided fractions of rules on bags over the bag noise nu, as means over splits of data.

    ``data`` are bags of the reader's own: a ``BagTable``, as ``from_bags`` makes it, or points X (n, d), bags S
    (n, C) of 0 and 1, and true classes y (n,). The lab then opens as the paper has it for real data: noise removes the
    true label, T is 50, or all training points if they are fewer, and the preparation is "tabular" if they are enough.

    Source: Errandonea et al., section 4.

    Examples
    --------
    >>> from knnviz.labs import BagNoiseLab
    >>> found = BagNoiseLab(problem="wine", splits=2).readout()
    >>> found["error"], found["vote_error"]
    (0.152778, 0.25)
    """

    title = "noisy bags"
    number_names: Mapping[str, str] = {
        "error": "PL A-kNN errs",
        "vote_error": "10-NN errs",
        "aknn_error": "A-kNN 1/C errs",
        "aknn_size_error": "A-kNN size/C errs",
        "best_k_error": "best k errs",
        "wins": "10-NN not better in",
        "mean_stop_k": "PL A-kNN stops at",
        "aknn_mean_stop_k": "A-kNN 1/C stops at",
        "aknn_size_mean_stop_k": "A-kNN size/C stops at",
        "best_k": "best k",
        "decided": "PL A-kNN decided",
        "aknn_decided": "A-kNN 1/C decided",
        "aknn_size_decided": "A-kNN size/C decided",
        "aligned": "clusters aligned",
        "largest_noise": "nu*",
        "mean_bag_size": "mean bag size",
        "splits_done": "splits done",
    }
    layout = columns(("error", 0.82), rows(("stops", 0.6), ("decided", 0.6)), ratios=(3, 2))

    presets = (
        Preset("Digits, as in the paper", SECTION, {}),
        Preset("T = 50", VARIATION, {"max_neighbors": 50}),
        Preset("Raw pixels", VARIATION, {"preparation": "raw"}),
        Preset("No wrong labels but noise", VARIATION, {"inclusion": 0.0}),
        Preset("c1 = 1", VARIATION, {"c1": 1.0}),
        Preset("c1 = 0.1", VARIATION, {"c1": 0.1}),
        Preset("Majority at T", VARIATION, {"fallback": "majority"}),
        Preset("Two labels", "scikit-learn's breast cancer data", {"problem": "breast cancer"}),
    )

    data = Splits()
    rules = StoppingRules()

    @stage(streaming=True)
    def run(self) -> Iterator[Run]:
        """The rules on the splits that are done; those that are cached come at once."""
        run = Run.unknown(self.data.split_keys, self.data.bag_settings, self.rules.by_name, self.max_neighbors)
        # The picture that a notebook saves shows at least one split.
        yield from run.stream(PAUSE, wait_for_first=self.background.is_opening)

    @stage
    def mean_stop_ks(self) -> dict[str, np.ndarray]:
        """Mean stopping k (J,) by rule, and the best k."""
        comparison = self.run.comparison
        best = comparison.best_k()
        stops = {name: comparison.mean("stop_k", name) for name in comparison.names}
        return stops | {"best": np.where(best, best, np.nan)}

    @stage
    def decided_fractions(self) -> dict[str, np.ndarray]:
        """Fraction of points (J,) where a rule stops by itself, not because of T, by rule."""
        comparison = self.run.comparison
        return {name: comparison.mean("decided", name) for name in comparison.names}

    @stage
    def numbers(self) -> dict[str, Any]:
        j, run = NOISES.index(self.bag_noise), self.run
        found: dict[str, Any] = {}
        for i, means in enumerate((self.error.means, self.mean_stop_ks, self.decided_fractions)):
            found |= {NUMBER_KEYS[curve][i]: none_if_nan(mean[j]) for curve, mean in means.items()}
        n, n_classes = training_size(self.problem), self.data.n_classes
        wins = np.sum(run.comparison.errors[:, j, 0] <= run.comparison.vote(VOTE_K)[:, j])
        return found | {
            "aligned": none_if_nan(nan_mean(run.aligned)[j]),
            "mean_bag_size": none_if_nan(nan_mean(run.sizes)[j]),
            "best_k": None if found["best_k"] is None else int(found["best_k"]),
            "wins": f"{wins} of {run.done}",
            "largest_noise": self.data.largest_noise,
            "band_constant": self.rules.by_name["partial"].band_constant(n, n_classes),
            "splits_done": run.progress,
        }

    def shown_numbers(self) -> dict[str, str]:
        unknown = {name for key, name in self.number_names.items() if self.numbers[key] is None}
        return {name: text for name, text in super().shown_numbers().items() if name not in unknown}

    def numbers_text(self) -> str:
        return f"At nu = {self.bag_noise:g}: {super().numbers_text()}"

    error = ErrorPanel(data=data, run=run)
    stops = NoisePanel(data=data, title="Mean stopping k", ylabel="k", means=mean_stop_ks, end=rules.max_neighbors)
    decided = NoisePanel(data=data, title="Fraction decided", ylabel="fraction", means=decided_fractions, end=1.0)


def none_if_nan(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None
