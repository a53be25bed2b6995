"""The small live parts of a lesson: a question with choices, and a button that downloads."""

import re
from collections.abc import Callable, Sequence
from html import escape
from pathlib import Path
from typing import ClassVar

import anywidget
import traitlets

from knnviz.outputs import publish_live

HERE = Path(__file__).parent


class Card(anywidget.AnyWidget):
    """A widget with text for pages that cannot show widgets."""

    _css = HERE / "card.css"

    #: The text in place of a widget that is not live.
    words = ""

    #: The live cards by key.
    live: ClassVar[dict[str, "Card"]] = {}

    def present(self, key: str) -> None:
        """Show it under the running cell, and close the card of this key that an earlier run left."""
        before = self.live.get(key)
        if before is not None:
            before.close()
        self.live[key] = self
        publish_live(self.model_id, self.words)


class Question(Card):
    """A question with choices; ``decide`` is given the choice, or None, and returns what the page is to show then.

    ``chosen`` is the last answer: ``{"choice": index or None}``; ``revealed`` is what ``decide`` returned.
    """

    _esm = HERE / "question.js"
    words = "Run this cell to answer."

    question = traitlets.Unicode().tag(sync=True)
    choices = traitlets.List(traitlets.Unicode()).tag(sync=True)
    chosen = traitlets.Dict().tag(sync=True)
    revealed = traitlets.Dict().tag(sync=True)

    def __init__(self, question: str, choices: Sequence[str], decide: Callable[[str | None], dict[str, str]]) -> None:
        super().__init__(question=emphasized(question), choices=list(map(emphasized, choices)))
        self.texts, self.decide = list(choices), decide
        self.observe(self._answer, "chosen")

    def answer(self, choice: str | None) -> None:
        """Settle on a choice, or on none, as the page's buttons do."""
        self.chosen = {"choice": None if choice is None else self.texts.index(choice)}

    def _answer(self, _: object) -> None:
        index = self.chosen["choice"]
        revealed = self.decide(None if index is None else self.texts[index])
        self.revealed = {part: emphasized(text) for part, text in revealed.items()}


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
