"""What all labs share: parameters, a recipe that reads them, and the picture and numbers that
follow.
"""

import json
import threading
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from traitlets import Bunch, HasTraits

from knnviz.checks import LARGEST_COORDINATE, check_int, check_real, shown
from knnviz.labs.engine.background import Background
from knnviz.labs.engine.display import display, remember
from knnviz.labs.engine.layout import PROJECTOR, SCREEN, Cell, Columns, DisplayScale, Rows, arranged
from knnviz.labs.engine.memo import Memo
from knnviz.labs.engine.parameters import ByName, Int, LogInt, Parameter, Range, Trait
from knnviz.labs.engine.recording import Recording, axes_of, record
from knnviz.labs.engine.setting import Setting
from knnviz.labs.engine.steps import Step, steps_of
from knnviz.labs.engine.widget import LabWidget
from knnviz.labs.engine.words import format_number, panel_words
from knnviz.problems import FULL_RESOLUTION, Resolution
from knnviz.views import static
from knnviz.views.layers import Panel, Picture

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Click:
    """Where a panel was clicked, in data coordinates, or where marker ``index`` of the layer
    ``mark`` was dragged.
    """

    x: float
    y: float
    mark: str | None = None
    index: int = 0


class Shown(NamedTuple):
    """What a recipe returns: functions that make the panels, of which those on show are called, and
    the numbers, of which those that are None are left out.

    Both by name; a number has the name that the reader sees. Another ``layout`` may replace that of
    the lab.
    """

    panels: Mapping[str, Callable[[], Panel]]
    numbers: ByName
    layout: Cell | Rows | Columns | None = None


@dataclass(frozen=True)
class Preset:
    """Values of parameters with a name and a source, such as a paper; other parameters have their
    defaults.
    """

    name: str
    source: str
    values: ByName


