"""Predictions: a question with choices before a lab, and its answer after it."""

from knnviz.cell_outputs import plain, publish_still
from knnviz.lessons.blocks import folded
from knnviz.lessons.card import Asked, Questions
from knnviz.lessons.content import entry, predictions, steps
from knnviz.lessons.record import NO_PREDICTION, RECORD

#: How the refusal of an unknown name begins.
UNKNOWN = "there is no prediction"

#: What an explanation says before it opens: without a prediction, and before the first step.
NOT_PREDICTED = (
    "Record a prediction above, and do the first step of the lab. Or skip to the answer."
)
NOT_TRIED = "Do the first step of the lab above, or skip to the answer."


def predict(name: str) -> None:
    """Ask what will happen, and record the first choice; the answer comes with ``explain``.

    The cell keeps the first prediction if it runs again. Raises ValueError if no chapter has a
    prediction of this name.

    Examples
    --------
    >>> from knnviz.lessons import predict
    >>> predict("no-anchor")  # doctest: +ELLIPSIS
    **Predict.** ...
    Run > Run All Cells to use it.
    """
    prediction = entry(UNKNOWN, name, predictions())
    asked = Asked(name, "Predict.", prediction.question, prediction.choices)
    publish_still({"text/markdown": asked.markdown, "text/plain": asked.markdown})
    Questions(
        [asked],
        RECORD.predictions,
        told_at_once,
        buttons=("Record my prediction", ""),
        no_answer=NO_PREDICTION,
    ).present(f"prediction {name}")


def explain(name: str) -> None:
    """Explain a prediction, once one was recorded and a step of its lab is done, or the reader
    asks: the answer, why, and what is wrong with others.

    A saved notebook has all of it folded, with what the steps find. Raises ValueError as
    ``predict`` does.

    Examples
    --------
    >>> from knnviz.lessons import explain
    >>> explain("no-anchor")  # doctest: +ELLIPSIS
    **...**
    ...
    Run > Run All Cells to use it.
    """
    prediction = entry(UNKNOWN, name, predictions())
    waits = prediction.steps != ""
    why = prediction.why
    why += [f'"{choice}." {reply}' for choice, reply in prediction.wrong.items()]
    if prediction.known:
        why.append(f"**What we now know.** {prediction.known}")

    def told(_: str, predicted: str) -> list[str]:
        if predicted == NO_PREDICTION:
            verdict = "You recorded no prediction."
        elif predicted == prediction.answer:
            verdict = "As you said."
        else:
            verdict = f"You expected: {predicted}."
        return [verdict, *why]

    def hint(_: str, predicted: str) -> str:
        if not waits:
            return ""
        return NOT_PREDICTED if predicted == NO_PREDICTION else NOT_TRIED

    written = list(why)
    if waits:
        written += [plain(f"1. {step['do']} {step['see']}") for step in steps(prediction.steps)]
    answer = folded("The answer", "\n\n".join(written))
    publish_still({"text/markdown": answer, "text/plain": "\n".join(why)})
    lead = "Back to the prediction."
    asked = Asked(name, lead, prediction.question, prediction.choices, waits)
    Questions(
        [asked],
        RECORD.predictions,
        told,
        hint,
        buttons=("", "Skip to the answer"),
        no_answer=NO_PREDICTION,
    ).present(f"explanation {name}")


def told_at_once(_: str, predicted: str) -> list[str]:
    """What a reader is told who has predicted, or has seen the answer before."""
    if predicted == NO_PREDICTION:
        return ["You have seen the answer below, so a prediction is no longer recorded."]
    return ["Recorded. Now try it below."]
