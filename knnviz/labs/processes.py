"""What labs on a process of bags share: its matrix on sliders, column by column, P(y | x), and processes by name."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import product
from typing import Any

import numpy as np

from knnviz.labs.engine.lab import Lab
from knnviz.labs.engine.parameters import Choice, Float, Int
from knnviz.labs.engine.stages import stage
from knnviz.labs.parts.class_weights import ROUNDING, share
from knnviz.learnability import EXAMPLES, MODELS
from knnviz.views.learnability import bag_names

#: Labels at most, and the bags they come in.
MOST = 3
BAGS = bag_names(MOST)

#: P(y | x) by label.
ETAS = ("eta0", "eta1", "eta2")

#: Parts to which a hand moves a share.
PARTS = 100

#: A process that was changed by hand.
EDITED = "edited"

#: Processes by name: those with few labels, and models that draw one by the seed.
NAMED = {name: example for name, example in EXAMPLES.items() if example.n_classes <= MOST}
NAMES = (*NAMED, *MODELS)

#: What a lab with so many labels begins with: the process, and P(y | x).
FIRST = {2: "never alone", 3: "labels themselves"}
START = {2: (0.6, 0.4), 3: (0.5, 0.3, 0.2)}


def chance(bag: int, label: int) -> str:
    """The parameter of the chance of a bag, by its row in M, if a label is true."""
    return f"chance_{'none' if not bag else BAGS[bag]}_{label}"


#: The chances, column by column.
COLUMNS = tuple(tuple(chance(bag, label) for bag in range(len(BAGS))) for label in range(MOST))


def chances() -> Iterator[tuple[str, Float]]:
    """A parameter for each bag and true label, by name."""
    for label, bag in product(range(MOST), range(len(BAGS))):
        tip = "Moving one chance moves the others: they always sum to 1"
        tags = {"label": f"{BAGS[bag]} if y = {label}", "tip": tip}
        tags |= {"group": f"Bags if label {label} is true"} if not bag else {}
        yield chance(bag, label), Float(float(bag == 1 << label), min=0, max=1).tag(**tags)


def columns_of(n_classes: int) -> tuple[str, ...]:
    """What the columns of M are called in a menu."""
    return tuple(f"label {label}" for label in range(n_classes))


@lru_cache(maxsize=256)
def named(model: str, seed: int, n_classes: int) -> tuple[np.ndarray, np.ndarray | None]:
    """M (2^C, C) of a process by name, and the eta (C,) that comes with it, if any."""
    if model in NAMED:
        return NAMED[model].process, NAMED[model].eta
    return MODELS[model].draw(n_classes, np.random.default_rng(seed))


class ChanceLab(Lab):
    """The chances of all bags of up to three labels, as parameters."""

    vars().update(chances())


class ProcessLab(ChanceLab):
    """A process of bags of two or three labels, and P(y | x) at one point.

    A chance that is moved scales the others of its column, and the process is an edited one from then on.
    """

    model = Choice("permutation", (*NAMES, EDITED)).tag(
        label="bags", group="Process", tip="Where bags come from; a slider below makes it an edited one"
    )
    n_classes = Int(3, min=2, max=MOST).tag(label="labels", symbol="C", tip="Number of labels")
    seed = Int(0, min=0, max=2**32 - 1, typed=True).tag(label="seed", tip="Of models that are drawn, and of a sample")
    column = Choice("label 0", columns_of(MOST)).tag(
        label="edit", tip="The true label whose bags the sliders below show"
    )
    eta0 = Float(0.5, min=0, max=1).tag(
        label="label 0", symbol="eta0", group="P(y | x)", tip="Moving one share moves the others"
    )
    eta1 = Float(0.3, min=0, max=1).tag(label="label 1", symbol="eta1", tip="The shares always sum to 1")
    eta2 = Float(0.2, min=0, max=1).tag(label="label 2", symbol="eta2", tip="The shares always sum to 1")

    @classmethod
    def defaults(cls) -> dict[str, Any]:
        """Chances are those of the process that the lab begins with."""
        values = super().defaults()
        process, eta = named(values["model"], values["seed"], values["n_classes"])
        return values | chances_of(process) | ({} if eta is None else etas_of(eta))

    def hidden(self, values: Mapping[str, Any]) -> set[str]:
        """The columns that are not edited, the third label of two, and a seed of nothing."""
        n_classes = values["n_classes"]
        shown = chance_names(n_classes)[int(values["column"][-1])]
        hidden = super().hidden(values) | {name for column in COLUMNS for name in column if name not in shown}
        return hidden | set(ETAS[n_classes:]) | (set() if values["model"] in MODELS else {"seed"})

    def coerce(self, values: dict[str, Any], given: Mapping[str, Any]) -> list[str]:
        """A process by name brings its chances along; what was moved takes from the others."""
        notes = super().coerce(values, given)
        values["seed"] = self.parameters()["seed"].validate(values["seed"], self.limits("seed", values))
        if values["n_classes"] not in START:
            return notes
        if "model" not in given and "n_classes" in given and not self._fits(values):
            values["model"] = FIRST[values["n_classes"]]
        if values["model"] in NAMED and "n_classes" not in given:
            values["n_classes"] = NAMED[values["model"]].n_classes
        if "column" not in given and values["column"] not in columns_of(values["n_classes"]):
            values["column"] = columns_of(values["n_classes"])[0]
        if values["model"] != EDITED and self._named(values) != self._named(self.values):
            self._load(values, given)
        columns = chance_names(values["n_classes"])
        for names in (*columns, ETAS[: values["n_classes"]]):
            moved = [name for name in names if name in given]
            if 0 < len(moved) < len(names):
                share(values, names, moved)
        if values["model"] != EDITED and any(self._apart(values, name) for names in columns for name in names):
            values["model"] = EDITED
        return notes

    def _fits(self, values: Mapping[str, Any]) -> bool:
        """Whether the process has so many labels, or can have."""
        model, n_classes = values["model"], values["n_classes"]
        if model in MODELS:
            return True
        before = NAMED[model].n_classes if model in NAMED else self.values["n_classes"]
        return before == n_classes

    def _named(self, values: Mapping[str, Any]) -> tuple[Any, ...]:
        """What a process by name depends on."""
        return values["model"], values["n_classes"], values["seed"] if values["model"] in MODELS else None

    def _load(self, values: dict[str, Any], given: Mapping[str, Any]) -> None:
        """Take over the chances of the process by name, and its eta; where it has none, one of as many labels."""
        process, eta = named(values["model"], values["seed"], values["n_classes"])
        if eta is None and values["n_classes"] != self.values["n_classes"]:
            eta = START[values["n_classes"]]
        found = chances_of(process) | ({} if eta is None else etas_of(eta))
        values.update({name: value for name, value in found.items() if name not in given})

    def _apart(self, values: Mapping[str, Any], name: str) -> bool:
        """Whether a chance is not that of the process by name."""
        process, _ = named(values["model"], values["seed"], values["n_classes"])
        return abs(values[name] - chances_of(process)[name]) > ROUNDING

    def validate(self, values: Mapping[str, Any]) -> None:
        """Chances sum to 1 in each column, shares of labels too; with two labels there is no third."""
        super().validate(values)
        n_classes = values["n_classes"]
        if values["model"] in NAMED and NAMED[values["model"]].n_classes != n_classes:
            raise ValueError(f"{values['model']} has {NAMED[values['model']].n_classes} labels, got {n_classes}")
        if values["column"] not in columns_of(n_classes):
            known = ", ".join(columns_of(n_classes))
            raise ValueError(f"edit must be one of {known}, got {values['column']!r}")
        for label, names in enumerate(chance_names(n_classes)):
            total = sum(values[name] for name in names)
            if abs(total - 1) > ROUNDING:
                raise ValueError(f"chances of bags must sum to 1 for each true label, got {total:g} for label {label}")
        total = sum(values[name] for name in ETAS[:n_classes])
        if abs(total - 1) > ROUNDING:
            raise ValueError(f"P(y | x) must sum to 1, got {total:g}")

    def _take(self, moved: Mapping[str, Any]) -> None:
        """A hand moves a share in hundredths, also from one that is none."""
        held = [name for name in moved if name.startswith(("eta", "chance"))]
        super()._take({**moved, held[0]: round(moved[held[0]] * PARTS) / PARTS} if len(held) == 1 else moved)

    @stage
    def process(self) -> np.ndarray:
        """M (2^C, C)."""
        return np.array([[getattr(self, name) for name in names] for names in chance_names(self.n_classes)]).T

    @stage
    def eta(self) -> np.ndarray:
        """P(y | x) (C,)."""
        return np.array([getattr(self, name) for name in ETAS[: self.n_classes]])


def chance_names(n_classes: int) -> list[tuple[str, ...]]:
    """The parameters of M, column by column, in the order of its rows."""
    return [COLUMNS[label][: 2**n_classes] for label in range(n_classes)]


def chances_of(process: np.ndarray) -> dict[str, float]:
    """Values of the chances for M (2^C, C); none for bags of labels that it lacks."""
    columns = chance_names(process.shape[1])
    found = dict.fromkeys((name for column in COLUMNS for name in column), 0.0)
    return found | {
        name: round(float(process[bag, label]), 12)
        for label, names in enumerate(columns)
        for bag, name in enumerate(names)
    }


def etas_of(eta: np.ndarray) -> dict[str, float]:
    """Values of the shares of labels for eta (C,)."""
    return dict.fromkeys(ETAS, 0.0) | {name: round(float(share), 12) for name, share in zip(ETAS, eta, strict=False)}
