"""The face of a lab: its controls, canvas, readout and message line."""

import gc
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from html import escape
from typing import Any

import ipywidgets as widgets
from IPython import get_ipython

from knnviz.labs.engine.canvas import Canvas
from knnviz.labs.engine.parameters import Choice, LogInt
from knnviz.labs.engine.player import Player
from knnviz.outputs import publish_live, publish_still
from knnviz.views import static
from knnviz.views.layers import Picture

#: What the menu of presets shows while the lab is in none of their states.
NO_PRESET = "choose one"

#: Seconds within which a page may repeat a value that a slider had.
ECHO = 3.0

#: Class of a lab's root while it is shown for a lecture hall.
LARGE = "knnviz-projector"

#: Set in the environment while notebooks are made: a cell waits for the curves that it asks for.
COMPLETE = "KNNVIZ_COMPLETE_PICTURES"

#: Labs on display by the notebook cell they stand in, with the run that showed them.
SHOWN: dict[str, tuple[str | None, list[Any]]] = {}


class Face:
    """Widgets around one lab. All methods are called under the lab's lock."""

    def __init__(self, lab: Any) -> None:
        self.lab, self.parameters = lab, lab.parameters()
        self.controls = {name: parameter.control() for name, parameter in lab.parameters().items()}
        for name, parameter in lab.parameters().items():
            if isinstance(parameter, Choice):
                self.controls[name].options = lab.limits(name, lab.values)
        self.seen = {name: control.value for name, control in self.controls.items()}
        self.told: dict[str, list[tuple[Any, float]]] = {name: [] for name in self.controls}
        self.presets = {preset.name: lab.preset_values(preset.name) for preset in lab.presets}
        self.preset, self.shown_preset = preset_menu(lab.presets), NO_PRESET
        self.switch, self.shown_switch = projector_switch(lab.projector), lab.projector
        self.canvas = Canvas()
        self.players = {
            name: Player(self.controls[name], getattr(lab, parameter.metadata["play"]))
            for name, parameter in lab.parameters().items()
            if "play" in parameter.metadata
        }
        self.headings: dict[widgets.Widget, list[str]] = {}
        self.numbers, self.message = widgets.HTML(), widgets.HTML()
        self.numbers.add_class("knnviz-numbers")
        self.message.add_class("knnviz-message")
        self.root = widgets.HBox([self._panel(), widgets.VBox([self.canvas, self.numbers, self.message])])
        self.root.add_class("knnviz-lab")
        self.root.children[0].add_class("knnviz-controls")
        self.root.children[1].add_class("knnviz-stage")

    def listen(self) -> None:
        """Let controls, buttons and canvas move the lab from now on."""
        for control in self.controls.values():
            control.observe(self.lab.updates, "value")
        self.preset.observe(self.lab.updates, "value")
        self.switch.observe(self.lab.updates, "value")
        self.canvas.observe(self.lab.updates, "picked")

    def _panel(self) -> widgets.VBox:
        """Presets, buttons, and the controls under their headings."""
        rows: list[widgets.Widget] = [widgets.HTML(f"<h3>{escape(self.lab.title)}</h3>")]
        if self.presets:
            rows.append(self.preset)
        rows += [widgets.HBox(self._buttons()), self.switch]
        heading = None
        for name, parameter in self.lab.parameters().items():
            if parameter.metadata.get("group", heading) != heading:
                heading = parameter.metadata["group"]
                rows.append(widgets.HTML(f"<h4>{escape(heading)}</h4>"))
                self.headings[rows[-1]] = []
            rows += [self.controls[name], *([self.players[name].row] if name in self.players else [])]
            if heading is not None:
                self.headings[self._heading()].append(name)
        return widgets.VBox(rows)

    def _heading(self) -> widgets.Widget:
        """The heading that was placed last."""
        return next(reversed(self.headings))

    def _buttons(self) -> list[widgets.Button]:
        buttons = []
        for text, hint, action in self.lab.actions():
            button = widgets.Button(description=text, tooltip=hint, layout=widgets.Layout(width="auto"))
            button.on_click(lambda _, action=action: self._act(action))
            buttons.append(button)
        return buttons

    def _act(self, action: Callable[[], Any]) -> None:
        """Do what a button says; an error becomes a sentence."""
        try:
            action()
        except Exception as problem:
            self.say(f"{problem}.")

    def moved(self) -> dict[str, Any]:
        """What the reader moved: controls that differ from the lab, and the place picked last on the canvas."""
        picked = self.canvas.take_pick()
        self.seen = {name: control.value for name, control in self.controls.items()}
        changes = {name: value for name, value in self.seen.items() if not self._agrees(name) and not self._echo(name)}
        return changes | (self.lab.pick(**picked) if picked else {}) | self._chosen_preset()

    def _echo(self, name: str) -> bool:
        """Whether a slider only repeats a value that it had a short while ago.

        A page that learns of a finer step rounds the value that it has then, and sends it back if a digit changes: so
        an echo is the same value in other digits, and whoever moves the slider back to the very value is no echo.
        """
        seen, same = self.seen[name], self.parameters[name].same
        return any(seen != value and same(seen, value) for value in self._recent(name))

    def _recent(self, name: str) -> list[Any]:
        """Values that a slider had, or was told to take, a short while ago."""
        since = time.monotonic() - ECHO
        self.told[name] = [(value, when) for value, when in self.told[name] if when > since]
        return [value for value, _ in self.told[name]]

    def _tell(self, name: str) -> None:
        """Set a control to the lab's value, and remember both values."""
        control, value = self.controls[name], self.lab.values[name]
        self.told[name] += [(each, time.monotonic()) for each in (control.value, value)]
        self.seen[name] = control.value = value

    def _chosen_preset(self) -> dict[str, Any]:
        """All values of a preset that the reader has chosen since the last look."""
        chosen = self.preset.value
        if chosen == self.shown_preset:
            return {}
        self.shown_preset = chosen
        return self.presets.get(chosen, {})

    def projected(self) -> bool:
        """The look that the reader wants: what the switch says if it was moved since the last look, else the lab's."""
        if self.switch.value == self.shown_switch:
            return self.lab.projector
        self.shown_switch = self.switch.value
        return self.shown_switch

    @property
    def at_rest(self) -> bool:
        """Whether nobody moved anything since the last look: all controls were seen and say what the lab does.

        Controls that follow another one call for an update, too.
        """
        menus = (self.preset.value, self.switch.value) == (self.shown_preset, self.shown_switch)
        seen = {name: control.value for name, control in self.controls.items()} == self.seen
        return menus and seen and not self.canvas.has_pick and all(map(self._agrees, self.controls))

    def show(self) -> None:
        """Bring picture, numbers and controls up to date with the lab."""
        self._follow()
        picture = self.lab.picture
        self.canvas.show(picture, self.lab.values)
        self.numbers.value = table(self.lab.shown_numbers())
        (self.numbers.add_class if self.lab.is_preview else self.numbers.remove_class)("knnviz-rough")

    def _agrees(self, name: str) -> bool:
        """Whether a control, as last seen, shows the lab's value."""
        shown, value = self.seen[name], self.lab.values[name]
        return shown == value or self.parameters[name].same(shown, value)

    def _follow(self) -> None:
        """Set controls to the lab's values and limits, save those that a hand has moved on in the meantime."""
        if self.preset.value == self.shown_preset:
            fitting = (name for name, values in self.presets.items() if values == self.lab.values)
            self.shown_preset = self.preset.value = next(fitting, NO_PRESET)
        if self.switch.value == self.shown_switch:
            self.shown_switch = self.switch.value = self.lab.projector
        (self.root.add_class if self.lab.projector else self.root.remove_class)(LARGE)
        hidden = self.lab.hidden(self.lab.values)
        for heading, names in self.headings.items():
            heading.layout.display = "none" if hidden.issuperset(names) else None
        for name, control in self.controls.items():
            control.layout.display = "none" if name in hidden else None
            if hasattr(control, "max"):
                self._limit(control, name)
            if isinstance(self.parameters[name], LogInt):
                self._climb(control, name)
            if not self._agrees(name) and control.value == self.seen[name]:
                self._tell(name)
        for name, player in self.players.items():
            player.follow(self.lab.values[name])

    def _limit(self, control: widgets.Widget, name: str) -> None:
        """Give a slider the limits that hold now, and a step on which the lab's value lies.

        The page takes what comes in one message in any order, and a slider rounds a value to the step and the limits it
        has at that moment: so room comes first, then the value, then the limits, each in a message of its own.
        """
        value = self.lab.values[name]
        low, high = self.lab.slider_range(name, self.lab.values)
        step = self.parameters[name].step_at(value)
        if (control.min, control.max, control.step) != (low, high, step):
            with control.hold_sync():
                control.min, control.max = min(low, control.min), max(high, control.max)
                control.step = min(step, control.step)
            if control.value == self.seen[name]:
                self._tell(name)
            with control.hold_sync():
                control.min, control.max, control.step = low, high, step

    def _climb(self, control: widgets.Widget, name: str) -> None:
        """Give a slider over steps the lab's value as one of them; new steps would move it to the first.

        The page takes what comes in one message in any order, and moves a place beyond the last step that it knows back
        to that one; and steps that come with another place are not drawn. So a place that both have comes first, then
        the steps, then the value, each in a message of its own.
        """
        value = self.lab.values[name]
        options = self.parameters[name].options(value, *self.lab.slider_range(name, self.lab.values))
        if control.options != options and control.value == self.seen[name]:
            known = control.index = min(control.index, len(options) - 1)
            with control.hold_sync():
                control.options = options
                control.index = known
            self.seen[name] = control.value = value

    def pause(self) -> None:
        """Let no slider run on by itself."""
        for player in self.players.values():
            player.pause()

    def say(self, sentence: str) -> None:
        """Show one sentence in the message line, or clear it."""
        self.message.value = f'<div role="status">{escape(sentence)}</div>'

    def close(self) -> None:
        """Close every widget, layouts, styles and links included."""
        links = (link for player in self.players.values() for link in player.links)
        for widget in [*links, *family(self.preset), *family(self.root)]:
            widget.close()


