"""A process of bags, named, drawn or edited on sliders; bags drawn from it; and what bags tell of labels."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import chain
from typing import Any, NamedTuple, Self

import numpy as np

from knnviz import learnability
from knnviz.labs.engine import Choice, Component, Float, Input, Int, Seed, stage
from knnviz.labs.parts.buttons import Button
from knnviz.labs.parts.class_weights import ROUNDING, check_sum, rescale_others, rounded_to_hundredths
from knnviz.learnability import EXAMPLES, MODELS

#: Labels at most, their names, the bags they come in as a reader writes them, and P(y | x) by label.
MOST = 3
LABELS = tuple(f"label {label}" for label in range(MOST))
BAGS = tuple("".join(map(str, np.flatnonzero(bag))) or "∅" for bag in learnability.every_bag(MOST))
ETAS = ("eta0", "eta1", "eta2")

EDITED = "edited"

#: Processes by name: those with few labels, and models that draw one by the seed.
NAMED = {name: example for name, example in EXAMPLES.items() if example.n_classes <= MOST}

#: The process that the lab opens on, the one that another number of labels brings, and P(y | x) where it has none.
OPENING = "permutation"
FIRST = {2: "never alone", 3: "labels themselves"}
START = {2: (0.6, 0.4), 3: (0.5, 0.3, 0.2)}

BESIDE = ("nothing", "swapped", "same bags")

#: The parameters of M, column by column.
COLUMNS = tuple(tuple(f"probability_{bag.replace('∅', 'none')}_{label}" for bag in BAGS) for label in range(MOST))


def probabilities() -> Iterator[tuple[str, Float]]:
    """A parameter for each bag and true label, by name; those of one label are on show."""
    tip = "Moving one probability moves the others: they always sum to 1"
    for label, names in enumerate(COLUMNS):
        for bag, name, start in zip(BAGS, names, NAMED[OPENING].process[:, label], strict=True):
            shown = {"column": LABELS[label : label + 1], "n_classes": (3,) if "2" in bag else (2, 3)}
            heading = {"group": f"Bags if label {label} is true"} if name == names[0] else {}
            parameter = Float(float(start), min=0, max=1)
            yield name, parameter.tag(label=f"{bag} if y = {label}", tip=tip, when=shown, **heading)


def probability_names(n_classes: int) -> list[tuple[str, ...]]:
    return [COLUMNS[label][: 2**n_classes] for label in range(n_classes)]


def values_of(process: np.ndarray, eta: np.ndarray | None = None) -> dict[str, float]:
    """Parameters of M (2^C, C), and of eta (C,) if it is given; 0 for labels that there are not."""
    found = dict.fromkeys((*chain(*COLUMNS), *(() if eta is None else ETAS)), 0.0)
    for names, values in ((ETAS, () if eta is None else eta), *zip(COLUMNS, process.T, strict=False)):
        found.update(zip(names, np.round(values, 12).tolist(), strict=False))
    return found


@lru_cache(maxsize=256)
def named(model: str, seed: int, n_classes: int) -> tuple[np.ndarray, np.ndarray | None]:
    """M (2^C, C) of a process by name, and the eta (C,) that comes with it, if any."""
    if model in NAMED:
        return NAMED[model].process, NAMED[model].eta
    return MODELS[model].draw(n_classes, np.random.default_rng(seed))


class World(NamedTuple):
    """A process, P(y | x), the distribution of the bags (2^C,), and how often they hold each label (C,)."""

    process: np.ndarray
    eta: np.ndarray
    bags: np.ndarray
    held: np.ndarray

    @classmethod
    def of(cls, process: np.ndarray, eta: np.ndarray) -> Self:
        return cls(process, eta, learnability.bag_distribution(process, eta), learnability.frequency(process, eta))


class BagProcess(Component):
    """A process of bags of two or three labels, by name or edited, and P(y | x) at one point."""

    model = Choice(OPENING, (*NAMED, *MODELS, EDITED)).tag(
        label="bags", group="Process", tip="Where bags come from; a slider below makes it an edited one"
    )
    n_classes = Int(3, min=2, max=MOST).tag(label="labels", symbol="C", tip="Number of labels")
    seed = Seed().tag(tip="Of models that are drawn, and of a sample")
    column = Choice(LABELS[0], LABELS).tag(label="edit", tip="The true label whose bags the sliders below show")
    eta0 = Float(0.5, min=0, max=1).tag(
        label="label 0", symbol="eta0", group="P(y | x)", tip="Moving one fraction moves the others"
    )
    eta1 = Float(0.3, min=0, max=1).tag(label="label 1", symbol="eta1", tip="The fractions always sum to 1")
    eta2 = Float(0.2, min=0, max=1).tag(
        label="label 2", symbol="eta2", tip="The fractions always sum to 1", when={"n_classes": (3,)}
    )
    vars().update(probabilities())

    def coerce(self, values: dict[str, Any], changes: Mapping[str, Any]) -> list[str]:
        """A process by name brings its columns along; what is moved scales the rest of its column, and edits it."""
        for name in ("seed", "n_classes"):
            values[name] = self.parameters[name].validate(values[name], self.limits(name, values))
        self._agree(values, changes)
        if values["model"] != EDITED and self._source(values) != self._source(self.lab.values):
            self._load(values, changes)
        columns = probability_names(values["n_classes"])
        for names in (*columns, ETAS[: values["n_classes"]]):
            moved = [name for name in names if name in changes]
            if 0 < len(moved) < len(names):
                rescale_others(values, names, moved)
        if values["model"] != EDITED:
            kept = values_of(named(*self._source(values))[0])
            if any(abs(values[name] - kept[name]) > ROUNDING for name in chain(*columns)):
                values["model"] = EDITED
        return []

    def _agree(self, values: dict[str, Any], changes: Mapping[str, Any]) -> None:
        model, n_classes = values["model"], values["n_classes"]
        present = NAMED[model].n_classes if model in NAMED else self.lab.values["n_classes"]
        if "n_classes" not in changes:
            values["n_classes"] = present
        elif "model" not in changes and model not in MODELS and present != n_classes:
            values["model"] = FIRST[n_classes]
        if "column" not in changes and values["column"] not in LABELS[: values["n_classes"]]:
            values["column"] = LABELS[0]

    def _source(self, values: Mapping[str, Any]) -> tuple[str, int, int]:
        return values["model"], values["seed"] if values["model"] in MODELS else 0, values["n_classes"]

    def _load(self, values: dict[str, Any], changes: Mapping[str, Any]) -> None:
        """Take over the process by name, and its eta; where it has none, one of as many labels."""
        process, eta = named(*self._source(values))
        if eta is None and values["n_classes"] != self.lab.values["n_classes"]:
            eta = np.array(START[values["n_classes"]])
        values |= {name: value for name, value in values_of(process, eta).items() if name not in changes}

    def validate(self, values: Mapping[str, Any]) -> None:
        model, n_classes = values["model"], values["n_classes"]
        if model in NAMED and NAMED[model].n_classes != n_classes:
            raise ValueError(f"{model} has {NAMED[model].n_classes} labels, got {n_classes}")
        BagProcess.column.validate(values["column"], LABELS[:n_classes])
        for label, names in enumerate(probability_names(n_classes)):
            refusal = f"probabilities of bags must sum to 1 for each true label, got {{:g}} for label {label}"
            check_sum(refusal, [values[name] for name in names])
        check_sum("P(y | x) must sum to 1, got {:g}", [values[name] for name in ETAS[:n_classes]])

    def round_moved(self, moved: Mapping[str, Any]) -> Mapping[str, Any]:
        return rounded_to_hundredths(moved, [name for name in moved if name.startswith(("eta", "probability"))])

    @stage
    def matrix(self) -> np.ndarray:
        return np.array([[getattr(self, name) for name in names] for names in probability_names(self.n_classes)]).T

    @stage
    def eta(self) -> np.ndarray:
        return np.array([getattr(self, name) for name in ETAS[: self.n_classes]])

    @stage
    def world(self) -> World:
        return World.of(self.matrix, self.eta)


class BagSample(Component):
    """Bags drawn at the point, and the next seed of all that is drawn."""

    process: BagProcess = Input()

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
    def bags(self) -> np.ndarray | None:
        """Fractions of the bags (2^C,); None without a sample."""
        if not self.n:
            return None
        stream, eta = np.random.default_rng(self.process.seed), self.process.eta
        y = (stream.random(self.n)[:, None] >= np.cumsum(eta)[:-1]).sum(axis=1)
        codes = learnability.draw_bags(self.process.matrix, y, stream) @ (1 << np.arange(len(eta)))
        return np.bincount(codes, minlength=2 ** len(eta)) / self.n

    @stage
    def held(self) -> np.ndarray | None:
        return None if self.bags is None else self.bags @ learnability.every_bag(len(self.process.eta))


class Findings(Component):
    """What bags tell of labels, by rank, by counting and from a sample, and another world with the same bags."""

    process: BagProcess = Input()
    sample: BagSample = Input()

    beside = Choice(BESIDE[0], BESIDE).tag(
        label="beside it",
        group="Other world",
        tip="A world with the same bags: best and counted label change places, or another P(y | x) under the same M",
    )

    @stage
    def rank(self) -> int:
        return learnability.rank(self.process.matrix)

    @stage
    def counterexample(self) -> np.ndarray | None:
        return learnability.misaligned(self.process.matrix)

    @stage
    def misaligned_fraction(self) -> float:
        return learnability.misaligned_fraction(self.process.matrix)

    @stage
    def theta(self) -> float:
        return float(learnability.least_theta(self.process.world.held, self.process.eta))

    @stage
    def decoded(self) -> np.ndarray | None:
        """eta (C,) by least squares from the bags of the sample or, without one, of x; None where M forbids it."""
        if self.rank < self.process.n_classes:
            return None
        bags = self.process.world.bags if self.sample.bags is None else self.sample.bags
        return learnability.decode(self.process.matrix, bags)

    @stage
    def other(self) -> World | None:
        """A world with the same bags; None if none is asked for, or there is none."""
        process, eta, _, held = self.process.world
        if self.beside == BESIDE[1]:
            counting_is_right = learnability.best(eta)[learnability.best(held).argmax()]
            return None if counting_is_right else World.of(*learnability.swap(process, eta))
        ends = learnability.other_etas(process, eta) if self.beside == BESIDE[2] else ()
        return World.of(process, ends[0]) if ends else None
