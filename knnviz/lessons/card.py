"""The small live parts of a lesson: a question with choices, and a button that downloads."""

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

#: What draws questions on a page, up to its export, and how they look; and a script for pages without a kernel.
MODULE, CARD_STYLE = (HERE / "question.js").read_text(), (HERE / "card.css").read_text()
QUESTIONS_SCRIPT = f"(() => {{\n{MODULE}{(HERE / 'recorded.js').read_text()}}})();\n"


class Card(anywidget.AnyWidget):
    """A widget with text for pages that cannot show widgets."""

    _css = CARD_STYLE

    #: The text in place of a widget that is not live.
    words = ""

    #: The live cards by key.
    live: ClassVar[dict[str, "Card"]] = {}

    def recorded(self, key: str) -> str:
        """What a page without Python shows in its place, as HTML: nothing."""
        return ""

    def present(self, key: str) -> None:
        """Show it under the running cell, and close the card of this key that an earlier run left."""
        if RECORDINGS in os.environ:
            publish_display_data({"text/html": self.recorded(key)})
            return
        before = self.live.get(key)
        if before is not None:
            before.close()
        self.live[key] = self
        publish_live(self.model_id, self.words)


class Asked(NamedTuple):
    """A question, what stands before it, and its choices."""

    lead: str
    question: str
    choices: Sequence[str]


class Questions(Card):
    """Questions with choices.

    ``settle`` is given a question's index and the choice, or None, and returns what was said, which is the first choice
    there was; ``told`` is given the index and what was said, and returns what to show. ``chosen`` is the last answer:
    ``{"question": index, "choice": index or None}``; ``revealed`` holds what is shown of each question, nothing before.
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
        settle: Callable[[int, str | None], str],
        told: Callable[[int, str], dict[str, str]],
        *,
        button: str,
        unsaid: str,
    ) -> None:
        questions = [
            {"lead": lead, "question": emphasized(question), "choices": list(map(emphasized, choices))}
            for lead, question, choices in asked
        ]
        super().__init__(questions=questions, button=button, revealed=[{} for _ in asked])
        self.asked, self.settle, self.told, self.unsaid = asked, settle, told, unsaid
        self.observe(self._answer, "chosen")

    def answer(self, choice: str | None, question: int = 0) -> None:
        """Settle on a choice, or on none, as the page's buttons do."""
        index = None if choice is None else list(self.asked[question].choices).index(choice)
        self.chosen = {"question": question, "choice": index}

    def _answer(self, _: object) -> None:
        question, index = self.chosen["question"], self.chosen["choice"]
        said = self.settle(question, None if index is None else self.asked[question].choices[index])
        revealed = list(self.revealed)
        revealed[question] = self._shown(question, said)
        self.revealed = revealed

    def _shown(self, question: int, said: str) -> dict[str, str]:
        return {part: emphasized(text) for part, text in self.told(question, said).items()}

    def recorded(self, key: str) -> str:
        """The questions and what follows each choice, the last of which is none at all."""
        told = [
            [self._shown(index, said) for said in (*each.choices, self.unsaid)] for index, each in enumerate(self.asked)
        ]
        data = {"key": key, "questions": self.questions, "button": self.button, "told": told}
        return f'<div data-questions="{escape(json.dumps(data))}"></div>'


class Download(Card):
    """A button that saves a text as a file; ``read`` gives the text as it is when the button is pressed."""

    _esm = HERE / "download.js"
    words = "Run this cell to download them."

    title = traitlets.Unicode("Download my answers").tag(sync=True)
    filename = traitlets.Unicode("my-answers.json").tag(sync=True)
    asked = traitlets.Int(0).tag(sync=True)
    content = traitlets.Dict().tag(sync=True)

    def __init__(self, read: Callable[[], str]) -> None:
        super().__init__()
        self.read = read
        self.observe(self._give, "asked")

    def _give(self, _: object) -> None:
        self.content = {"number": self.asked, "text": self.read()}


def emphasized(text: str) -> str:
    """Plain text as HTML, with *emphasis* between asterisks."""
    return re.sub(r"\*(.+?)\*", r"<em>\1</em>", escape(text))
