"""Predictions: a question with choices, whose answer shows once the reader has chosen."""

import random
from collections.abc import Sequence

from knnviz.lessons.blocks import folded
from knnviz.lessons.book import predictions
from knnviz.lessons.card import Asked, Questions
from knnviz.lessons.record import NO_PREDICTION, RECORD
from knnviz.outputs import publish_still


def predict(name: str, question: str, choices: Sequence[str]) -> None:
    """Ask what will happen; the choice is recorded before the answer shows.

    The question is plain text with ``*emphasis*`` between asterisks. Run again, the cell keeps what was predicted. A
    saved or exported notebook has the question, and the answer folded. Raises ValueError if no chapter has an answer of
    this name, or it is not among the choices.

    Examples
    --------
    >>> from knnviz.lessons import predict
    >>> choices = ["It rises: real doubt counts as noise", "It falls"]
    >>> predict("no-anchor", "What happens to the estimate of p0?", choices)
    Predict: What happens to the estimate of p0? It falls / It rises: real doubt counts as noise
    Run this cell to answer.
    """
    known = predictions()
    if name not in known:
        raise ValueError(f"there is no prediction {name!r}; there are {', '.join(known)}")
    if known[name].choice not in choices:
        raise ValueError(f"the answer to {name!r} must be among its choices, and {known[name].choice!r} is not")
    RECORD.predictions.setdefault(name, NO_PREDICTION)
    asked = Asked("Predict.", question, shuffled(name, choices))
    words = f"Predict: {question} {' / '.join(asked.choices)}"
    publish_still({"text/markdown": still(asked, known[name].choice, known[name].because), "text/plain": words})
    card = Questions(
        [asked],
        lambda _, choice: settled(name, choice),
        lambda _, said: told(name, said),
        button="Record my prediction",
        unsaid=NO_PREDICTION,
    )
    if name in RECORD.seen:
        card.answer(None)
    card.present(f"prediction {name}")


def shuffled(name: str, choices: Sequence[str]) -> list[str]:
    """The choices in an order drawn by a question's name: no place is more often that of the answer."""
    return random.Random(name).sample(sorted(choices), len(choices))


def settled(name: str, choice: str | None) -> str:
    """Record a choice, unless the answer has been seen before; what was predicted."""
    if choice is not None and name not in RECORD.seen:
        RECORD.predictions[name] = choice
    RECORD.seen.add(name)
    return RECORD.predictions[name]


def told(name: str, predicted: str) -> dict[str, str]:
    """The answer, and how it compares with what was predicted."""
    answer = predictions()[name]
    if predicted == NO_PREDICTION:
        verdict = "No prediction recorded."
    else:
        verdict = "As you said." if predicted == answer.choice else f"A surprise. You said: {predicted}"
    return {"verdict": verdict, "said": predicted, "answer": answer.choice, "because": answer.because}


def still(asked: Asked, answer: str, because: str) -> str:
    """A question in Markdown, with its answer folded."""
    listed = "\n".join(f"- {choice}" for choice in asked.choices)
    answered = folded("The answer", f"**{answer}** {because}")
    return f"**{asked.lead}** {asked.question}\n\n{listed}\n\n{answered}"
