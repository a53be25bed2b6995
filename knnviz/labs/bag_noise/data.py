"""The data of BagNoiseLab: data sets of scikit-learn with simulated bags, or a reader's own bags, split by a seed."""

from collections.abc import Mapping, Sequence
from typing import Any

from knnviz.bounds import errandonea
from knnviz.labs.bag_noise.splits import (
    DATA,
    LARGEST_NU,
    NOISES,
    OWN_BAGS,
    PREPARATIONS,
    VOTE_K,
    BagSettings,
    SplitKey,
    class_count,
    training_size,
)
from knnviz.labs.old_engine import Choice, Component, Float, Int, Seed, default_limits, stage
from knnviz.labs.old_parts.bag_choices import KINDS
from knnviz.labs.old_parts.buttons import Button, stop
from knnviz.labs.old_parts.sources import check_rows, register
from knnviz.labs.old_parts.training_data import source_text
from knnviz.learnability.comparison import n_train
from knnviz.problems import BagTable, from_bags


class Splits(Component):
    """The data, their bags, and the splits that a seed makes of them."""

    problem = Choice("digits", DATA).tag(
        label="data", group="Data", tip="A fifth of the points is held out in each split; errors are counted there"
    )
    preparation = Choice("vision", PREPARATIONS).tag(
        label="preparation",
        tip="As the paper has it for images (vision) or tables (tabular); raw: pixels as they are, other columns with "
        "mean 0 and variance 1",
    )
    splits = Int(5, min=1, max=20).tag(label="splits", tip="Each with clusters, probabilities and bags of its own")
    seed = Seed().tag(tip="Of all splits, clusters, probabilities and bags")
    inclusion = Float(0.8, min=0, max=0.95, step=0.05).tag(
        label="largest inclusion",
        symbol="a",
        group="Bags",
        tip="In each of five clusters a label adds every other one with a probability of its own, uniform on [0, a]",
    )
    kind = Choice("confusion", KINDS).tag(
        label="noise",
        tip="With probability nu the bag is made of a label drawn from all, of another label, or loses the true one; "
        "in bags of your own the drawn label takes the place of the true one",
    )
    bag_noise = Float(0.3, min=0, max=LARGEST_NU, step=0.1, digits=1).tag(
        label="bag noise", symbol="nu", tip="Where numbers are read; curves show all nu"
    )

    #: Name of the reader's own bags, which the menu lists beside the others.
    own_source: str | None = None

    def add_source(self, data: BagTable | Sequence[Any]) -> dict[str, Any]:
        """Put the reader's own bags into the menu; return values that choose them, with the paper's for real data."""
        table = bag_table(data)
        check_rows(len(table.y))
        size = n_train(len(table.y))
        if size < VOTE_K:
            raise ValueError(f"{table.name} leaves {size} points to train on, and {VOTE_K} neighbors vote")
        self.own_source = register(table, OWN_BAGS, DATA)
        preparation = "tabular" if size >= PREPARATIONS["tabular"] else "raw"
        paper = {"preparation": preparation, "kind": "removal", "max_neighbors": min(50, size)}
        return {"problem": self.own_source} | paper

    def scene_extras(self) -> dict[str, Any]:
        """A description of the reader's own bags, if the lab shows them."""
        return {"data": OWN_BAGS[self.problem].spec()} if self.problem in OWN_BAGS else {}

    @staticmethod
    def source_of_scene(spec: Mapping[str, Any], data: Any) -> BagTable:
        """The bags that a saved state describes by ``spec``, which are the reader's own ``data``, or ValueError."""
        if data is None:
            raise ValueError(f"{spec['name']!r} is data of your own: give it to from_scene as data")
        table = bag_table(data)
        if table.spec() != spec:
            raise ValueError(f"this scene is on {source_text(spec)}, but data is {source_text(table.spec())}")
        return table

    def actions(self) -> list[Button]:
        lab = self.lab
        tip = "Draw splits, clusters and bags again with the next seed"
        return [("New splits", tip, lambda: lab.set(seed=lab.seed + 1)), stop(lab)]

    def validate(self, values: Mapping[str, Any]) -> None:
        noise = values["bag_noise"]
        if noise not in NOISES:
            raise ValueError(f"bag noise nu must be one of 0, 0.1, 0.2 and so on to {LARGEST_NU}, got {noise}")
        if shortage := too_few_points(values):
            raise ValueError(shortage)

    def limits(self, name: str, values: Mapping[str, Any]) -> tuple[Any, ...]:
        """The menu has the reader's own bags as well."""
        limits = default_limits(self.parameters[name])
        return (*limits, self.own_source) if name == "problem" and self.own_source else limits

    def hidden(self, values: Mapping[str, Any]) -> set[str]:
        return {"inclusion"} if values["problem"] in OWN_BAGS else set()

    def coerce(self, values: dict[str, Any], changes: Mapping[str, Any]) -> list[str]:
        shortage = too_few_points(values)
        if not shortage or "preparation" in changes:
            return []
        values["preparation"] = "raw"
        return [f"The preparation is raw: {shortage}."]

    @stage
    def split_keys(self) -> list[SplitKey]:
        return [SplitKey(self.problem, self.preparation, self.seed, number) for number in range(self.splits)]

    @stage
    def bag_settings(self) -> BagSettings:
        return BagSettings(self.inclusion, KINDS[self.kind])

    @stage(compare_values=True)
    def n_classes(self) -> int:
        return class_count(self.problem)

    @property
    def in_words(self) -> str:
        return repr(self.problem) if self.problem in OWN_BAGS else f"the {self.problem}"

    @stage(compare_values=True)
    def largest_noise(self) -> float | None:
        """nu*; None for a reader's own bags."""
        return None if self.problem in OWN_BAGS else errandonea.largest_noise(self.n_classes, *self.bag_settings)


def too_few_points(values: Mapping[str, Any]) -> str:
    """Why the preparation cannot be used on these data, if so."""
    name, size = values["preparation"], training_size(values["problem"])
    needed = PREPARATIONS[name]
    return f"{name} needs at least {needed} points to train on, and there are {size}" if size < needed else ""


def bag_table(data: Any) -> BagTable:
    """A reader's own bags, from a table or from X, S and y; ValueError for anything else."""
    if isinstance(data, BagTable):
        return data
    if not isinstance(data, Sequence) or isinstance(data, str) or len(data) != 3:
        raise ValueError(f"data must be a BagTable, or points X, bags S and true classes y, got {type(data).__name__}")
    return from_bags(*data)
