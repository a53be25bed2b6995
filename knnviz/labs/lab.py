"""The machinery of a lab: parameters in, stages between, a picture and a readout out.

A lab is a plain object first; showing it adds a face of widgets.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self, TypeVar

from traitlets import Bunch, HasTraits

from knnviz.labs.face import Face, display
from knnviz.labs.jobs import Job, Turns
from knnviz.labs.latest import Latest
from knnviz.labs.parameters import Choice, Number, Parameter
from knnviz.labs.stages import Record, Stages, stage
from knnviz.views import static
from knnviz.views.layers import Picture

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Result = TypeVar("Result")

#: From where on a number is shown to five digits, not to four after the point.
PLAIN = 100


@dataclass(frozen=True)
class Preset:
    """A scene with a name and the source it is taken from; what ``values`` leave out is as the lab's class has it."""

    name: str
    source: str
    values: Mapping[str, Any]


class Lab(HasTraits):
    """Parameters as traits, stages that read them, and what is shown.

    A subclass declares parameters and stages, and gives ``picture`` and ``numbers``. Setting a parameter to a bad value
    raises ValueError and changes nothing; ``set`` moves several at once, validated together. ``projector`` is how the
    lab looks, not a parameter: scenes, presets and ``reset`` leave it as it is.
    """

    #: One line that stands over the controls.
    title = ""

    #: How numbers are called in the readout on screen; those without a name here are not shown.
    number_names: Mapping[str, str] = {}

    #: Parameters in the order of their controls; by default that of their declaration.
    order: tuple[str, ...] = ()

    #: Scenes to choose from.
    presets: tuple[Preset, ...] = ()

    #: Committed values of the parameters, and those at the start.
    values: Mapping[str, Any] = {}
    start: Mapping[str, Any] = {}

    #: What stages read and hold, who is at work on the lab, and the widgets on show, if any.
    stages: Stages = None
    records: dict[stage, Record] = None
    turns: Turns = None
    latest: Latest = None
    face: Face | None = None
    opening = False

    #: How often anything that stages read has changed: what was found to stand since then need not be checked again.
    changes = 0

    _projector = False
    _parameters: Mapping[str, Parameter] = {}

    def __init__(self, *, projector: bool = False, **values: Any) -> None:
        self.stages, self.records, self.turns, self.latest = Stages(), {}, Turns(), Latest(self._update)
        self.values = self.defaults()
        super().__init__()
        self.set(**values)
        self.start, self.projector = self.values, projector

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        declared = (item for base in reversed(cls.__mro__) for item in vars(base).items())
        found = {name: trait for name, trait in declared if isinstance(trait, Parameter)}
        cls._parameters = {name: found[name] for name in dict.fromkeys((*cls.order, *found))}

    @classmethod
    def parameters(cls) -> dict[str, Parameter]:
        """The parameters by name, in the order of their declaration."""
        return cls._parameters

    @classmethod
    def defaults(cls) -> dict[str, Any]:
        """Values of the parameters before anything is set."""
        return {name: parameter.default_value for name, parameter in cls.parameters().items()}

    def __setattr__(self, name: str, value: Any) -> None:
        if name in self.parameters():
            self.set(**{name: value})
        elif name.startswith("_") or hasattr(type(self), name):
            super().__setattr__(name, value)
        else:
            raise AttributeError(
                f"{type(self).__name__} has no parameter {name!r}; it has {', '.join(self.parameters())}"
            )

    @property
    def projector(self) -> bool:
        """Whether letters, markers and lines are large enough for a lecture hall."""
        return self._projector

    @projector.setter
    def projector(self, on: bool) -> None:
        if not isinstance(on, bool):
            raise ValueError(f"projector must be True or False, got {on!r}")
        with self.latest.alone():
            self._project(on)
            self.show()

    @stage(steady=True)
    def projected(self) -> bool:
        """``projector``, as stages read it."""
        return self._projector

    def _project(self, on: bool) -> None:
        """Take the look over; the stages that read it are drawn anew."""
        self._projector = on
        record = self.records.get(Lab.projected)
        if record is not None:
            record.spoiled = record.value != on
            self.changes += 1

    def spoil(self, record: Record) -> None:
        """A record is not to be used again."""
        record.spoiled = True
        self.changes += 1

    @property
    def picture(self) -> Picture:
        """What is to be drawn now."""
        raise NotImplementedError

    @property
    def numbers(self) -> Mapping[str, Any]:
        """The numbers that the lab reads out, by name."""
        raise NotImplementedError

    def limits(self, name: str, values: Mapping[str, Any]) -> tuple[Any, ...]:
        """Lowest and highest value of a parameter, given the others; of a choice, what there is to choose from."""
        parameter = self.parameters()[name]
        return (parameter.min, parameter.max) if isinstance(parameter, Number) else parameter.options

    @property
    def rough(self) -> bool:
        """Whether finer numbers are on their way."""
        return False

    def ends(self, name: str, values: Mapping[str, Any]) -> tuple[Any, ...]:
        """Where the control of a number ends: at its limits, or before what would be refused."""
        return self.limits(name, values)

    def hidden(self, values: Mapping[str, Any]) -> set[str]:
        """Parameters that do nothing for these values, so that their controls need not show."""
        return set()

    def adapt(self, values: dict[str, Any], given: Mapping[str, Any]) -> list[str]:
        """Move what must follow the ``given`` changes to allowed values, and say so in sentences."""
        return []

    def validate(self, values: Mapping[str, Any]) -> None:
        """Raise ValueError, in one sentence, if the values do not go together."""

    def set(self, **changes: Any) -> Self:
        """Move parameters together, and wait until the lab shows it; ValueError changes nothing."""
        with self.latest.alone():
            values, notes = self._checked(changes)
            try:
                self._commit(values, notes)
            finally:
                self.show()
        return self

    def actions(self) -> list[tuple[str, str, Callable[[], Any]]]:
        """Buttons: text, tooltip, what they do."""
        return [("Reset", "Go back to the state in which the lab began", self.reset)]

    def pick(self, panel: str, x: float, y: float, mark: str | None, index: int) -> dict[str, Any]:
        """Parameters that follow from a place picked in a panel, in data coordinates, or to which a mark was moved."""
        return {}

    def reset(self) -> Self:
        """Go back to the state in which the lab began."""
        return self.set(**self.start)

    def scene(self) -> str:
        """The state as a short text, which ``from_scene`` turns back into a lab."""
        return json.dumps({"lab": type(self).__name__, **self.values, **self.scene_extras()})

    def scene_extras(self) -> dict[str, Any]:
        """What a scene holds besides the parameters."""
        return {}

    @classmethod
    def from_scene(cls, text: str) -> Self:
        """A lab in the state that a text from ``scene`` tells; ValueError if it tells of none or of another lab."""
        return cls(**cls.scene_values(text))

    @classmethod
    def scene_values(cls, text: str) -> dict[str, Any]:
        """What a scene of this kind of lab holds."""
        try:
            values = dict(json.loads(text))
        except (TypeError, ValueError):
            raise ValueError(f"a scene is a text that a lab's scene() gave, got {text!r}") from None
        lab = values.pop("lab", None)
        if lab != cls.__name__:
            raise ValueError(f"this is a scene of {lab}, not of {cls.__name__}")
        return values

    def show_preset(self, name: str) -> Self:
        """Move all parameters to those of a preset; ValueError if there is none of this name."""
        return self.set(**self.preset_values(name))

    def preset_values(self, name: str) -> dict[str, Any]:
        """All values of a preset."""
        known = {preset.name: preset for preset in self.presets}
        if name not in known:
            raise ValueError(f"there is no preset {name!r}; there are {', '.join(known)}")
        return type(self)(**known[name].values).values

    def readout(self) -> dict[str, Any]:
        """The lab's numbers for its newest state, real ones to six decimals; waits for work in the background."""
        numbers = self.settled(lambda: self.numbers)
        return {name: round(value, 6) if isinstance(value, float) else value for name, value in numbers.items()}

    def shown_numbers(self) -> dict[str, str]:
        """The numbers as the readout on screen shows them, name and text."""
        return {self.number_names[key]: shown(value) for key, value in self.numbers.items() if key in self.number_names}

    def told_numbers(self) -> str:
        """The same as part of a sentence."""
        return "; ".join(f"{name} {text}" for name, text in self.shown_numbers().items())

    def figure(self) -> "Figure":
        """The lab's picture as a matplotlib figure; waits for work in the background."""
        return static.figure(self.settled(lambda: self.picture))

    def settled(self, read: Callable[[], Result], streams: bool = True) -> Result:
        """What is read once nothing is at work on it any more, streams included or not.

        An error of that work is raised. From within an update it is what there is.
        """
        while True:
            with self.latest.alone():
                result, jobs = read(), self._jobs(streams)
                if not jobs:
                    self._raise_failures()
            if not jobs or self.latest.inside:
                return result
            for job in jobs:
                job.thread.join()

    def _jobs(self, streams: bool) -> list[Job]:
        """Work that goes on for the newest state."""
        held = [(read, record, record.job) for read, record in self.records.items() if streams or not read.streaming]
        return [job for read, record, job in held if job and not job.done and read.wanted(self, record)]

    def _failed(self) -> list[Record]:
        """Records of the newest state whose work in the background has failed."""
        return [record for read, record in self.records.items() if record.failure and read.wanted(self, record)]

    def _raise_failures(self) -> None:
        """Raise what went wrong in the background; whoever asks again has it tried again."""
        for record in self._failed():
            self.spoil(record)
            raise record.failure

    def stop(self) -> Self:
        """Stop streams and players, and keep what there is so far."""
        with self.latest.alone():
            if self.face is not None:
                self.face.pause()
            for job in self._jobs(streams=True):
                if job.read.streaming:
                    job.stop()
        return self

    def carry_on(self, read: stage, record: Record, values: Iterator[Any]) -> None:
        """Draw the further values of a background stage: in a thread for a lab on show, else all at once."""
        if self.face is not None:
            record.job = Job(self, read, record, values)
            record.job.thread.start()
            return
        record.spoiled = True
        if self.opening and read.streaming:
            return
        for value in values:
            record.value = value
        record.spoiled = False

    @contextmanager
    def opened(self) -> Iterator[None]:
        """While the lab opens, streaming stages give their first value only, and begin again afterwards."""
        self.opening = True
        try:
            yield
        finally:
            self.opening = False
            self.changes += 1

    def complain(self, read: stage, record: Record, problem: Exception) -> None:
        """Keep in mind that work in the background failed, and say so as long as anybody wants it."""
        with self.latest.alone():
            record.failure = problem
            self._say_failures()

    def _say_failures(self) -> None:
        for record in self._failed()[:1]:
            self._say(f"Something went wrong: {record.failure}.")

    def runs(self) -> dict[str, int]:
        """How often each stage ran so far."""
        return {read.name: record.runs for read, record in self.records.items()}

    def _checked(self, changes: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
        """All values after the changes, and what else had to move; ValueError if they may not be."""
        parameters = self.parameters()
        for name, value in changes.items():
            if name not in parameters:
                raise ValueError(f"{type(self).__name__} has no parameter {name!r}; it has {', '.join(parameters)}")
            parameters[name].typed_well(value)
            if isinstance(parameters[name], Choice):
                parameters[name].clean(value, self.limits(name, self.values))
        values = {**self.values, **changes}
        notes = self.adapt(values, changes)
        for name in parameters:
            values[name] = parameters[name].clean(values[name], self.limits(name, values))
        self.validate(values)
        return values, notes

    def _commit(self, values: dict[str, Any], notes: list[str]) -> None:
        """Take checked values over, and tell whoever observes the parameters."""
        self.changes += 1
        before, self.values = self.values, values
        self._say(" ".join(notes))
        for name in [name for name in values if values[name] != before[name]]:
            self.notify_change(Bunch(name=name, old=before[name], new=values[name], owner=self, type="change"))

    def _say(self, sentence: str) -> None:
        if self.face is not None:
            self.face.say(sentence)

    def _update(self) -> None:
        """Follow the controls and show it. Whatever fails becomes a sentence, since nobody would see an error here."""
        if self.face is None or self.face.at_rest:
            return
        try:
            self._project(self.face.projected())
            self._take(self.face.moved())
        except Exception as problem:
            self._say(f"Something went wrong: {problem}.")
        self.show()

    def _take(self, moved: Mapping[str, Any]) -> None:
        """Take what controls say, together or else one by one; a bad value goes back to the last good one."""
        refusals = self._refusals(moved)
        if refusals and len(moved) > 1:
            refusals = [each for name, value in moved.items() for each in self._refusals({name: value})]
        if refusals:
            self._say(f"{refusals[0]}. The last good value stays.")

    def _refusals(self, changes: Mapping[str, Any]) -> list[str]:
        """Take changes over, or return why not."""
        try:
            checked = self._checked(changes)
        except ValueError as problem:
            return [str(problem)]
        if changes:
            self._commit(*checked)
        return []

    def show(self) -> bool:
        """Bring the face up to date, if there is one; if that fails the last picture stays, with a sentence."""
        try:
            if self.face is not None:
                self.face.show()
                self._say_failures()
        except Exception as problem:
            self._say(f"This setting cannot be shown: {problem}.")
            return False
        return True

    def _ipython_display_(self) -> None:
        display(self)

    def close(self) -> None:
        """Take the face away and let go of everything computed."""
        with self.latest.alone():
            if self.face is not None:
                self.face.close()
                self.face = None
            self.records.clear()


def shown(value: Any) -> str:
    """A number, a few numbers, a word, yes or no, or none, as a reader sees it."""
    if value is None or isinstance(value, bool):
        return {None: "none", True: "yes", False: "no"}[value]
    if isinstance(value, float):
        return f"{value:.4f}" if abs(value) < PLAIN else f"{value:.5g}"
    return " : ".join(shown(each) for each in value) if isinstance(value, tuple) else str(value)