class Lab(HasTraits):
    """A table of parameters, and a recipe that makes panels and numbers of their values.

    ``table`` has the parameters, and the headings above their controls. ``recipe(p, memo)`` takes
    their values, with the ``display`` scale, the ``resolution`` and the names of ``controls`` and
    of the ``panels`` that are drawn, and a memo. ``ranges(values)`` returns the ends of those
    parameters whose range depends on others, as a tuple or a ``Range``; None for those without
    effect. A value that is set must be in its range, and others move into theirs. ``adjust(values,
    changes, before)`` changes values that follow from others that are set, and may return sentences
    on them. ``buttons`` are a text, a tooltip, and a function of the lab. ``parts`` are modules
    that may have functions ``ranges`` and ``adjust`` and a list ``BUTTONS``, too. ``own_data`` are
    the sources of the reader's own, if the lab takes any.
    What is no parameter, such as guesses, is a frozen dataclass ``state`` that ``set_state``
    replaces and the recipe reads.

    ``controls`` are those that a page opens on, ``numbers`` the first of the readout, ``panels``
    those that are drawn; what is not shown is not computed. ``steps`` stand above the picture,
    each by the fields of a ``Step``, as ``lessons.steps`` returns them. ``record`` are the values
    that a page without Python has, unless these are round values of the ``controls``. ``projector``
    is how the lab looks, not a parameter: scenes, presets and ``reset`` leave it as it is.
    ``resolution`` is how finely it computes, ``data`` are the reader's own.
    """

    title = ""
    table: Sequence[Parameter | str] = ()
    recipe: Any
    ranges: Any = None
    adjust: Any = None
    layout: Cell | Rows | Columns
    presets: Sequence[Preset] = ()
    parts: Sequence[ModuleType] = ()
    buttons: Sequence[tuple[str, str, Callable[[Any], Any]]] = ()
    own_data: Any = None
    #: Decimals of real numbers on the screen that have not two, by name.
    decimals: Mapping[str, int] = {}
    state: Any = None

    #: Parameters by name.
    parameters: Mapping[str, Any] = {}
    #: The headings above their controls.
    headings: Mapping[str, str] = {}
    #: Committed values, and what follows from them for the controls.
    setting: Setting
    #: The values with which the lab began.
    start: Mapping[str, Any] = {}

    lock: threading.RLock  # type: ignore[valid-type]
    memo: Memo
    background: Background
    resolution: Resolution
    #: The widget on show, if any.
    view: LabWidget | None = None
    #: The sentence under the picture, until a parameter changes.
    message = ""
    #: How often Stop was pressed.
    stop_count = 0
    #: What a page opens on.
    first_controls: tuple[str, ...] = ()
    first_numbers: tuple[str, ...] | None = None
    first_panels: tuple[str, ...] = ()
    #: The panels that a page opens on if none are chosen; all if empty.
    opens: tuple[str, ...] = ()
    #: Values of parameters of which a page without Python has all combinations.
    recorded: Mapping[str, Iterable[Any]] = {}
    #: What a reader is told to do, one step after the other.
    steps: tuple[Step, ...] = ()

    _projector = False
    #: What the recipe returned for the current values, if it has run; of a lab that was released
    #: the names of panels, with None.
    _output: Shown | None = None
    #: Its panels that were read.
    _panels: Mapping[str, Panel] = {}
    #: What observers know of the parameters that have changed since they were told.
    _untold: Mapping[str, Any] = {}

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls.parameters = {}
        cls.headings = {}
        heading = ""
        for each in cls.table:
            if isinstance(each, str):
                heading = each
            elif hasattr(Lab, each.name) or each.name in Lab.__annotations__:
                raise TypeError(
                    f"no parameter can have the name {each.name!r}, which every lab uses"
                )
            else:
                cls.parameters[each.name] = each
                cls.headings[each.name] = heading
                setattr(cls, each.name, Trait(each))

    def __init__(
        self,
        data: Any = None,
        *,
        projector: bool = False,
        controls: Sequence[str] = (),
        panels: Sequence[str] = (),
        numbers: Sequence[str] | None = None,
        steps: Sequence[ByName] = (),
        record: Mapping[str, Iterable[Any]] | None = None,
        resolution: Resolution = FULL_RESOLUTION,
        **values: Any,
    ) -> None:
        self.lock = threading.RLock()
        self.background = Background(self)
        self.memo = Memo(self.background)
        self.resolution = resolution
        defaults = {name: each.default for name, each in self.parameters.items()}
        self.setting = Setting(self.parameters, defaults, {})
        super().__init__()
        self.first_controls = checked_names("control", controls, self.parameters)
        chosen = checked_names("panel", panels, self.layout.names)
        self.first_panels = chosen or self.opens or tuple(self.layout.names)
        if data is not None:
            values = {"problem": self._add_data(data)} | values
        self.set(**values)
        self.start = self.values
        self.projector = projector
        self.recorded = record or {}
        checked_names("parameter", tuple(self.recorded), self.parameters)
        self.steps = steps_of(self, steps)
        self._add_places()
        if numbers is not None:
            self.first_numbers = checked_names("number", numbers, self._known_numbers(numbers))

    def _add_data(self, data: Any) -> str:
        """Keep a reader's own data; the name of the source that they become, also in menus."""
        if self.own_data is None:
            title = type(self).__name__
            raise ValueError(f"{title} takes no data of a reader's own, got {shown(data)}")
        source = self.own_data.add(data)
        menu = self.parameters["problem"]
        menu = replace(menu, ends=(*menu.ends, source))
        self.parameters = {**self.parameters, "problem": menu}
        return source

    def _add_places(self) -> None:
        """Let sliders of few places go to the values at the start and at steps."""
        wanted = [self.start, *[step.setting.values for step in self.steps]]
        self.parameters = {
            name: replace(each, also=tuple(values[name] for values in wanted))
            if isinstance(each, LogInt)
            else each
            for name, each in self.parameters.items()
        }
        self.setting = self._setting(self.values)

    def _known_numbers(self, wanted: Sequence[str]) -> ByName:
        """The numbers at the start, and if these are not all that are wanted also others."""
        known = dict(self.numbers)
        if known.keys() >= {*wanted}:
            return known
        # Some numbers are only there with other rules, or after a step.
        others: list[ByName] = []
        if "rules" in self.parameters:
            others += [{"rules": option} for option in self.parameters["rules"].ends]
        others += [step.set for step in self.steps]
        for changes in others:
            self.commit(changes)
            known |= self.numbers
            self.commit(self.start)
        return known

    def __setattr__(self, name: str, value: Any) -> None:
        is_known = hasattr(type(self), name) or name in Lab.__annotations__
        if not is_known and not name.startswith("_"):
            raise AttributeError(self.unknown_parameter(name))
        super().__setattr__(name, value)

    @classmethod
    def unknown_parameter(cls, name: str) -> str:
        """The error message for a name that no parameter has."""
        return f"{cls.__name__} has no parameter {name!r}; it has {', '.join(cls.parameters)}"

    @property
    def projector(self) -> bool:
        """Whether letters, markers and lines are large enough for a lecture hall."""
        return self._projector

    @projector.setter
    def projector(self, on: bool) -> None:
        if not isinstance(on, bool):
            raise ValueError(f"projector must be True or False, got {shown(on)}")
        with self.lock:
            self._projector = on
            self.background.postpone()
            self.show()

    @property
    def display_scale(self) -> DisplayScale:
        return PROJECTOR if self._projector else SCREEN

    # Values.

    @property
    def values(self) -> ByName:
        """Committed values, by the names of parameters."""
        return self.setting.values

    def _functions(self, name: str) -> list[Any]:
        """Those of this name of the parts and of the lab, which have the last word."""
        found = [getattr(part, name, None) for part in (*self.parts, type(self))]
        return list(filter(None, found))

    def _setting(self, values: ByName) -> Setting:
        """Values with the range of each parameter."""
        found = {name: each.ends for name, each in self.parameters.items()}
        for ranges_of in self._functions("ranges"):
            found |= ranges_of(values)
        ranges = {}
        for name, each in found.items():
            ends, why = each if isinstance(each, Range) else Range(each)
            parameter = self.parameters[name]
            # More rows than a lab's largest n do not raise it.
            if isinstance(parameter, Int) and ends and ends[1] > parameter.high:
                ends = (ends[0], int(parameter.high))
            ranges[name] = Range(ends, why)
        return Setting(self.parameters, values, ranges)

    def validated(self, changes: ByName) -> tuple[Setting, list[str]]:
        """The setting after the changes, and sentences on other values that moved into their
        ranges; ValueError if refused.
        """
        for name, value in changes.items():
            if name not in self.parameters:
                raise ValueError(self.unknown_parameter(name))
            # What others exclude now may go with values that are set together with them.
            self.parameters[name].check(value)

        values = {**self.values, **changes}
        notes: list[str] = []
        for adjust in self._functions("adjust"):
            notes += adjust(values, changes, self.values) or ()
        setting, moves = self._moved_into_ranges(values, changes)
        for name in changes:
            values[name] = setting.checked(name)
        return self._setting(values), [*notes, *moves]

    def _moved_into_ranges(
        self, values: dict[str, Any], changes: ByName
    ) -> tuple[Setting, list[str]]:
        """Move values that are not among the changes; sentences on them. The first may move the
        ranges of others.
        """
        notes: list[str] = []
        others = [name for name in self.parameters if name not in changes]
        while True:
            setting = self._setting(values)
            inside = {
                name: self.parameters[name].within(values[name], setting.ends[name])
                for name in others
            }
            outside = [name for name in others if inside[name] != values[name]]
            if not outside:
                return setting, notes
            name = outside[0]
            reason = setting.ranges[name].why
            why = f": {reason}" if reason else ", the nearest allowed"
            parameter = self.parameters[name]
            unseen = setting.hidden & self.setting.hidden
            if parameter.is_on(values) and name not in unseen:
                notes.append(f"{parameter.title} moved from {values[name]} to {inside[name]}{why}.")
            values[name] = inside[name]
            others.remove(name)

    def set(self, **changes: Any) -> Self:
        """Set parameters together, and update the pages; values that raise a ValueError change
        nothing.
        """
        try:
            with self.lock:
                try:
                    self.commit(changes)
                finally:
                    self.show()
        finally:
            self.tell_observers()
        return self

    def commit(self, changes: ByName) -> None:
        """Set parameters, but tell neither pages nor observers; ValueError if refused."""
        before = self.values
        self.setting, notes = self.validated(changes)
        self.background.postpone()
        self.message = " ".join(notes)
        old_values = {name: old for name, old in before.items() if old != self.values[name]}
        # Of several changes observers are told the oldest value.
        self._untold = {**old_values, **self._untold}

    def tell_observers(self) -> None:
        """Tell observers of traits the newest values, then raise the first of their errors.

        Observers may wait for background work, hence not under the lock. While a message is
        received this does nothing: who receives it calls this afterwards.
        """
        problems: list[Exception] = []
        while self._untold and not (self.view and self.view.receiving):
            with self.lock:
                told = self._untold
                self._untold = {}
            for name, old in told.items():
                new = self.values[name]
                change = Bunch(name=name, old=old, new=new, owner=self, type="change")
                try:
                    if old != new:
                        self.notify_change(change)
                except Exception as problem:
                    problems.append(problem)
        if problems:
            raise problems[0]

    def set_from_page(self, changes: ByName) -> None:
        """Set values that a page sends: together, or one by one if that is refused. A refused
        control goes back.
        """
        refusals = []
        attempts = [changes]
        for attempt in attempts:
            try:
                self.commit(attempt)
            except ValueError as refusal:
                if len(attempt) == 1:
                    refusals.append(refusal)
                else:
                    attempts += [{name: value} for name, value in attempt.items()]
        if refusals:
            self.message = f"{refusals[0]}. The last good value stays."

    def set_state(self, state: Any) -> Self:
        """Replace what the recipe reads beside the parameters, and update the pages."""
        with self.lock:
            self.state = state
            self.background.postpone()
            self.show()
        return self

    def reset(self) -> Self:
        """Go back to the state in which the lab began."""
        with self.lock:
            self.state = type(self).state
        return self.set(**self.start)

    def show_preset(self, name: str) -> Self:
        """Set all parameters to the values of a preset; ValueError if there is none of this
        name.
        """
        return self.set(**self.preset_values(name))

    def preset_values(self, name: str) -> ByName:
        """All values of a preset."""
        known = {preset.name: preset for preset in self.presets}
        if name not in known:
            raise ValueError(f"there is no preset {name!r}; there are {', '.join(known)}")
        return type(self)(**known[name].values).values

    def stop(self) -> Self:
        """Stop curves that fill in, and Play; what is computed so far stays."""
        with self.lock:
            self.stop_count += 1
            self.background.stop()
            self.show()
        return self

    def actions(self) -> list[tuple[str, str, Callable[[], Any]]]:
        """Buttons: text, tooltip, action."""
        of_parts = [button for part in self.parts for button in getattr(part, "BUTTONS", ())]
        reset = ("Reset", "Go back to the state in which the lab began", type(self).reset)
        buttons = [*self.buttons, *of_parts, reset]
        return [(text, tip, partial(action, self)) for text, tip, action in buttons]

    def pick(
        self, panel: str, x: float, y: float, mark: str | None = None, index: int = 0
    ) -> dict[str, Any]:
        """Parameters to set after a click at (x, y) in a panel, in data coordinates, or a drag of a
        ``mark`` there.

        Numbers move to the nearest step within their range. Raises ValueError for a panel that
        takes no clicks, and for what is no place.
        """
        click = self.panel(panel).click
        if click is None:
            raise ValueError(f"the panel {panel!r} takes no clicks")
        x = check_real("x of a click", x, -LARGEST_COORDINATE, LARGEST_COORDINATE)
        y = check_real("y of a click", y, -LARGEST_COORDINATE, LARGEST_COORDINATE)
        index = check_int("index of a mark", index, 0)
        return {
            name: self.parameters[name].nearest(value, self.setting.ends[name])
            for name, value in click(Click(x, y, mark, index)).items()
        }

    # What is shown.

    def changed(self) -> None:
        """Have the recipe run again when its panels or numbers are next read."""
        self._output = None
        self._panels = {}

    def release(self) -> None:
        """Keep what is shown, but drop what it was computed from, unless more is to come."""
        if self._output is not None:
            names: Any = dict.fromkeys(self._output.panels)
            self._output = self._output._replace(panels=names)
        self.memo.forget(lambda call: not (call.slow or call.more or call.failure))

    def output(self) -> Shown:
        """What the recipe returns for the current values."""
        if self._output is None:
            self.memo.run_again()
            beside = {
                "state": self.state,
                "display": self.display_scale,
                "resolution": self.resolution,
                # What a hand in the picture may move is what a control may.
                "controls": self.first_controls or tuple(self.parameters),
                "panels": self.drawn_panels(),
            }
            values = SimpleNamespace(**self.values, **beside)
            shown = type(self).recipe(values, self.memo)
            known = {name: number for name, number in shown.numbers.items() if number is not None}
            self._output = shown._replace(numbers=known)
        return self._output

    def panel(self, name: str) -> Panel:
        """A panel by name."""
        with self.lock:
            if name not in self._panels:
                checked_names("panel", [name], self.output().panels)
                if self.output().panels[name] is None:
                    self.changed()
                make = self.output().panels[name]
                self._panels = {**self._panels, name: make()}
            return self._panels[name]

    @property
    def numbers(self) -> ByName:
        """The numbers that the lab reads out, by the names that the reader sees."""
        with self.lock:
            return self.output().numbers

    @property
    def picture(self) -> Picture:
        """The panels that are drawn, and alternative text."""
        with self.lock:
            known = tuple(self.numbers)
            on_show = self.on_show()
            words = [self.memo(panel_words, self.panel(name), known) for name in on_show]
            alt = f"{' '.join(words)} {self.numbers_text()}."
            return replace(self._picture_of(on_show), alt=alt)

    @property
    def alt(self) -> str:
        """The picture in words."""
        return self.picture.alt

    def drawn_panels(self) -> list[str]:
        """Those that a page opens on, and those of choices that have moved from the start."""
        drawn = {*self.first_panels}
        for name, each in self.parameters.items():
            if self.start and self.values[name] != self.start[name]:
                drawn |= {*each.draws}
        return [name for name in self.layout.names if name in drawn]

    def on_show(self) -> list[str]:
        """The panels that are drawn: of those of the recipe, which leaves some out, or else all."""
        made = self.output().panels
        drawn = [name for name in self.drawn_panels() if name in made]
        return drawn or [name for name in self.layout.names if name in made]

    def _picture_of(self, names: Sequence[str]) -> Picture:
        panels = tuple(map(self.panel, names))
        layout = self.output().layout or self.layout
        scale = self.display_scale
        panels, size = self.memo(arranged, self.memo, layout, panels, scale)
        return Picture(panels, size, "", scale.factor)

    def readout(self) -> dict[str, Any]:
        """The lab's numbers in its current state, real ones to six decimals; waits for background
        work.
        """
        numbers = self.background.wait(lambda: self.numbers)
        return {
            name: round(value, 6) if isinstance(value, float) else value
            for name, value in numbers.items()
        }

    def shown_numbers(self) -> dict[str, str]:
        """The numbers as the screen shows them, text by name: first those that the lab opens on."""
        found = self.numbers
        first = [name for name in self.first_numbers or () if name in found]
        return {
            name: format_number(found[name], self.decimals.get(name, 2))
            for name in dict.fromkeys([*first, *found])
        }

    def numbers_text(self) -> str:
        """``shown_numbers`` as part of a sentence."""
        return "; ".join([f"{name} {text}" for name, text in self.shown_numbers().items()])

    def figure(self, panels: Sequence[str] = ()) -> "Figure":
        """The lab's picture as a matplotlib figure, or that of some panels; waits for background
        work.
        """
        names = checked_names("panel", panels, self.layout.names)

        def read() -> Picture:
            return self._picture_of(names) if names else self.picture

        return static.figure(self.background.wait(read))

    def scene(self) -> str:
        """The state of the lab as a short text, from which ``from_scene`` makes the lab again."""
        scene = {"lab": type(self).__name__, **self.values}
        if self.own_data and self.values["problem"] in self.own_data.known:
            scene["data"] = self.own_data.known[self.values["problem"]].spec()
        return json.dumps(scene)

    @classmethod
    def from_scene(cls, text: str, data: Any = None) -> Self:
        """A lab in the state that ``scene`` described; ValueError for other texts, and for those of
        another lab.

        A scene on data of the reader's own needs the same ``data``.
        """
        try:
            values = dict(json.loads(text))
        except (TypeError, ValueError):
            raise ValueError(
                f"a scene is a text that a lab's scene() gave, got {shown(text)}"
            ) from None
        owner = values.pop("lab", None)
        if owner != cls.__name__:
            raise ValueError(f"this is a scene of {owner}, not of {cls.__name__}")
        if "data" not in values or cls.own_data is None:
            return cls(**values)
        spec = values.pop("data")
        _ = values.pop("problem", None)
        return cls(cls.own_data.of_scene(spec, data), **values)

    def record(self, values: Mapping[str, Iterable[Any]] | None = None) -> Recording:
        """The lab at all combinations of some values of parameters, for a page whose controls work
        without Python.

        By default these are those that it was made to ``record``, or else round values of the
        controls that it opens on. The values of its steps are always among them. Raises ValueError
        for values that a parameter cannot have, for none at all, and for more than 10,000 frames.
        """
        return record(self, axes_of(self, values or self.recorded))

    def show(self) -> None:
        """Bring the pages up to date, if there are any."""
        if self.view is not None:
            self.view.show()

    @property
    def widget(self) -> LabWidget:
        """The lab as a widget, for a cell's output or for another widget."""
        with self.lock:
            widget = self.view or LabWidget(self)
            # Curves that were made before there was a page wait for one.
            self.background.begin()
        remember(self)
        return widget

    def _ipython_display_(self) -> None:
        display(self)

    def _display_(self) -> LabWidget:
        """What marimo shows. It cuts a widget off when the cell runs again that showed it first."""
        if self.view is not None and self.view.comm._closed:
            self.view.close()
        return self.widget

    def close(self) -> None:
        """Close the widget and discard everything computed."""
        with self.lock:
            if self.view is not None:
                self.view.close()
            self.memo.forget(lambda call: True)
            self.changed()


def checked_names(what: str, names: Sequence[str], known: Collection[str]) -> tuple[str, ...]:
    """The names as a tuple; ValueError for one that is not ``known``."""
    for name in names:
        if name not in known:
            raise ValueError(f"there is no {what} {name!r}; there are {', '.join(known)}")
    return tuple(names)
