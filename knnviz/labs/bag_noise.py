"""BagNoiseLab: who errs how often as bags grow noisier, how far each ball grows, and how often it stops by itself."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from knnviz.bounds import errandonea
from knnviz.labs import bag_rivals
from knnviz.labs.bag_rivals import RivalRun
from knnviz.labs.bag_splits import DATA, MOST, NOISES, Bagging, Run, Where, classes, training_size
from knnviz.labs.bagged import KINDS
from knnviz.labs.engine.parameters import Choice, Float, Int, LogInt, within
from knnviz.labs.engine.scenes import Preset
from knnviz.labs.engine.stages import stage
from knnviz.labs.risks import StreamLab
from knnviz.labs.sheets import Sheet
from knnviz.labs.stopping import FALLBACKS
from knnviz.metrics.partial import error_known, mean_known
from knnviz.partial import Rule
from knnviz.rules import Adaptive, PartialAdaptive
from knnviz.views import bag_noise as view
from knnviz.views import risk as risk_view
from knnviz.views.layers import Axes, Layer, Panel

#: How points are made ready for neighbors.
PREPARATIONS = ("vision", "raw")

#: Neighbors of the plain vote.
PLAIN = 10

#: Seconds between two pictures of curves that fill in, and of a hand on a slider.
PAUSE = 0.1

#: The last nu.
LAST = NOISES[-1]

SCREEN = Sheet(
    (920, 590),
    more={"error": (66, 40, 480, 424), "stop": (622, 40, 284, 190), "decided": (622, 330, 284, 190)},
    legend={"legend_left": 8},
)
PROJECTOR = Sheet(
    (667, 486),
    more={"error": (64, 36, 316, 330), "stop": (446, 36, 208, 140), "decided": (446, 264, 208, 140)},
    scale=1.5,
    legend={"legend_size": 12.0, "legend_left": 48},
)

#: Keys of the readout by curve, and what each reads.
READ = {
    "partial": ("error", "mean_stop_k", "decided"),
    "vote": ("vote_error",),
    "classes": ("aknn_error", "aknn_mean_stop_k", "aknn_decided"),
    "bag_size": ("aknn_size_error", "aknn_size_mean_stop_k", "aknn_size_decided"),
    "best": ("best_k_error", "best_k"),
    **{curve: (f"{curve}_error",) for curve in bag_rivals.NAMES},
}

SECTION = "Errandonea et al., section 4, on other data"
OURS = "a variation of Errandonea et al., section 4"


class BagNoiseLab(StreamLab):
    """Errors, stopping k and decided shares of rules on bags over the bag noise nu, as means over splits of data.

    Linear rivals, which take long, come last, and have a band of standard errors only where one is alone.
    """

    title = "noisy bags"
    sheets = (SCREEN, PROJECTOR)
    number_names: Mapping[str, str] = {
        "error": "PL A-kNN errs",
        "vote_error": "10-NN errs",
        "aknn_error": "A-kNN 1/C errs",
        "aknn_size_error": "A-kNN size/C errs",
        "best_k_error": "best k errs",
        "clpl_error": "CLPL errs",
        "proden_error": "PRODEN errs",
        "lws_error": "LWS beta 1 errs",
        "lws2_error": "LWS beta 2 errs",
        "apl_mae_error": "APL MAE errs",
        "apl_gce_error": "APL GCE errs",
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
        "rivals_done": "rivals done",
    }

    data = Choice("digits", DATA).tag(
        label="data", group="Data", tip="A fifth of the points is held out in each split; errors are counted there"
    )
    preparation = Choice(PREPARATIONS[0], PREPARATIONS).tag(
        label="preparation",
        tip="vision: as the paper has it for images; raw: pixels as they are, other columns with mean 0 and variance 1",
    )
    splits = Int(5, min=1, max=20).tag(label="splits", tip="Each with clusters, chances and bags of its own")
    seed = Int(0, min=0, max=2**32 - 1, typed=True).tag(label="seed", tip="Of all splits, clusters, chances and bags")
    inclusion = Float(0.8, min=0, max=0.95, step=0.05).tag(
        label="largest inclusion",
        symbol="a",
        group="Bags",
        tip="In each of five clusters each label brings every other along with a chance of its own, uniform on [0, a]",
    )
    kind = Choice("confusion", KINDS).tag(
        label="noise",
        tip="With probability nu the bag is made of a label drawn from all, of another label, or loses the true one",
    )
    bag_noise = Float(0.3, min=0, max=LAST, step=0.1, digits=1).tag(
        label="bag noise", symbol="nu", tip="Where numbers are read; curves show all nu"
    )
    c1 = Float(0.5, min=0.05, max=3, step=0.05).tag(
        label="band constant",
        symbol="c1",
        group="Adaptive rules",
        tip="The band is c1 sqrt(log n + log(C / delta)) / sqrt(k)",
    )
    delta = Float(0.1, min=0.01, max=0.5).tag(
        label="failure probability", symbol="delta", tip="The band is c1 sqrt(log n + log(C / delta)) / sqrt(k)"
    )
    max_neighbors = LogInt(100, min=PLAIN, max=MOST).tag(
        label="largest k",
        symbol="T",
        tip="Most neighbors that a ball may hold, and that the best k is looked for among",
    )
    fallback = Choice("largest lead", FALLBACKS).tag(
        label="at T", tip="Who wins in PL A-kNN if several labels are alive at T; in A-kNN it is the majority"
    )
    rivals = Choice("none", tuple(bag_rivals.MENU)).tag(
        label="rivals",
        group="Linear scores",
        tip="Learned from the bags on columns with mean 0 and variance 1; on the digits each takes seconds for a split",
    )

    presets = (
        Preset("Digits, as in the paper", SECTION, {}),
        Preset("T = 50", OURS, {"max_neighbors": 50}),
        Preset("Raw pixels", OURS, {"preparation": "raw"}),
        Preset("No wrong labels but noise", OURS, {"inclusion": 0.0}),
        Preset("c1 = 1", OURS, {"c1": 1.0}),
        Preset("c1 = 0.1", OURS, {"c1": 0.1}),
        Preset("Majority at T", OURS, {"fallback": "majority"}),
        Preset("Two labels", "scikit-learn's breast cancer data", {"data": "breast cancer"}),
        Preset("Linear rivals", SECTION, {"rivals": "all"}),
    )

    def actions(self) -> list[tuple[str, str, Callable[[], Any]]]:
        """Buttons: new splits, an end to running curves, and back to the start."""
        _, *others = super().actions()
        return [("New splits", "Draw splits, clusters and bags again with the next seed", self.new_sample), *others]

    def limits(self, name: str, values: Mapping[str, Any]) -> tuple[Any, ...]:
        """T ends where the training points do."""
        found = super().limits(name, values)
        return (found[0], min(MOST, training_size(values["data"]))) if name == "max_neighbors" else found

    def coerce(self, values: dict[str, Any], given: Mapping[str, Any]) -> list[str]:
        """Small data have no more neighbors than points."""
        _, most = self.limits("max_neighbors", values)
        if values["max_neighbors"] <= most or "max_neighbors" in given:
            return []
        values["max_neighbors"] = most
        return [f"The largest k is {most}: there are no more training points."]

    def validate(self, values: Mapping[str, Any]) -> None:
        """Numbers are read where curves have a point."""
        if values["bag_noise"] not in NOISES:
            raise ValueError(f"bag noise nu must be one of 0, 0.1, 0.2 and so on to {LAST}, got {values['bag_noise']}")

    def pick(self, panel: str, x: float, y: float, mark: str | None = None, index: int = 0) -> dict[str, Any]:
        """A place over nu is the nearest nu that curves have a point at."""
        return {"bag_noise": round(within(x, (0, LAST)), 1)}

    @stage(compare_values=True)
    def n_classes(self) -> int:
        """C."""
        return classes(self.data)

    @stage(compare_values=True)
    def rules(self) -> dict[str, Rule]:
        """The rules that choose their own k, by curve."""
        band = {"c1": self.c1, "delta": self.delta, "max_neighbors": self.max_neighbors}
        fallback = FALLBACKS[self.fallback]
        adaptive = {name: Adaptive(**band, baseline=name) for name in ("classes", "bag_size")}
        return {"partial": PartialAdaptive(**band, fallback=fallback), **adaptive}

    @stage(streaming=True)
    def run(self) -> Iterator[Run]:
        """How the rules do on split after split, as far as it is done; what is kept of splits is there at once."""
        wheres = [Where(self.data, self.preparation, self.seed, index) for index in range(self.splits)]
        run = Run.unknown(wheres, Bagging(self.inclusion, KINDS[self.kind]), self.rules, self.max_neighbors)
        # The picture that a saved notebook keeps shows one split at least.
        yield from run.stream(PAUSE, eager=self.background.is_opening)

    @stage(streaming=True)
    def rival_run(self) -> Iterator[RivalRun | None]:
        """How the linear rivals do on the splits that the rules are through with; None if there are none.

        It begins again, with what is kept, whenever the rules are through with more, so that these come first.
        """
        curves = bag_rivals.MENU[self.rivals]
        if not curves:
            yield None
            return
        run = RivalRun.unknown(self.run.wheres, self.run.bagging, curves)
        # All of them would keep a lab that opens waiting for too long.
        yield from run.stream(self.run.done, PAUSE, eager=self.background.is_opening and len(curves) == 1)

    @stage
    def errors(self) -> dict[str, tuple[np.ndarray, np.ndarray]]:
        """Mean errors (J,) and their standard errors (J,) by curve, of nearest neighbors."""
        found = self.run.comparison
        values = {name: found.errors[:, :, place] for place, name in enumerate(found.names)}
        values |= {"vote": found.vote(PLAIN), "best": found.best_vote()}
        return {name: (mean_known(values[name]), error_known(values[name])) for name in view.NEIGHBORS}

    @stage
    def rival_errors(self) -> dict[str, tuple[np.ndarray, np.ndarray]]:
        """The same of linear rivals."""
        run = self.rival_run
        values = {} if run is None else dict(zip(run.methods, np.moveaxis(run.errors, 2, 0), strict=True))
        return {name: (mean_known(each), error_known(each)) for name, each in values.items()}

    @stage
    def means(self) -> dict[str, np.ndarray]:
        """Mean errors (J,) by curve."""
        return {name: mean for name, (mean, _) in (self.errors | self.rival_errors).items()}

    @stage
    def stops(self) -> dict[str, np.ndarray]:
        """Mean stopping k (J,) by curve, and the best k."""
        found = self.run.comparison
        best = found.best_k()
        return {name: found.mean("stops", name) for name in found.names} | {"best": np.where(best, best, np.nan)}

    @stage
    def decided(self) -> dict[str, np.ndarray]:
        """Share of points (J,) where the ball stopped by itself, by curve."""
        found = self.run.comparison
        return {name: found.mean("decided", name) for name in found.names}

    @stage(compare_values=True)
    def largest_noise(self) -> float:
        """nu*, below which any draw is aligned."""
        return errandonea.largest_noise(self.n_classes, self.inclusion, KINDS[self.kind])

    @stage
    def here(self) -> tuple[dict[str, float], ...]:
        """Errors, stopping k and decided shares at the nu in hand, by curve."""
        at, curves = NOISES.index(self.bag_noise), (self.means, self.stops, self.decided)
        return tuple({name: float(mean[at]) for name, mean in each.items()} for each in curves)

    @stage
    def numbers(self) -> dict[str, Any]:
        """What the lab reads out at the nu in hand; None for what is not known yet."""
        at, run = NOISES.index(self.bag_noise), self.run
        keyed = {}
        for each, values in enumerate(self.here):
            keyed |= {READ[name][each]: value for name, value in values.items()}
        keyed |= {"aligned": float(mean_known(run.aligned)[at]), "mean_bag_size": float(mean_known(run.sizes)[at])}
        keyed |= {f"{curve}_error": np.nan for curve in bag_rivals.NAMES if curve not in self.rival_errors}
        told = {name: value if np.isfinite(value) else None for name, value in keyed.items()}
        wins = np.sum(run.comparison.errors[:, at, 0] <= run.comparison.vote(PLAIN)[:, at])
        return told | {
            "best_k": None if told["best_k"] is None else int(told["best_k"]),
            "wins": f"{wins} of {run.done}",
            "largest_noise": self.largest_noise,
            "threshold": self.rules["partial"].threshold(training_size(self.data), self.n_classes),
            "splits_done": f"{run.done} of {len(run.wheres)}",
            "rivals_done": None if self.rival_run is None else self.rival_run.told,
        }

    def shown_numbers(self) -> dict[str, str]:
        """The numbers on screen, in the order of their names, as far as they are known."""
        found, known = super().shown_numbers(), self.numbers
        return {name: found[name] for key, name in self.number_names.items() if known[key] is not None}

    @stage(compare_values=True)
    def top(self) -> float:
        """Where the axis of errors ends."""
        return view.top(self.means.values())

    @stage
    def error_layers(self) -> tuple[Layer, ...]:
        """Mean errors with their bands, and how much is done."""
        x, rivals = np.array(NOISES), self.rival_errors
        runs = [run for run in (self.run, self.rival_run) if run is not None]
        done, pieces = sum(run.done for run in runs), sum(run.pieces for run in runs)
        progress = risk_view.progress(done, pieces, (LAST, 0.03 * self.top))
        banded = self.errors | (rivals if len(rivals) == 1 else {})
        return *view.bands(x, banded), *view.curves(x, self.means, labelled=True), progress

    @stage
    def other_layers(self) -> tuple[tuple[Layer, ...], ...]:
        """Stopping k, and decided shares."""
        return tuple(view.curves(np.array(NOISES), each) for each in (self.stops, self.decided))

    @stage(compare_values=True)
    def heights(self) -> tuple[float, float, float]:
        """What the three axes reach up to: an error, T and 1."""
        return self.top, float(self.max_neighbors), 1.0

    @stage
    def aligned_layers(self) -> tuple[tuple[Layer, ...], ...]:
        """nu* on each panel, with its name on the first."""
        noise = self.largest_noise
        lines = [(view.aligned(noise, LAST, high),) for high in self.heights]
        return (*lines[0], view.aligned_name(noise, LAST, self.top)), *lines[1:]

    @stage
    def here_layers(self) -> tuple[tuple[Layer, ...], ...]:
        """The nu in hand with the values there on each panel, and what it is moved by on the first."""
        marked = [view.at(self.bag_noise, *given) for given in zip(self.heights, self.here, strict=True)]
        return (*marked[0], view.handle(self.bag_noise, LAST, self.top)), *marked[1:]

    @stage
    def panels(self) -> tuple[Panel, ...]:
        """Errors to the left, stopping k and decided shares to the right."""
        curves = self.error_layers, *self.other_layers
        stacks = zip(self.axes, curves, self.aligned_layers, self.here_layers, strict=True)
        return tuple(Panel(axes, sum(layers, ())) for axes, *layers in stacks)

    @stage
    def axes(self) -> tuple[Axes, ...]:
        """The frames of the panels."""
        top, most, whole = self.heights
        places = self.sheet.more
        frames = (
            view.axes("error", "Error on points held out", "error", top, LAST, places["error"], top),
            view.axes("stop", "Mean stopping k", "k", most, LAST, places["stop"]),
            view.axes("decided", "Share decided", "share", whole, LAST, places["decided"]),
        )
        curves = len(view.NEIGHBORS) + len(bag_rivals.MENU[self.rivals])
        error, *others = self.sheet.framed(frames)
        return replace(error, columns=view.columns(curves)), *others

    @stage
    def alt(self) -> str:
        """The picture in words and numbers."""
        x, run = np.array(NOISES), self.run
        told = zip((self.means, self.stops, self.decided), ("Error", "Mean stopping k", "Share decided"), strict=True)
        curves = " ".join(view.describe(x, each, read) for each, read in told)
        head = f"Rules on bags of the {self.data}, means over {run.done} of {len(run.wheres)} splits."
        if self.rival_run is not None:
            head += f" Linear rivals, {self.rival_run.told} curves of a split done."
        return f"{head} {curves} At nu = {self.bag_noise:g}: {self.numbers_text()}."
