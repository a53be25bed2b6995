"""What all labs share: parameters, the stages that depend on them, and the picture and numbers that follow.

A lab is a plain object; showing it adds a widget.
"""

import json
import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self

from traitlets import Bunch, HasTraits

from knnviz.labs.engine.display import display, remember
from knnviz.labs.engine.layout import PROJECTOR, SCREEN, Cell, Columns, DisplayScale, Rows, arranged
from knnviz.labs.engine.recording import Recording, record, record_on_page
from knnviz.labs.engine.widget import LabWidget
from knnviz.labs.engine.words import format_number
from knnviz.labs.old_engine.background import Background
from knnviz.labs.old_engine.components import default_limits
from knnviz.labs.old_engine.declarations import Declarations
from knnviz.labs.old_engine.lock import Lock
from knnviz.labs.old_engine.panels import Panel as PanelComponent
from knnviz.labs.old_engine.parameters import Choice, Number
from knnviz.labs.old_engine.scenes import Preset, scene_values
from knnviz.labs.old_engine.stages import CacheEntry, DependencyTracker, invalidate, stage
from knnviz.views import static
from knnviz.views.layers import Picture

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class Lab(HasTraits):
    """Parameters as traits, components, stages that read them, and what is shown.

    The body of a subclass declares parameters, components and stages, and gives ``layout`` and ``numbers``. Setting a
    parameter to a bad value raises ValueError and changes nothing; ``set`` moves several at once, validated together.
    ``controls`` are those that a page opens on, ``numbers`` the first of the readout, ``panels`` those that are drawn;
    what is not shown is not computed. ``projector`` is how the lab looks, not a parameter: scenes, presets and
    ``reset`` leave it as it is. ``data`` are the reader's own.
    """

    #: One line above the controls.
    title = ""

    #: Names of the numbers in the readout on screen; those without a name here are not shown.
    number_names: Mapping[str, str] = {}

    #: Parameters in the order of their controls; by default that of their declaration.
    order: tuple[str, ...] = ()

    #: Rows and columns of panels.
    layout: Cell | Rows | Columns | None = None

    #: How the layout is drawn on a screen and on a projector.
    scales: tuple[DisplayScale, DisplayScale] = (SCREEN, PROJECTOR)

    #: Settings to choose from.
    presets: tuple[Preset, ...] = ()

    #: Committed values of the parameters, and those at the start.
    values: Mapping[str, Any] = {}
    start: Mapping[str, Any] = {}

    #: The parameters by name, in the order of their controls.
    parameters: Mapping[str, Any] = {}

    #: What the body of the class declares.
    declared: Declarations

    #: The components of this lab by name; the entries of its own stages; the entries that read each parameter.
    components: Mapping[str, Any]
    cache: dict[stage, CacheEntry]
    readers: dict[str, set[CacheEntry]]
    tracker: DependencyTracker

    #: The lock under which a lab is read and changed, its background jobs, and the widget on show, if any.
    lock: Lock
    background: Background
    view: LabWidget | None = None

    #: The sentence under the picture, and how often Stop was pressed.
    message = ""
    stop_count = 0

    #: The lab itself: stages are computed for a lab or for a component, which has its lab under the same name.
    lab: "Lab"

    #: The controls that a page opens on (all if none are named), the numbers that are first and large, and the panels
    #: that are drawn.
    first_controls: tuple[str, ...] = ()
    first_numbers: tuple[str, ...] = ()
    drawn_panels: tuple[str, ...] = ()

    _projector = False

    if TYPE_CHECKING:
        # Components, and the parameters that they bring in.
        def __getattr__(self, name: str) -> Any: ...

    def __init__(
        self,
        data: Any = None,
        *,
        projector: bool = False,
        controls: Sequence[str] = (),
        panels: Sequence[str] = (),
        numbers: Sequence[str] = (),
        **values: Any,
    ) -> None:
        self.lab, self.cache, self.tracker = self, {}, DependencyTracker()
        self.lock, self.background = Lock(), Background(self)
        self.readers = {name: set() for name in self.declared.parameters}
        self.values = {name: each.default_value for name, each in self.declared.parameters.items()}
        self.components = {name: each.bind(self) for name, each in self.declared.components.items()}
        for component in self.components.values():
            component.connect()
        self.first_controls = checked_names("control", controls, self.declared.parameters)
        self.first_numbers = checked_names("number", numbers, self.number_names)
        chosen = checked_names("panel", panels, self.panel_names()) or self.panel_names()
        self.drawn_panels = tuple([name for name in self.panel_names() if name in chosen])
        # Python finds components faster in the instance than by a call of their __get__.
        vars(self).update(self.components)
        super().__init__()
        if data is not None:
            add_source = getattr(self.components.get("data"), "add_source", None)
            if add_source is None:
                raise ValueError(f"{type(self).__name__} takes no data of a reader's own, got {data!r}")
            # This component puts them into its menu, and returns the values of parameters that choose them.
            values = add_source(data) | values
        self.set(**values)
        self.start, self.projector = self.values, projector

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        cls.declared = Declarations.of(cls, Lab)
        cls.parameters = cls.declared.parameters
        for name, parameter in cls.declared.parameters.items():
            setattr(cls, name, parameter)

    @classmethod
    def unknown_parameter(cls, name: str) -> str:
        """The error message for a name that no parameter has."""
        return f"{cls.__name__} has no parameter {name!r}; it has {', '.join(cls.declared.parameters)}"

    @classmethod
    def panel_names(cls) -> list[str]:
        """The panels, in the order of their declaration."""
        return [name for name, each in cls.declared.components.items() if isinstance(each, PanelComponent)]

    def __setattr__(self, name: str, value: Any) -> None:
        if not (name.startswith("_") or hasattr(type(self), name) or name in Lab.__annotations__):
            raise AttributeError(self.unknown_parameter(name))
        super().__setattr__(name, value)

    @property
    def has_started(self) -> bool:
        """Whether the first values are committed."""
        return bool(self.start)

    @property
    def projector(self) -> bool:
        """Whether letters, markers and lines are large enough for a lecture hall."""
        return self._projector

    @projector.setter
    def projector(self, on: bool) -> None:
        if not isinstance(on, bool):
            raise ValueError(f"projector must be True or False, got {on!r}")
        with self.lock:
            if self._projector != on:
                self._projector = on
                if Lab.on_projector in self.cache:
                    self.cache[Lab.on_projector].discard()
            self.show()

    @stage(compare_values=True)
    def on_projector(self) -> bool:
        return self._projector

    @stage
    def display_scale(self) -> DisplayScale:
        return self.scales[self.on_projector]

    def _on_show(self, names: Sequence[str] = ()) -> list[PanelComponent]:
        return [self.components[name] for name in names or self.drawn_panels if self.components[name].on_show]

    @stage
    def alt(self) -> str:
        return " ".join(filter(None, [*(each.alt_text() for each in self._on_show()), f"{self.numbers_text()}."]))

    @stage
    def picture(self) -> Picture:
        return self._picture_of()

    def _picture_of(self, names: Sequence[str] = ()) -> Picture:
        """The picture of some panels; of all that are on show, with alternative text."""
        panels = tuple([each.drawn for each in self._on_show(names)])
        placed, size = arranged(self.layout, panels, self.display_scale)
        return Picture(placed, size, "" if names else self.alt, self.display_scale.factor)

    @property
    def numbers(self) -> Mapping[str, Any]:
        """The numbers that the lab reads out, by name."""
        raise NotImplementedError

    # Constraints on values: by tags of the parameters, and by hooks of the components.

    def limits(self, name: str, values: Mapping[str, Any]) -> tuple[Any, ...]:
        """Lowest and highest value of a parameter, or the options of a choice; other values are refused."""
        owner = self.declared.owners.get(name)
        if owner:
            return self.components[owner].limits(name, values)
        return default_limits(self.declared.parameters[name])

    def feasible_range(self, name: str, values: Mapping[str, Any]) -> tuple[Any, ...]:
        """The part of ``limits`` that goes together with the values of other parameters, such as k up to n."""
        owner = self.declared.owners.get(name)
        feasible = self.components[owner].feasible_range(name, values) if owner else self.limits(name, values)
        for small, large, gap in self.declared.bounds:
            if name == small:
                feasible = feasible[0], min(feasible[1], values[large] - gap)
            if name == large and not self.declared.is_off(small, values):
                feasible = max(feasible[0], values[small] + gap), feasible[1]
        return feasible

    def slider_range(self, name: str, values: Mapping[str, Any]) -> tuple[Any, ...]:
        """Both ends of a number's control: ``feasible_range``, whose lower end is rounded up to a step."""
        parameter = self.declared.parameters[name]
        if not isinstance(parameter, Number):
            return self.limits(name, values)
        low, high = self.feasible_range(name, values)
        if low > parameter.min:
            lowest = self.limits(name, values)[0]
            low = min(lowest + parameter.step * math.ceil((low - lowest) / parameter.step), values[name])
        owner = self.declared.owners.get(name)
        return self.components[owner].slider_range(name, (low, high), values) if owner else (low, high)

    def ends(self, values: Mapping[str, Any]) -> dict[str, tuple[Any, ...]]:
        return {name: self.slider_range(name, values) for name in self.parameters}

    def reasons(self, values: Mapping[str, Any]) -> dict[str, str]:
        """None are known."""
        return {}

    def control_descriptions(self) -> list[dict[str, Any]]:
        return [{"name": name, **each.control()} for name, each in self.parameters.items()]

    def paces(self) -> dict[str, Any]:
        played = {name: each.play for name, each in self.parameters.items() if each.play}
        return {name: getattr(self, method)(self.values[name]) for name, method in played.items()}

    def tell_observers(self) -> None:
        """Observers are told at once."""

    def hidden(self, values: Mapping[str, Any]) -> set[str]:
        """Parameters without effect for these values: by their tag ``when`` or by a component."""
        off = {name for name in self.declared.conditions if self.declared.is_off(name, values)}
        return off.union(*[each.hidden(values) for each in self.components.values()])

    def coerce(self, values: dict[str, Any], changes: Mapping[str, Any]) -> list[str]:
        """Adjust ``values`` to the ``changes`` that the reader made, and return sentences about it for the reader."""
        return [note for each in self.components.values() for note in each.coerce(values, changes)]

    def validate(self, values: Mapping[str, Any]) -> None:
        """Raise ValueError, in one sentence, if the values do not go together."""
        for small, large, gap in self.declared.bounds:
            if values[small] + gap > values[large] and not self.declared.is_off(small, values):
                one, other = (self.declared.parameters[name].title for name in (small, large))
                must = "must be below" if gap else "must not exceed"
                raise ValueError(f"{one} {must} {other}, got {values[small]} and {values[large]}")
        for each in self.components.values():
            each.validate(values)

    def move_and_note(self, name: str, to: Any, values: dict[str, Any]) -> list[str]:
        """Change one of ``values``, and return a sentence on it; no sentence if it stays."""
        before, values[name] = values[name], to
        title = self.declared.parameters[name].title
        return [] if before == to else [f"{title} moved from {before} to {to}, the nearest allowed."]

    @property
    def is_preview(self) -> bool:
        return any(each.is_preview for each in self.components.values())

    def set(self, **changes: Any) -> Self:
        """Set parameters together, and update the pages; values that raise a ValueError change nothing."""
        with self.lock:
            values, notes = self.validated(changes)
            try:
                self._commit(values, notes)
            finally:
                self.show()
        return self

    def actions(self) -> list[tuple[str, str, Callable[[], Any]]]:
        """Buttons: text, tooltip, action."""
        buttons = {each[0]: each for component in self.components.values() for each in component.actions()}
        buttons.setdefault("Reset", ("Reset", "Go back to the state in which the lab began", self.reset))
        return list(buttons.values())

    def pick(self, panel: str, x: float, y: float, mark: str | None = None, index: int = 0) -> dict[str, Any]:
        """Parameters to set after a click at (x, y) in a panel, in data coordinates, or a drag of a ``mark`` there."""
        return self.components[panel].pick(x, y, mark, index) if panel in self.components else {}

    def nearest_step(self, name: str, x: float) -> dict[str, Any]:
        """A whole number as a parameter to set: the feasible step of its control that is nearest to ``x``."""
        return {name: self.declared.parameters[name].nearest(x, self.feasible_range(name, self.values))}

    def record(self, values: Mapping[str, Iterable[Any]] | None = None) -> Recording:
        """The lab at all combinations of some values of parameters, for a page whose controls work without Python.

        By default these are round values of the controls that the lab opens on: some hundred frames, about a megabyte.
        Raises ValueError for values that a parameter cannot have, for none at all, and for more than 10,000 frames.
        """
        if not (values or self.first_controls):
            raise ValueError("name the values to record, or open the lab on some controls")
        return record(self, values) if values else record_on_page(self)

    def reset(self) -> Self:
        """Go back to the state in which the lab began."""
        return self.set(**self.start)

    def scene(self) -> str:
        """The state of the lab as a short text, from which ``from_scene`` makes the lab again."""
        state = {"lab": type(self).__name__, **self.values}
        for each in self.components.values():
            state |= each.scene_extras()
        return json.dumps(state)

    @classmethod
    def from_scene(cls, text: str, data: Any = None) -> Self:
        """A lab in the state that ``scene`` described; ValueError for other texts, and for those of another lab.

        A scene on data of the reader's own needs the same ``data``.
        """
        values = scene_values(text, cls.__name__)
        component = cls.declared.components.get("data")
        if "data" not in values or component is None:
            return cls(**values)
        # The component named "data" makes the reader's own again by ``spec``, or checks ``data`` against it.
        spec = values.pop("data")
        values.pop("problem", None)
        return cls(component.source_of_scene(spec, data), **values)

    def show_preset(self, name: str) -> Self:
        """Set all parameters to the values of a preset; ValueError if there is none of this name."""
        return self.set(**self.preset_values(name))

    def preset_values(self, name: str) -> Mapping[str, Any]:
        """All values of a preset."""
        known = {preset.name: preset for preset in self.presets}
        if name not in known:
            raise ValueError(f"there is no preset {name!r}; there are {', '.join(known)}")
        return type(self)(**known[name].values).values

    def readout(self) -> dict[str, Any]:
        """The lab's numbers in its current state, real ones to six decimals; waits for background jobs."""
        numbers = self.background.wait_until_idle(lambda: self.numbers)
        return {name: round(value, 6) if isinstance(value, float) else value for name, value in numbers.items()}

    def shown_numbers(self) -> dict[str, str]:
        """The numbers as the screen shows them, text by name: first those that the lab opens on."""
        keys = dict.fromkeys((*self.first_numbers, *self.number_names))
        return {self.number_names[key]: format_number(self.numbers[key]) for key in keys if key in self.numbers}

    def numbers_text(self) -> str:
        """``shown_numbers`` as part of a sentence."""
        return "; ".join([f"{name} {text}" for name, text in self.shown_numbers().items()])

    def figure(self, panels: Sequence[str] = ()) -> "Figure":
        """The lab's picture as a matplotlib figure, or that of some panels; waits for background jobs."""
        names = checked_names("panel", panels, self.panel_names())
        picture = self.background.wait_until_idle(lambda: self._picture_of(names) if names else self.picture)
        return static.figure(picture)

    def stop(self) -> Self:
        """Stop curves that fill in, and Play; what is computed so far stays."""
        with self.lock:
            self.stop_count += 1
            self.background.stop()
            self.show()
        return self

    def runs(self) -> dict[str, int]:
        """How many values each stage has had so far, by names such as "query.votes"."""
        names = {self: ""} | {each: f"{name}." for name, each in self.components.items()}
        return {f"{names[entry.holder]}{entry.stage.name}": entry.version for entry in self.background.entries()}

    def validated(self, changes: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
        """All values after the changes, and sentences on others that moved with them; ValueError for a refusal."""
        parameters = self.declared.parameters
        for name, value in changes.items():
            if name not in parameters:
                raise ValueError(self.unknown_parameter(name))
            parameters[name].check_type(value)
            if isinstance(parameters[name], Choice):
                parameters[name].check(value, self.limits(name, self.values))
        values = {**self.values, **changes}
        notes = self.coerce(values, changes)
        for name in parameters:
            values[name] = parameters[name].check(values[name], self.limits(name, values))
        self.validate(values)
        return values, notes

    def _commit(self, values: dict[str, Any], notes: list[str]) -> None:
        """Store validated values, and notify the observers of the parameters."""
        before, self.values = self.values, values
        moved = [name for name in values if values[name] != before[name]]
        for name in moved:
            invalidate(self.readers[name])
        self.show_message(" ".join(notes))
        for name in moved:
            self.notify_change(Bunch(name=name, old=before[name], new=values[name], owner=self, type="change"))

    def show_message(self, sentence: str) -> None:
        """Show a sentence under the picture until a parameter changes."""
        self.message = sentence

    def set_from_page(self, moved: Mapping[str, Any]) -> None:
        """Set values that a page sends: together, or one by one if that is refused. A refused control goes back."""
        for each in self.components.values():
            moved = each.round_moved(moved)
        refusals = self._refusals(moved)
        if refusals and len(moved) > 1:
            refusals = [each for name, value in moved.items() for each in self._refusals({name: value})]
        if refusals:
            self.show_message(f"{refusals[0]}. The last good value stays.")

    def _refusals(self, changes: Mapping[str, Any]) -> list[str]:
        """Commit changes, or return the error messages."""
        try:
            values, notes = self.validated(changes)
        except ValueError as problem:
            return [str(problem)]
        if changes:
            self._commit(values, notes)
        return []

    def show(self) -> None:
        """Bring the pages up to date, if there are any."""
        if self.view is not None:
            self.view.show()

    @property
    def widget(self) -> LabWidget:
        """The lab as a widget, for a cell's output or for another widget."""
        with self.lock:
            widget = self.view or LabWidget(self)
        remember(self)
        return widget

    def _ipython_display_(self) -> None:
        display(self)

    def release(self) -> None:
        """Drop large values."""
        for entry in self.background.entries():
            entry.release()

    def close(self) -> None:
        """Close the widget and discard everything computed."""
        with self.lock:
            if self.view is not None:
                self.view.close()
            for entry in self.background.entries():
                entry.discard()
            for entries in (self.cache, *[each.cache for each in self.components.values()], *self.readers.values()):
                entries.clear()


def checked_names(what: str, names: Sequence[str], known: Collection[str]) -> tuple[str, ...]:
    """The names as a tuple; ValueError for one that is not ``known``."""
    for name in names:
        if name not in known:
            raise ValueError(f"there is no {what} {name!r}; there are {', '.join(known)}")
    return tuple(names)
