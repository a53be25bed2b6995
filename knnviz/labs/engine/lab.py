"""The machinery of a lab: parameters in, stages between, a picture and a readout out.

A lab is a plain object first; showing it adds a face of widgets.
"""

import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self, TypeVar

from traitlets import Bunch, HasTraits

from knnviz.labs.engine.components import Component, default_limits, members
from knnviz.labs.engine.face import Face, display
from knnviz.labs.engine.jobs import FairScheduler, Job
from knnviz.labs.engine.layout import PROJECTOR, SCREEN, Cell, Columns, Rows, Scale, arranged
from knnviz.labs.engine.panels import Panel as PanelComponent
from knnviz.labs.engine.parameters import Choice, Number, Parameter
from knnviz.labs.engine.stages import CacheEntry, DependencyTracker, invalidate, stage
from knnviz.labs.engine.updates import UpdateQueue
from knnviz.views import static
from knnviz.views.layers import Panel, Picture

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
    """Parameters as traits, components, stages that read them, and what is shown.

    The body of a subclass declares parameters, components and stages, and gives ``picture`` and ``numbers``. Setting a
    parameter to a bad value raises ValueError and changes nothing; ``set`` moves several at once, validated together.
    ``projector`` is how the lab looks, not a parameter: scenes, presets and ``reset`` leave it as it is.
    """

    #: One line that stands over the controls.
    title = ""

    #: Names of the numbers in the readout on screen; those without a name here are not shown.
    number_names: Mapping[str, str] = {}

    #: Parameters in the order of their controls; by default that of their declaration.
    order: tuple[str, ...] = ()

    #: Rows and columns of panels.
    layout: Cell | Rows | Columns | None = None

    #: Scenes to choose from.
    presets: tuple[Preset, ...] = ()

    #: Committed values of the parameters, and those at the start.
    values: Mapping[str, Any] = {}
    start: Mapping[str, Any] = {}

    #: The components of this lab by name; the entries of its own stages; the entries that read each parameter.
    components: Mapping[str, Component] = {}
    cache: dict[stage, CacheEntry] = None
    readers: dict[str, set[CacheEntry]] = None
    tracker: DependencyTracker = None

    #: The lock under which a lab is read and changed, the order of its jobs, and the widgets on show, if any.
    updates: UpdateQueue = None
    scheduler: FairScheduler = None
    face: Face | None = None
    unstarted: list[CacheEntry] | None = None

    #: The lab itself: a stage asks its holder for the lab.
    lab: "Lab" = None

    _projector = False
    _parameters: Mapping[str, Parameter] = {}
    _components: Mapping[str, Component] = {}
    _owners: Mapping[str, str] = {}
    _bounds: Sequence[tuple[str, str]] = ()
    _conditions: Sequence[tuple[str, Mapping[str, Sequence[Any]]]] = ()

    def __init__(self, data: Any = None, *, projector: bool = False, **values: Any) -> None:
        self.lab, self.cache, self.tracker = self, {}, DependencyTracker()
        self.updates, self.scheduler = UpdateQueue(self._update), FairScheduler()
        self.readers = {name: set() for name in self._parameters}
        self.values = self.defaults()
        self.components = {name: each.bind(self) for name, each in self._components.items()}
        for component in self.components.values():
            component.connect()
        # Read by name at every step: an entry of the instance is found without a call.
        vars(self).update(self.components)
        super().__init__()
        if data is not None:
            values |= {"data": data} if "data" in self._parameters else self.components["data"].take(data) | values
        self.set(**values)
        self.start, self.projector = self.values, projector

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        found = members(cls)
        cls._components = {name: each for name, each in found.items() if isinstance(each, Component)}
        cls._owners, parameters = {}, {}
        for name, each in found.items():
            if isinstance(each, Component):
                cls._owners |= dict.fromkeys(each.parameters, name)
                parameters |= {key: shared(cls, key, parameters, given) for key, given in each.parameters.items()}
            elif isinstance(each, Parameter) and name not in cls._owners:
                parameters[name] = each
        cls._parameters = {name: parameters[name] for name in dict.fromkeys((*cls.order, *parameters))}
        for name in cls._owners:
            setattr(cls, name, parameters[name])
        tags = {name: each.metadata for name, each in cls._parameters.items()}
        cls._bounds = [(name, each["at_most"]) for name, each in tags.items() if "at_most" in each]
        cls._conditions = [(name, each["when"]) for name, each in tags.items() if "when" in each]

    @classmethod
    def parameters(cls) -> dict[str, Parameter]:
        """The parameters by name, in the order of their declaration."""
        return cls._parameters

    @classmethod
    def defaults(cls) -> dict[str, Any]:
        """Values of the parameters before anything is set."""
        return {name: parameter.default_value for name, parameter in cls._parameters.items()}

    def __setattr__(self, name: str, value: Any) -> None:
        if not name.startswith("_") and not hasattr(type(self), name):
            raise AttributeError(
                f"{type(self).__name__} has no parameter {name!r}; it has {', '.join(self._parameters)}"
            )
        super().__setattr__(name, value)

    @property
    def projector(self) -> bool:
        """Whether letters, markers and lines are large enough for a lecture hall."""
        return self._projector

    @projector.setter
    def projector(self, on: bool) -> None:
        if not isinstance(on, bool):
            raise ValueError(f"projector must be True or False, got {on!r}")
        with self.updates.lock():
            self._project(on)
            self.show()

    @stage(compare_values=True)
    def projected(self) -> bool:
        """``projector``, as stages read it."""
        return self._projector

    def _project(self, on: bool) -> None:
        """Change the look; the stages that read it are drawn again."""
        if self._projector != on:
            self._projector = on
            self.discard(Lab.projected)

    def discard(self, read: stage) -> None:
        """Have a stage of this lab computed again when it is read next."""
        if read in self.cache:
            self.cache[read].discard()

    @stage
    def scale(self) -> Scale:
        """How the layout is drawn."""
        return PROJECTOR if self.projected else SCREEN

    @property
    def _on_show(self) -> list[PanelComponent]:
        return [each for each in self.components.values() if isinstance(each, PanelComponent) and each.on_show]

    @stage
    def panels(self) -> tuple[Panel, ...]:
        """The panels on show, without their places."""
        return tuple([each.drawn for each in self._on_show])

    @stage
    def alt(self) -> str:
        """The picture in words and numbers."""
        return " ".join(filter(None, [*(each.words() for each in self._on_show), f"{self.numbers_text()}."]))

    @stage
    def picture(self) -> Picture:
        """What is to be drawn now."""
        panels, size = arranged(self.layout, self.panels, self.scale)
        return Picture(panels, size, self.alt, self.scale.factor)

    @property
    def numbers(self) -> Mapping[str, Any]:
        """The numbers that the lab reads out, by name."""
        raise NotImplementedError

    # Rules about values: tags of the parameters, and what components say of their own.

    def limits(self, name: str, values: Mapping[str, Any]) -> tuple[Any, ...]:
        """Lowest and highest value of a parameter, given the others; of a choice, its options."""
        owner = self._owners.get(name)
        return self.components[owner].limits(name, values) if owner else default_limits(self._parameters[name])

    def feasible_range(self, name: str, values: Mapping[str, Any]) -> tuple[Any, ...]:
        """As ``limits``, and within what other values leave."""
        owner = self._owners.get(name)
        kept = self.components[owner].feasible_range(name, values) if owner else self.limits(name, values)
        for small, large in self._bounds:
            if name == small:
                kept = kept[0], min(kept[1], values[large])
            if name == large:
                kept = max(kept[0], values[small]), kept[1]
        return kept

    def slider_range(self, name: str, values: Mapping[str, Any]) -> tuple[Any, ...]:
        """Where the control of a number ends: as ``feasible_range``, from a step of the slider on."""
        parameter = self._parameters[name]
        if not isinstance(parameter, Number):
            return self.limits(name, values)
        owner, (low, high) = self._owners.get(name), self.feasible_range(name, values)
        if low > parameter.min:
            least = self.limits(name, values)[0]
            low = min(least + parameter.step * math.ceil((low - least) / parameter.step), values[name])
        return self.components[owner].slider_range(name, (low, high), values) if owner else (low, high)

    def hidden(self, values: Mapping[str, Any]) -> set[str]:
        """Parameters without effect for these values: by their tag ``when``, or as a component says."""
        off = {name for name, asked in self._conditions if any(values[key] not in asked[key] for key in asked)}
        return off.union(*[each.hidden(values) for each in self.components.values()])

    def coerce(self, values: dict[str, Any], given: Mapping[str, Any]) -> list[str]:
        """Move what must follow the ``given`` changes to allowed values, and report it in sentences."""
        return [note for each in self.components.values() for note in each.coerce(values, given)]

    def validate(self, values: Mapping[str, Any]) -> None:
        """Raise ValueError, in one sentence, if the values do not go together."""
        for small, large in self._bounds:
            if values[small] > values[large]:
                titles = (self._parameters[name].title for name in (small, large))
                raise ValueError("{} must not exceed {}, got {} and {}".format(*titles, values[small], values[large]))
        for each in self.components.values():
            each.validate(values)

    @classmethod
    def bounded_by(cls, name: str) -> list[str]:
        """Parameters whose tag ``at_most`` names this one."""
        return [small for small, large in cls._bounds if large == name]

    def move(self, name: str, to: Any, values: dict[str, Any]) -> list[str]:
        """Move a value, and report it."""
        before, values[name] = values[name], to
        title = self._parameters[name].title
        return [] if before == to else [f"{title} moved from {before} to {to}, the nearest allowed."]

    @property
    def is_preview(self) -> bool:
        """Whether finer numbers are being computed."""
        return any(each.is_preview for each in self.components.values())

    def set(self, **changes: Any) -> Self:
        """Move parameters together, and wait until the lab shows it; ValueError changes nothing."""
        with self.updates.lock():
            values, notes = self.validated(changes)
            try:
                self._commit(values, notes)
            finally:
                self.show()
        return self

    def actions(self) -> list[tuple[str, str, Callable[[], Any]]]:
        """Buttons: text, tooltip, action."""
        own = {each[0]: each for component in self.components.values() for each in component.actions()}
        return [*own.values(), ("Reset", "Go back to the state in which the lab began", self.reset)]

    def pick(self, panel: str, x: float, y: float, mark: str | None, index: int) -> dict[str, Any]:
        """Parameters that follow from a place picked in a panel, in data coordinates, or to which a mark was moved."""
        return self.components[panel].pick(x, y, mark, index) if panel in self.components else {}

    def nearest_step(self, name: str, x: float) -> dict[str, Any]:
        """The step of a number's control that is nearest to a place on its axis, within what is feasible."""
        step, (low, high) = self._parameters[name].step, self.feasible_range(name, self.values)
        return {name: int(min(max(step * round(x / step), low), high))}

    def reset(self) -> Self:
        """Go back to the state in which the lab began."""
        return self.set(**self.start)

    def scene(self) -> str:
        """The state as a short text, which ``from_scene`` turns back into a lab."""
        return json.dumps({"lab": type(self).__name__, **self.values, **self.scene_extras()})

    def scene_extras(self) -> dict[str, Any]:
        """What a scene holds besides the parameters."""
        return {key: told for each in self.components.values() for key, told in each.scene_extras().items()}

    @classmethod
    def from_scene(cls, text: str, data: Any = None) -> Self:
        """A lab in the state that a text from ``scene`` tells; ValueError if it tells of none or of another lab.

        A scene on data of the reader's own needs these ``data``, the very same.
        """
        values = cls.scene_values(text)
        if "data" in cls._parameters or "data" not in values:
            return cls(**values)
        spec = values.pop("data")
        del values["problem"]
        return cls(cls._components["data"].matching(spec, data), **values)

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
        numbers = self.wait_until_idle(lambda: self.numbers)
        return {name: round(value, 6) if isinstance(value, float) else value for name, value in numbers.items()}

    def shown_numbers(self) -> dict[str, str]:
        """The numbers as the readout on screen shows them, name and text."""
        return {
            self.number_names[key]: format_number(value)
            for key, value in self.numbers.items()
            if key in self.number_names
        }

    def numbers_text(self) -> str:
        """The same as part of a sentence."""
        return "; ".join([f"{name} {text}" for name, text in self.shown_numbers().items()])

    def figure(self) -> "Figure":
        """The lab's picture as a matplotlib figure; waits for work in the background."""
        return static.figure(self.wait_until_idle(lambda: self.picture))

    def wait_until_idle(self, read: Callable[[], Result], streams: bool = True) -> Result:
        """What is read once nothing is at work on it any more, streams included or not.

        An error of that work is raised. From within an update it is what there is.
        """
        while True:
            with self.updates.lock():
                result, jobs = read(), self._jobs(streams)
                if not jobs:
                    self._raise_failures()
            if not jobs or self.updates.held_by_this_thread:
                return result
            for job in jobs:
                job.thread.join()

    def _entries(self) -> list[CacheEntry]:
        return [entry for holder in (self, *self.components.values()) for entry in holder.cache.values()]

    def _jobs(self, streams: bool) -> list[Job]:
        """Jobs that are running for the current state."""
        held = [entry.job for entry in self._entries() if entry.fresh and (streams or not entry.stage.streaming)]
        return [job for job in held if job and not job.done]

    def _failed(self) -> list[CacheEntry]:
        """Entries of the current state whose background job has failed."""
        return [entry for entry in self._entries() if entry.failure and entry.fresh]

    def _raise_failures(self) -> None:
        """Raise the error of a failed job, once: its stage is computed again when it is read next."""
        for entry in self._failed():
            entry.discard()
            raise entry.failure

    def stop(self) -> Self:
        """Stop streams and players, and keep what there is so far."""
        with self.updates.lock():
            if self.face is not None:
                self.face.pause()
            for job in self._jobs(streams=True):
                if job.entry.stage.streaming:
                    job.stop()
        return self

    def start_job(self, entry: CacheEntry, values: Iterator[Any]) -> None:
        """Take the further values of a background stage: in a thread for a lab on show, else all at once."""
        if self.face is not None:
            entry.job = Job(entry, values)
            entry.job.thread.start()
            return
        if self.unstarted is not None and entry.stage.streaming:
            self.unstarted.append(entry)
            return
        entry.fresh, entry.stale = False, True
        for value in values:
            entry.value = value
        entry.fresh, entry.stale = True, False

    @property
    def is_opening(self) -> bool:
        """Whether the lab opens, and does not wait for streaming stages."""
        return self.unstarted is not None

    @contextmanager
    def opening(self) -> Iterator[None]:
        """While the lab opens, streaming stages give their first value only, and begin again afterwards."""
        self.unstarted = []
        try:
            yield
        finally:
            for entry in self.unstarted:
                entry.discard()
            self.unstarted = None

    def record_failure(self, job: Job, problem: Exception) -> None:
        """Store a job's error; show it while its result is current."""
        with self.updates.lock():
            if job.entry.is_current(job):
                job.entry.failure = problem
                self._say_failures()

    def _say_failures(self) -> None:
        for entry in self._failed()[:1]:
            self._say(f"Something went wrong: {entry.failure}.")

    def runs(self) -> dict[str, int]:
        """How often each stage got a value so far, by its address."""
        names = {self: ""} | {each: f"{name}." for name, each in self.components.items()}
        return {f"{names[entry.holder]}{entry.stage.name}": entry.version for entry in self._entries()}

    def validated(self, changes: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
        """All values after the changes, and what else had to move; ValueError if they may not be."""
        parameters = self._parameters
        for name, value in changes.items():
            if name not in parameters:
                raise ValueError(f"{type(self).__name__} has no parameter {name!r}; it has {', '.join(parameters)}")
            parameters[name].check_type(value)
            if isinstance(parameters[name], Choice):
                parameters[name].validate(value, self.limits(name, self.values))
        values = {**self.values, **changes}
        notes = self.coerce(values, changes)
        for name in parameters:
            values[name] = parameters[name].validate(values[name], self.limits(name, values))
        self.validate(values)
        return values, notes

    def _commit(self, values: dict[str, Any], notes: list[str]) -> None:
        """Take checked values over, and tell whoever observes the parameters."""
        before, self.values = self.values, values
        moved = [name for name in values if values[name] != before[name]]
        for name in moved:
            invalidate(self.readers[name])
        self._say(" ".join(notes))
        for name in moved:
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
        for each in self.components.values():
            moved = each.by_hand(moved)
        refusals = self._refusals(moved)
        if refusals and len(moved) > 1:
            refusals = [each for name, value in moved.items() for each in self._refusals({name: value})]
        if refusals:
            self._say(f"{refusals[0]}. The last good value stays.")

    def _refusals(self, changes: Mapping[str, Any]) -> list[str]:
        """Take changes over, or return why not."""
        try:
            checked = self.validated(changes)
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
        with self.updates.lock():
            if self.face is not None:
                self.face.close()
                self.face = None
            for entry in self._entries():
                entry.discard()
            for holder in (self, *self.components.values()):
                holder.cache.clear()


def format_number(value: Any) -> str:
    """A number, a few numbers, a word, yes or no, or none, as a reader sees it."""
    if value is None or isinstance(value, bool):
        return {None: "none", True: "yes", False: "no"}[value]
    if isinstance(value, float):
        return f"{value:.4f}" if abs(value) < PLAIN else f"{value:.5g}"
    return " : ".join(format_number(each) for each in value) if isinstance(value, tuple) else str(value)


def shared(lab: type, name: str, parameters: Mapping[str, Parameter], given: Parameter) -> Parameter:
    """A parameter that a component brings in; TypeError if another component has one of this name."""
    if parameters.get(name, given) is not given:
        raise TypeError(f"two components of {lab.__name__} have a parameter {name!r}: give one of them to the other")
    return given
