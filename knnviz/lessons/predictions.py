"""Predictions: a question with choices, whose answer shows once the reader has chosen."""

import random
from collections.abc import Sequence

from knnviz.lessons.blocks import folded
from knnviz.lessons.book import Answer, predictions
from knnviz.lessons.card import Question
from knnviz.lessons.record import NO_PREDICTION, RECORD
from knnviz.outputs import publish_still


def predict(name: str, question: str, choices: Sequence[str]) -> None:
    """Ask what will happen; the choice is recorded before the answer shows.

    The question is plain text with *emphasis* between asterisks. Run again, the cell keeps what was predicted. A saved
    or exported notebook has the question, and the answer folded. Raises ValueError if no chapter has an answer of this
    name, or it is not among the choices.
    """
    known = predictions()
    if name not in known:
        raise ValueError(f"there is no prediction {name!r}; there are {', '.join(known)}")
    if known[name].choice not in choices:
        raise ValueError(f"the answer to {name!r} must be among its choices, and {known[name].choice!r} is not")
    RECORD.predictions.setdefault(name, NO_PREDICTION)
    choices = shuffled(name, choices)
    words = f"Predict: {question} {' / '.join(choices)}"
    publish_still({"text/markdown": still(question, choices, known[name]), "text/plain": words})
    asked = Question(question, choices, lambda choice: decide(name, choice))
    if name in RECORD.seen:
        asked.answer(None)
    asked.present(f"prediction {name}")


def shuffled(name: str, choices: Sequence[str]) -> list[str]:
    """The choices in an order drawn by the prediction's name: no place is more often that of the answer."""
    return random.Random(name).sample(sorted(choices), len(choices))


def decide(name: str, choice: str | None) -> dict[str, str]:
    """Record a choice, unless the answer has been seen before, and tell what happens."""
    if choice is not None and name not in RECORD.seen:
        RECORD.predictions[name] = choice
    RECORD.seen.add(name)
    predicted, answer = RECORD.predictions[name], predictions()[name]
    if predicted == NO_PREDICTION:
        verdict = "no prediction"
    else:
        verdict = "as you said" if predicted == answer.choice else "a surprise"
    return {"verdict": verdict, "said": predicted, "answer": answer.choice, "because": answer.because}


def still(question: str, choices: Sequence[str], answer: Answer) -> str:
    listed = "\n".join(f"- {choice}" for choice in choices)
    return f"**Predict.** {question}\n\n{listed}\n\n" + folded("The answer", f"**{answer.choice}** {answer.because}")