def preset_menu(presets: Sequence[Any]) -> widgets.Dropdown:
    """A menu of presets; the tooltip tells where each is from."""
    sources = "; ".join(f"{each.name}: {each.source}" for each in presets)
    look = {"layout": widgets.Layout(width="auto"), "style": {"description_width": "6em"}, "tooltip": sources}
    return widgets.Dropdown(description="preset", options=[NO_PRESET, *(each.name for each in presets)], **look)


def projector_switch(on: bool) -> widgets.ToggleButton:
    """A switch to large letters, markers and lines."""
    tip = "Large letters, markers and lines, to be read from the back row; the state of the lab stays as it is"
    return widgets.ToggleButton(on, description="Projector", tooltip=tip, layout=widgets.Layout(width="auto"))


def family(widget: widgets.Widget) -> Iterator[widgets.Widget]:
    """A widget and all that it holds."""
    for held in (*getattr(widget, "children", ()), getattr(widget, "layout", None), getattr(widget, "style", None)):
        if isinstance(held, widgets.Widget):
            yield from family(held)
    yield widget


def table(numbers: dict[str, str]) -> str:
    """Numbers under their names, as HTML."""
    cells = [f"<div><span>{escape(name)}</span><b>{escape(text)}</b></div>" for name, text in numbers.items()]
    return f'<div class="knnviz-row">{"".join(cells)}</div>'


