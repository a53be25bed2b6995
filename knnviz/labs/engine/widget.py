"""The widget of a lab: one model, whose pages send what the reader does and draw the frames that
answer.
"""

from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import anywidget
import traitlets

from knnviz.labs.engine.ahead import Ahead
from knnviz.labs.engine.frames import Frames, message

HERE = Path(__file__).parent

#: The JavaScript of a page, without the export: the same with a kernel and without one.
MODULE = "".join(
    (HERE / f"{name}.js").read_text("utf-8")
    for name in ("painters", "figure", "controls", "text", "steps", "page")
)

STYLE = (HERE / "page.css").read_text("utf-8")


class LabWidget(anywidget.AnyWidget):
    """Controls, figure, readout and message line of one lab.

    A page sends four kinds of message, each with the id of the page as ``page``. ``{seq, steps}``
    has a serial number and a list of steps, each a kind and its arguments. ``{hello}`` has the
    number of the page's last frame, and ``{drawn}`` that of a frame to acknowledge. ``{hand}`` is
    the control that a hand has taken, whose frames are sent ahead. A page sends new steps once a
    frame has acknowledged the last ones, and sends them again if no answer comes. A new page reads
    the whole state, a frame and its buffers, from the trait ``whole``.
    """

    _esm = f"{MODULE}export default module;\n"
    _css = STYLE

    whole = traitlets.Any().tag(sync=True, to_json=lambda _, widget: widget._whole())

    def __init__(self, lab: Any) -> None:
        self.lab = lab
        self.frames = Frames(lab)
        self.drawn_number = 0
        self.receiving = False
        # A lab with a view computes in the background: its first frame may be a preview.
        lab.view = self
        self.frames.next()
        self.ahead = Ahead(lab, self.frames)
        super().__init__()
        self.on_msg(self._receive)

    @property
    def drawn(self) -> bool:
        """Whether a page has acknowledged the last frame."""
        return self.drawn_number >= self.frames.number

    def _whole(self) -> Any:
        with self.lab.lock:
            return message(self.frames.whole())

    def show(self) -> None:
        """Send all pages what has changed; while a message is received, once its steps are done."""
        if not self.receiving:
            self._send_frame(self.frames.next())

    def send(self, content: Any, buffers: Any = None) -> None:
        """Send all pages a message; a kernel that ends sends no more."""
        # Here, since a lab needs no kernel, and its import is to be quick.
        from zmq import ZMQError

        with suppress(ZMQError):
            super().send(content, buffers)

    def _send_frame(self, frame: dict[str, Any]) -> None:
        self.send(*message(frame | {"base": self.ahead.number()}))

    def _receive(self, _: Any, content: dict[str, Any], buffers: Any = None) -> None:
        if "steps" in content or "hand" in content:
            self.lab.background.activate()
        with self.ahead.held():
            self._answer(content)
            try:
                self.lab.tell_observers()
            except Exception as problem:
                with self.lab.lock:
                    self.lab.message = f"Something went wrong: {problem}."
                    self.show()

    def _answer(self, content: dict[str, Any]) -> None:
        with self.lab.lock:
            if "hand" in content:
                self.ahead.take(content["hand"])
            elif "drawn" in content:
                self.drawn_number = max(self.drawn_number, content["drawn"])
            elif "hello" in content:
                # A page that comes, or has missed a frame, does not have the base.
                self.ahead.base = None
                if content["hello"] != self.frames.number:
                    self._send_frame(self.frames.whole())
            elif content["seq"] <= self.frames.applied.get(content["page"], 0):
                self._send_frame(self.frames.whole())
            else:
                self._take(**content)

    def _take(self, page: str, seq: int, steps: list[list[Any]]) -> None:
        self.receiving = True
        try:
            for step in steps:
                self._step(*step)
            self.ahead.align()
        finally:
            self.frames.applied[page] = seq
            self.receiving = False
            self.show()

    def _step(self, kind: str = "", *arguments: Any) -> None:
        """Do one step; an error becomes a message, since a page shows no traceback."""
        steps = {
            "move": self.lab.set_from_page,
            "pick": self._pick,
            "act": self._act,
            "preset": self.lab.show_preset,
            "project": partial(setattr, self.lab, "projector"),
        }
        try:
            if kind not in steps:
                raise ValueError(f"there is no step {kind!r}")
            if kind != "move" or [*arguments[0]] != [self.ahead.name]:
                self.ahead.leave()
            steps[kind](*arguments)
        except KeyboardInterrupt:
            self.lab.message = "The computation was interrupted."
        except Exception as problem:
            sentence = f"{problem}."
            is_refusal = kind == "act" or (kind == "pick" and isinstance(problem, ValueError))
            if not is_refusal:
                sentence = f"Something went wrong: {sentence}"
            self.lab.message = sentence

    def _pick(self, panel: str, x: float, y: float, mark: str | None, index: int) -> None:
        picked = self.lab.pick(panel, x, y, mark, index)
        if picked:
            self.lab.set_from_page(picked)
        else:
            self.lab.message = "A click there moves nothing."

    def _act(self, text: str) -> None:
        actions = {name: action for name, _, action in self.lab.actions()}
        if text not in actions:
            raise ValueError(f"there is no button {text!r}")
        actions[text]()

    def close(self) -> None:
        """Close the widget and its ipywidgets layout; the lab can make another widget."""
        if self.lab.view is self:
            self.lab.view = None
        self.layout.close()
        super().close()
