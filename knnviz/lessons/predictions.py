"""Predictions: a question with choices, whose answer shows once the reader has chosen."""

import random
from collections.abc import Sequence

from knnviz.lessons.blocks import folded
from knnviz.lessons.card import Asked, Questions
from knnviz.lessons.content import Prediction, predictions
from knnviz.lessons.record import NO_PREDICTION, RECORD
from knnviz.outputs import publish_still


def predict(name: str) -> None:
    """Ask what will happen; the choice is recorded before the answer shows.

    The cell keeps the first prediction if it runs again. A saved notebook has the question, and the answer folded.
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
    publish_still({"text/markdown": markdown(asked, prediction.answer, prediction.because), "text/plain": words})
    card = Questions(
        [asked],
        lambda _, choice: RECORD.record_choice(RECORD.predictions, name, choice),
        lambda _, predicted: feedback(prediction, predicted),
        button="Record my prediction",
        no_answer=NO_PREDICTION,
    )
    if name in RECORD.seen:
        card.answer(None)
    card.present(f"prediction {name}")


def shuffled(name: str, choices: Sequence[str]) -> list[str]:
    """The choices in an order drawn by a question's name, so that the answer is at no position more often."""
    return random.Random(name).sample(sorted(choices), len(choices))


def feedback(prediction: Prediction, predicted: str) -> dict[str, str]:
    """The answer, and how it compares with what was predicted."""
    if predicted == NO_PREDICTION:
        verdict = "No prediction recorded."
    else:
        verdict = "As you said." if predicted == prediction.answer else f"A surprise. You said: {predicted}"
    return {"verdict": verdict, "said": predicted, "answer": prediction.answer, "because": prediction.because}


def markdown(asked: Asked, answer: str, because: str) -> str:
    """A question in Markdown, with its answer folded."""
    listed = "\n".join(f"- {choice}" for choice in asked.choices)
    answered = folded("The answer", f"**{answer}** {because}")
    return f"**{asked.lead}** {asked.question}\n\n{listed}\n\n{answered}"
