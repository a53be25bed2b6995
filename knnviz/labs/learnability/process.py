"""The chosen process, a sample of its bags, and what follows from them about the labels."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import chain
from typing import Any

import numpy as np

from knnviz import learnability
from knnviz.labs.old_engine import Choice, Component, Float, Input, Int, Seed, stage
from knnviz.labs.old_parts.buttons import Button
from knnviz.labs.old_parts.class_weights import ROUNDING, check_sum, rescale_others, rounded_to_hundredths
from knnviz.learnability import EXAMPLES, MODELS
from knnviz.learnability.matrix import World

#: Largest number of labels; their names, those of the bags in the order of M's rows, and of the parameters for eta.
MAX_C = 3
LABEL_NAMES = tuple(f"label {label}" for label in range(MAX_C))
BAG_NAMES = tuple("".join(map(str, np.flatnonzero(bag))) or "∅" for bag in learnability.every_bag(MAX_C))
ETA_NAMES = ("eta0", "eta1", "eta2")

EDITED = "edited"

#: Processes by name. The others are edited, or drawn by the models of the literature with the seed.
NAMED = {name: example for name, example in EXAMPLES.items() if example.n_classes <= MAX_C}

#: The process that the lab opens on; by number of labels, the process taken when the reader changes that number, and
#: the eta taken when it changes and the process comes with none.
OPENING = "permutation"
DEFAULT_PROCESS = {2: "never alone", 3: "labels themselves"}
DEFAULT_ETA = {2: (0.6, 0.4), 3: (0.5, 0.3, 0.2)}

NOTHING, SWAPPED, SAME_BAGS = OTHER_WORLDS = ("nothing", "swapped", "same bags")

#: Names of the parameters for M, column by column.
COLUMNS = tuple(tuple(f"probability_{bag.replace('∅', 'none')}_{label}" for bag in BAG_NAMES) for label in range(MAX_C))


def probabilities() -> Iterator[tuple[str, Float]]:
    """The parameters for M by name; the lab shows those of one true label."""
    tip = "Moving one probability moves the others: they always sum to 1"
    for label, names in enumerate(COLUMNS):
        for bag, name, start in zip(BAG_NAMES, names, NAMED[OPENING].process[:, label], strict=True):
            when = {"column": LABEL_NAMES[label : label + 1], "n_classes": (3,) if "2" in bag else (2, 3)}
            heading = {"group": f"Bags if label {label} is true"} if name == names[0] else {}
            parameter = Float(float(start), min=0, max=1)
            yield name, parameter.tag(label=f"{bag} if y = {label}", tip=tip, when=when, **heading)


def probability_names(n_classes: int) -> list[tuple[str, ...]]:
    return [COLUMNS[label][: 2**n_classes] for label in range(n_classes)]


def parameter_values(process: np.ndarray, eta: np.ndarray | None = None) -> dict[str, float]:
    """Values of the parameters for M (2^C, C), and for eta (C,) unless it is None; 0 for labels beyond C."""
    columns = [*zip(COLUMNS, process.T, strict=False), *([] if eta is None else [(ETA_NAMES, eta)])]
    found = dict.fromkeys(chain(*COLUMNS, [] if eta is None else ETA_NAMES), 0.0)
    for names, values in columns:
        found.update(zip(names, np.round(values, 12).tolist(), strict=False))
    return found


@lru_cache(maxsize=256)
def process_by_name(model: str, seed: int, n_classes: int) -> tuple[np.ndarray, np.ndarray | None]:
    """M (2^C, C) of a process by name, and the eta (C,) that comes with it, if any."""
    if model in NAMED:
        return NAMED[model].process, NAMED[model].eta
    return MODELS[model].draw(n_classes, np.random.default_rng(seed))


class ChosenProcess(Component):
    """A bag process of two or three labels, by name, drawn or edited on sliders, and eta at one point."""

    model = Choice(OPENING, (*NAMED, *MODELS, EDITED)).tag(
        label="bags",
        group="Process",
        tip="Where bags come from; a slider below makes it an edited one",
        depend_on_before=(EDITED,),
    )
    n_classes = Int(3, min=2, max=MAX_C).tag(label="labels", symbol="C", tip="Number of labels")
    seed = Seed().tag(tip="Of models that are drawn, and of a sample")
    column = Choice(LABEL_NAMES[0], LABEL_NAMES).tag(
        label="edit", tip="The true label whose bags the sliders below show"
    )
    eta0 = Float(0.5, min=0, max=1).tag(
        label="label 0", symbol="eta0", group="P(y | x)", tip="Moving one fraction moves the others"
    )
    eta1 = Float(0.3, min=0, max=1).tag(label="label 1", symbol="eta1", tip="The fractions always sum to 1")
    eta2 = Float(0.2, min=0, max=1).tag(
        label="label 2", symbol="eta2", tip="The fractions always sum to 1", when={"n_classes": (3,)}
    )
    vars().update(probabilities())

    def coerce(self, values: dict[str, Any], changes: Mapping[str, Any]) -> list[str]:
        """A new process sets all of M; a probability that is moved rescales its column, and the process is edited."""
        for name in ("seed", "n_classes"):
            values[name] = self.parameters[name].check(values[name], self.limits(name, values))
        self._match_number_of_labels(values, changes)
        if values["model"] != EDITED and self._process_arguments(values) != self._process_arguments(self.lab.values):
            self._set_process(values, changes)
        columns = probability_names(values["n_classes"])
        for names in (*columns, ETA_NAMES[: values["n_classes"]]):
            moved = [name for name in names if name in changes]
            if 0 < len(moved) < len(names):
                rescale_others(values, names, moved)
        if values["model"] != EDITED:
            original = parameter_values(process_by_name(*self._process_arguments(values))[0])
            if any(abs(values[name] - original[name]) > ROUNDING for name in chain(*columns)):
                values["model"] = EDITED
        return []

    def _match_number_of_labels(self, values: dict[str, Any], changes: Mapping[str, Any]) -> None:
        """Set the number of labels to that of the process; if the reader changed the number, choose a process of it."""
        model, n_classes = values["model"], values["n_classes"]
        labels_of_model = NAMED[model].n_classes if model in NAMED else self.lab.values["n_classes"]
        if "n_classes" not in changes:
            values["n_classes"] = labels_of_model
        elif "model" not in changes and model not in MODELS and labels_of_model != n_classes:
            values["model"] = DEFAULT_PROCESS[n_classes]
        if "column" not in changes and values["column"] not in LABEL_NAMES[: values["n_classes"]]:
            values["column"] = LABEL_NAMES[0]

    def _process_arguments(self, values: Mapping[str, Any]) -> tuple[str, int, int]:
        """The arguments of ``process_by_name``, with seed 0 where nothing is drawn."""
        return values["model"], values["seed"] if values["model"] in MODELS else 0, values["n_classes"]

    def _set_process(self, values: dict[str, Any], changes: Mapping[str, Any]) -> None:
        """Set M to the process, and eta to its own; a process without one leaves eta, if the number of labels stays."""
        process, eta = process_by_name(*self._process_arguments(values))
        if eta is None and values["n_classes"] != self.lab.values["n_classes"]:
            eta = np.array(DEFAULT_ETA[values["n_classes"]])
        values |= {name: value for name, value in parameter_values(process, eta).items() if name not in changes}

    def validate(self, values: Mapping[str, Any]) -> None:
        model, n_classes = values["model"], values["n_classes"]
        if model in NAMED and NAMED[model].n_classes != n_classes:
            raise ValueError(f"{model} has {NAMED[model].n_classes} labels, got {n_classes}")
        ChosenProcess.column.check(values["column"], LABEL_NAMES[:n_classes])
        for label, names in enumerate(probability_names(n_classes)):
            refusal = f"probabilities of bags must sum to 1 for each true label, got {{:g}} for label {label}"
            check_sum(refusal, [values[name] for name in names])
        check_sum("P(y | x) must sum to 1, got {:g}", [values[name] for name in ETA_NAMES[:n_classes]])

    def round_moved(self, moved: Mapping[str, Any]) -> Mapping[str, Any]:
        return rounded_to_hundredths(moved, [name for name in moved if name.startswith(("eta", "probability"))])

    @stage
    def matrix(self) -> np.ndarray:
        return np.array([[getattr(self, name) for name in names] for names in probability_names(self.n_classes)]).T

    @stage
    def eta(self) -> np.ndarray:
        return np.array([getattr(self, name) for name in ETA_NAMES[: self.n_classes]])

    @stage
    def world(self) -> World:
        return World(self.matrix, self.eta)


class BagSample(Component):
    """A sample of bags at the point x, and a button that draws with the next seed."""

    process: ChosenProcess = Input()

    n = Int(0, min=0, max=2000, step=10).tag(
        label="bags drawn", symbol="n", tip="Bags in a sample at x; with none the fractions are exact"
    )

    def hidden(self, values: Mapping[str, Any]) -> set[str]:
        return set() if values["n"] or values["model"] in MODELS else {"seed"}

    def actions(self) -> list[Button]:
        return [("New sample", "Draw the bags, or a model's process, with the next seed", self.draw_next)]

    def draw_next(self) -> None:
        """Draw with the next seed; ValueError where nothing is drawn."""
        if self.hidden(self.lab.values):
            raise ValueError("nothing is drawn here: choose more than 0 bags drawn, or a model that draws its process")
        self.lab.set(seed=self.process.seed + 1)

    @stage
    def bag_fractions(self) -> np.ndarray | None:
        """The fraction (2^C,) of each bag; None without a sample."""
        if not self.n:
            return None
        rng, eta = np.random.default_rng(self.process.seed), self.process.eta
        y = (rng.random(self.n)[:, None] >= np.cumsum(eta)[:-1]).sum(axis=1)
        codes = learnability.draw_bags(self.process.matrix, y, rng) @ (1 << np.arange(len(eta)))
        return np.bincount(codes, minlength=2 ** len(eta)) / self.n

    @stage
    def frequency(self) -> np.ndarray | None:
        """Fractions (C,) of the bags that hold each label; None without a sample."""
        fractions = self.bag_fractions
        return None if fractions is None else fractions @ learnability.every_bag(len(self.process.eta))


class Findings(Component):
    """What follows from the bags about the labels, by rank, counting and least squares, and the other world."""

    process: ChosenProcess = Input()
    sample: BagSample = Input()

    beside = Choice(NOTHING, OTHER_WORLDS).tag(
        label="beside it",
        group="Other world",
        tip="A world with the same bags: best and counted label change places, or another P(y | x) under the same M",
    )

    @stage
    def rank(self) -> int:
        return learnability.rank(self.process.matrix)

    @stage
    def misaligned_eta(self) -> np.ndarray | None:
        """An eta (C,) at which the process is not aligned; None if it is aligned everywhere."""
        return learnability.misaligned_eta(self.process.matrix)

    @stage
    def misaligned_fraction(self) -> float:
        """Fraction of all eta at which the process is not aligned."""
        return learnability.misaligned_fraction(self.process.matrix)

    @stage
    def theta(self) -> float:
        return float(learnability.least_theta(self.process.world.frequency, self.process.eta))

    @stage
    def decoded(self) -> np.ndarray | None:
        """eta (C,) by least squares from the bags of the sample or, without one, of x; None unless M has full rank."""
        if self.rank < self.process.n_classes:
            return None
        sampled = self.sample.bag_fractions
        bags = self.process.world.bag_distribution if sampled is None else sampled
        return learnability.decode(self.process.matrix, bags)

    @stage
    def other(self) -> World | None:
        """The other world; None if none is chosen, or there is none."""
        process, eta = world = self.process.world
        if self.beside == SWAPPED:
            counting_is_right = learnability.best(eta)[learnability.best(world.frequency).argmax()]
            return None if counting_is_right else learnability.swap(process, eta)
        others = learnability.other_etas(process, eta) if self.beside == SAME_BAGS else ()
        return World(process, others[0]) if others else None
