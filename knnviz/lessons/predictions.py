"""Predictions: a question with choices, whose answer shows once the reader has chosen."""

import random
from collections.abc import Sequence

from knnviz.lessons.blocks import folded
from knnviz.lessons.book import predictions
from knnviz.lessons.card import Asked, Questions
from knnviz.lessons.record import NO_PREDICTION, RECORD
from knnviz.outputs import publish_still


def predict(name: str) -> None:
    """Ask what will happen; the choice is recorded before the answer shows.

    Run again, the cell keeps what was predicted. A saved or exported notebook has the question, and the answer folded.
    Raises ValueError if no chapter has a prediction of this name.

    Examples
    --------
    >>> from knnviz.lessons import predict
    >>> predict("no-anchor")  # doctest: +ELLIPSIS
    Predict: ...
    Run this cell to answer.
    """
    known = predictions()
    if name not in known:
        raise ValueError(f"there is no prediction {name!r}; there are {', '.join(known)}")
    prediction = known[name]
    RECORD.predictions.setdefault(name, NO_PREDICTION)
    asked = Asked("Predict.", prediction.question, shuffled(name, prediction.choices))
    words = f"Predict: {prediction.question} {' / '.join(asked.choices)}"
    publish_still({"text/markdown": still(asked, prediction.answer, prediction.because), "text/plain": words})
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
    RECORD.hand_in()
    return RECORD.predictions[name]


def told(name: str, predicted: str) -> dict[str, str]:
    """The answer, and how it compares with what was predicted."""
    right = predictions()[name]
    if predicted == NO_PREDICTION:
        verdict = "No prediction recorded."
    else:
        verdict = "As you said." if predicted == right.answer else f"A surprise. You said: {predicted}"
    return {"verdict": verdict, "said": predicted, "answer": right.answer, "because": right.because}


def still(asked: Asked, answer: str, because: str) -> str:
    """A question in Markdown, with its answer folded."""
    listed = "\n".join(f"- {choice}" for choice in asked.choices)
    answered = folded("The answer", f"**{answer}** {because}")
    return f"**{asked.lead}** {asked.question}\n\n{listed}\n\n{answered}"