def display(lab: Any) -> None:
    """Show a lab under the running cell: first its picture, which a saved notebook keeps, then the live view."""
    # Whatever fails here fails again below, where it becomes a sentence.
    with suppress(Exception):
        with lab.background.opening():
            picture = lab.background.wait_until_idle(lambda: lab.picture, streams=False)
        words = picture.alt
        if COMPLETE in os.environ:
            picture = lab.background.wait_until_idle(lambda: lab.picture)
        publish_picture(picture, words)
    with lab.updates.lock():
        if lab.face is None:
            lab.face = Face(lab)
            lab.face.listen()
        lab.show()
    publish_live(lab.face.root.model_id, f"{type(lab).__name__}: run this cell to move it.")
    remember(lab)


def publish_picture(picture: Picture, words: str) -> None:
    """Put a picture into the cell's output, with its size, and with words that do not hang on how long it waited."""
    size = {name: round(side * picture.scale) for name, side in zip(("width", "height"), picture.size, strict=True)}
    metadata = {"image/png": {**size, "alt": picture.alt}}
    publish_still({"image/png": static.png(picture, colors=64), "text/plain": words}, metadata)


def remember(lab: Any) -> None:
    """Note where a lab stands, and close those that an earlier run of the same cell left and no other cell shows."""
    cell, run = running_cell()
    if cell is None:
        return
    before = SHOWN.get(cell)
    if before is None or before[0] != run:
        SHOWN[cell] = (run, [lab])
        alive = [each for _, labs in SHOWN.values() for each in labs]
        gone = [each for each in (before[1] if before else []) if not any(each is other for other in alive)]
        for each in gone:
            each.close()
        if gone:
            # Widgets and figures hold each other in circles, which the collector would leave for long.
            gc.collect()
    elif not any(each is lab for each in before[1]):
        before[1].append(lab)


def running_cell() -> tuple[str | None, str | None]:
    """Ids of the notebook cell that is running and of this run of it, if there is one."""
    kernel = getattr(get_ipython(), "kernel", None)
    parent = kernel.get_parent("shell") if kernel is not None else {}
    return parent.get("metadata", {}).get("cellId"), parent.get("header", {}).get("msg_id")
