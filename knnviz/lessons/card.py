"""The widgets of a lesson: what stands under a cell, and questions with choices."""

import json
import os
from collections.abc import Callable, Sequence
from html import escape
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import anywidget
import traitlets
from IPython.display import publish_display_data

from knnviz.cell_outputs import RECORDINGS, emphasized, publish_live
from knnviz.lessons.record import RECORD

HERE = Path(__file__).parent

#: The JavaScript of questions without its export, the style of the widgets, and a script for pages
#: without a kernel.
MODULE = (HERE / "question.js").read_text("utf-8")
CARD_STYLE = (HERE / "card.css").read_text("utf-8")
QUESTIONS_SCRIPT = f"(() => {{\n{MODULE}{(HERE / 'recorded.js').read_text('utf-8')}}})();\n"


class Card(anywidget.AnyWidget):
    """A widget with text for pages that cannot show widgets."""

    _css = CARD_STYLE

    #: Text shown where the widget is not live.
    words = "Run > Run All Cells to use it."

    #: The live widgets by key.
    live: ClassVar[dict[str, "Card"]] = {}

    #: The layout of all cards, so that each is one model.
    shared: ClassVar[Any] = None

    def __init__(self, **traits: Any) -> None:
        if Card.shared:
            traits["layout"] = Card.shared
        super().__init__(**traits)
        Card.shared = self.layout

    def recorded(self) -> str:
        """HTML for a page without Python; by default none."""
        return ""

    def present(self, key: str) -> None:
        """Show it under the running cell, and close the widget of this key from an earlier run."""
        if RECORDINGS in os.environ:
            publish_display_data({"text/html": self.recorded()})
            return
        before = self.live.get(key)
        if before is not None:
            before.close()
        self.live[key] = self
        publish_live(self.model_id, self.words)


class Asked(NamedTuple):
    """A question: the ``name`` of its answer in the record, the bold text before it (``lead``), its
    choices, and whether it ``waits`` for a step of a lab.
    """

    name: str
    lead: str
    question: str
    choices: Sequence[str]
    waits: bool = False

    @property
    def markdown(self) -> str:
        """The question and its choices."""
        listed = "\n".join(f"- {choice}" for choice in self.choices)
        return f"**{self.lead}** {self.question}\n\n{listed}"

    def for_page(self) -> dict[str, Any]:
        """Its fields as HTML."""
        question = emphasized(self.question)
        choices = list(map(emphasized, self.choices))
        return self._asdict() | {"question": question, "choices": choices}


class Questions(Card):
    """Questions with choices, or what follows from the choices made elsewhere.

    ``answers`` is the part of the record that the first choices go into, and ``no_answer`` stands
    there until then. ``told`` takes a question's name and an answer, and returns the paragraphs to
    show once it is closed. ``hint`` takes the same, and returns what is shown until then: after an
    answer with a hint, the question is only closed by a second answer, by a step of the lab, or
    without a choice. ``buttons`` are the texts of the button that records, and of the one that
    closes without a choice; without the first there are no choices to click.
    A page sends clicks: ``{"question": index, "choice": index or None}``, and ``{"question": index,
    "step": True}`` for a step. ``revealed`` holds what is shown after each question, here or on
    another card, and whether it is still ``open``.
    """

    _esm = f"{MODULE}export default {{ render }};\n"

    questions = traitlets.List(traitlets.Dict()).tag(sync=True)
    buttons = traitlets.List(traitlets.Unicode()).tag(sync=True)
    revealed = traitlets.List(traitlets.Dict()).tag(sync=True)

    def __init__(
        self,
        asked: Sequence[Asked],
        answers: dict[str, str],
        told: Callable[[str, str], list[str]],
        hint: Callable[[str, str], str] = lambda *_: "",
        *,
        buttons: tuple[str, str],
        no_answer: str,
    ) -> None:
        self.asked = asked
        self.answers = answers
        self.told = told
        self.hint = hint
        self.no_answer = no_answer
        for each in asked:
            answers.setdefault(each.name, no_answer)
        questions = [each.for_page() for each in asked]
        super().__init__(questions=questions, buttons=list(buttons), revealed=self._revealed())
        self.on_msg(lambda _, content, buffers: self._answer(**content))

    def _answer(self, question: int, choice: int | None = None, step: bool = False) -> None:
        name = self.asked[question].name
        if step:
            RECORD.record_step(name)
        else:
            said = None if choice is None else self.asked[question].choices[choice]
            again = self.hint(name, self.answers[name]) != ""
            RECORD.record_choice(self.answers, name, said, again)
        self.reveal()
        # Also where nothing has changed: the page asks again if it has missed the answer.
        self.send_state("revealed")

    @classmethod
    def reveal(cls) -> None:
        """Show what follows each closed question, on all cards."""
        for card in cls.live.values():
            if isinstance(card, Questions):
                card.revealed = card._revealed()

    def _revealed(self) -> list[dict[str, Any]]:
        revealed = []
        for each in self.asked:
            name = each.name
            first = self.answers[name]
            then = RECORD.then.get(name)
            hint = self.hint(name, first)
            is_seen = name in RECORD.seen
            problem = RECORD.problem if is_seen else ""
            if is_seen and (then is not None or not hint):
                answer = then or first
                shown = on_page(answer, [*self.told(name, answer), problem])
            else:
                shown = on_page(first, [hint, problem]) | {"open": True}
            revealed.append(shown)
        return revealed

    def recorded(self) -> str:
        """The questions, and what is shown after each choice and, last, after none: the hint, and
        what is told once the question is closed. On ``paper`` stands what follows the verdict.
        """
        hints = []
        told = []
        paper = []
        for name, _, _, choices, _ in self.asked:
            answers = (*choices, self.no_answer)
            hints.append([emphasized(self.hint(name, answer)) for answer in answers])
            told.append([on_page(answer, self.told(name, answer)) for answer in answers])
            (_, *why) = told[-1][-1]["told"]
            paper.append("".join(f"<p>{each}</p>" for each in why))
        data = {
            "questions": self.questions,
            "buttons": self.buttons,
            "hints": hints,
            "told": told,
            "paper": paper,
        }
        return f'<div data-questions="{escape(json.dumps(data))}"></div>'


def on_page(answer: str, told: Sequence[str]) -> dict[str, Any]:
    """An answer and the paragraphs after it as HTML, without those that are empty."""
    return {"said": emphasized(answer), "told": list(map(emphasized, filter(None, told)))}


def keep_in(file: str) -> None:
    """Keep the answers in a file, and show those that it holds; called by the server of a class
    when a page opens.
    """
    RECORD.file = Path(file)
    RECORD.restore()
    Questions.reveal()
