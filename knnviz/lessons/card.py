"""The widgets of a lesson: questions with choices, and a button that downloads."""

import json
import os
import re
from collections.abc import Callable, Sequence
from html import escape
from pathlib import Path
from typing import ClassVar, NamedTuple

import anywidget
import traitlets
from IPython.display import publish_display_data

from knnviz.outputs import RECORDINGS, publish_live

HERE = Path(__file__).parent

#: The JavaScript of questions without its export, the style of the widgets, and a script for pages without a kernel.
MODULE, CARD_STYLE = (HERE / "question.js").read_text(), (HERE / "card.css").read_text()
QUESTIONS_SCRIPT = f"(() => {{\n{MODULE}{(HERE / 'recorded.js').read_text()}}})();\n"


class Card(anywidget.AnyWidget):
    """A widget with text for pages that cannot show widgets."""

    _css = CARD_STYLE

    #: Text shown where the widget is not live.
    words = ""

    #: The live widgets by key.
    live: ClassVar[dict[str, "Card"]] = {}

    def recorded(self, key: str) -> str:
        """HTML for a page without Python; by default none."""
        return ""

    def present(self, key: str) -> None:
        """Show it under the running cell, and close the widget of this key from an earlier run."""
        if RECORDINGS in os.environ:
            publish_display_data({"text/html": self.recorded(key)})
            return
        before = self.live.get(key)
        if before is not None:
            before.close()
        self.live[key] = self
        publish_live(self.model_id, self.words)


class Asked(NamedTuple):
    """A question, the bold text before it (``lead``), and its choices."""

    lead: str
    question: str
    choices: Sequence[str]


class Questions(Card):
    """Questions with choices.

    ``record_choice`` takes a question's index and a choice, or None, and returns the recorded answer: the first choice.
    ``feedback`` takes the index and the recorded answer, and returns what to show. ``no_answer`` is recorded if there
    was no choice. ``chosen`` is the last click: ``{"question": index, "choice": index or None}``; ``revealed`` holds
    what is shown after each question, empty before its answer.
    """

    _esm = f"{MODULE}export default {{ render }};\n"
    words = "Run this cell to answer."

    questions = traitlets.List(traitlets.Dict()).tag(sync=True)
    button = traitlets.Unicode().tag(sync=True)
    chosen = traitlets.Dict().tag(sync=True)
    revealed = traitlets.List(traitlets.Dict()).tag(sync=True)

    def __init__(
        self,
        asked: Sequence[Asked],
        record_choice: Callable[[int, str | None], str],
        feedback: Callable[[int, str], dict[str, str]],
        *,
        button: str,
        no_answer: str,
    ) -> None:
        questions = [
            {"lead": lead, "question": emphasized(question), "choices": list(map(emphasized, choices))}
            for lead, question, choices in asked
        ]
        super().__init__(questions=questions, button=button, revealed=[{} for _ in asked])
        self.asked, self.record_choice, self.feedback, self.no_answer = asked, record_choice, feedback, no_answer
        self.observe(self._answer, "chosen")

    def answer(self, choice: str | None, question: int = 0) -> None:
        """Make a choice, or none, as the page's buttons do."""
        index = None if choice is None else list(self.asked[question].choices).index(choice)
        self.chosen = {"question": question, "choice": index}

    def _answer(self, _: object) -> None:
        question, index = self.chosen["question"], self.chosen["choice"]
        answer = self.record_choice(question, None if index is None else self.asked[question].choices[index])
        revealed = list(self.revealed)
        revealed[question] = self._shown(question, answer)
        self.revealed = revealed

    def _shown(self, question: int, answer: str) -> dict[str, str]:
        return {part: emphasized(text) for part, text in self.feedback(question, answer).items()}

    def recorded(self, key: str) -> str:
        """The questions, and what is shown after each choice and, last, after none."""
        feedback = [
            [self._shown(index, answer) for answer in (*each.choices, self.no_answer)]
            for index, each in enumerate(self.asked)
        ]
        data = {"key": key, "questions": self.questions, "button": self.button, "told": feedback}
        return f'<div data-questions="{escape(json.dumps(data))}"></div>'


class Download(Card):
    """A button that saves a text as a file; ``read`` returns the text at each press, and ``asked`` counts these."""

    _esm = HERE / "download.js"
    words = "Run this cell to download them."

    title = traitlets.Unicode("Download my answers").tag(sync=True)
    filename = traitlets.Unicode("my-answers.json").tag(sync=True)
    asked = traitlets.Int(0).tag(sync=True)
    content = traitlets.Dict().tag(sync=True)

    def __init__(self, read: Callable[[], str]) -> None:
        super().__init__()
        self.read = read
        self.observe(self._send_text, "asked")

    def _send_text(self, _: object) -> None:
        self.content = {"number": self.asked, "text": self.read()}


def emphasized(text: str) -> str:
    """Plain text as HTML, with *emphasis* between asterisks."""
    return re.sub(r"\*(.+?)\*", r"<em>\1</em>", escape(text))
