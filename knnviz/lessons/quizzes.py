"""The quiz at the end of a lesson: conceptual questions, each checked at once, with the reason."""

from knnviz.lessons.book import QuizQuestion, quizzes
from knnviz.lessons.card import Asked, Questions
from knnviz.lessons.predictions import shuffled, still
from knnviz.lessons.record import NOT_ANSWERED, RECORD
from knnviz.outputs import publish_still


def quiz(chapter: str) -> None:
    """Ask the questions of a chapter, such as "02-label-noise"; the first answer to each is recorded.

    A saved or exported notebook has the questions, and the answers folded. Raises ValueError if no chapter of this name
    has a quiz.

    Examples
    --------
    >>> from knnviz.lessons import quiz
    >>> quiz("00-start-here")  # doctest: +ELLIPSIS
    1. What does kNN predict at a new point? ...
    ...
    Run this cell to answer.
    """
    if chapter not in quizzes():
        raise ValueError(f"there is no quiz {chapter!r}; there are {', '.join(quizzes())}")
    questions = quiz_questions(chapter)
    names = list(questions)
    asked = [
        Asked(f"{name.split()[-1]}.", each.question, shuffled(name, each.choices)) for name, each in questions.items()
    ]
    for name in names:
        RECORD.quizzes.setdefault(name, NOT_ANSWERED)
    written = [still(one, each.answer, each.because) for one, each in zip(asked, questions.values(), strict=True)]
    words = "\n".join(f"{one.lead} {one.question} {' / '.join(one.choices)}" for one in asked)
    publish_still({"text/markdown": "\n\n".join(written), "text/plain": words})
    card = Questions(
        asked,
        lambda index, choice: settled(names[index], choice),
        lambda index, said: told(questions[names[index]], said),
        button="Check",
        unsaid=NOT_ANSWERED,
    )
    for index, name in enumerate(names):
        if name in RECORD.seen:
            card.answer(None, index)
    card.present(f"quiz {chapter}")


def quiz_questions(*chapters: str) -> dict[str, QuizQuestion]:
    """Questions of the quizzes of some chapters, by the name under which an answer is recorded."""
    return {f"{chapter}, {at}": each for chapter in chapters for at, each in enumerate(quizzes()[chapter], 1)}


def settled(name: str, choice: str | None) -> str:
    """Record a choice, unless the answer has been seen before; what was said."""
    if choice is not None and name not in RECORD.seen:
        RECORD.quizzes[name] = choice
    RECORD.seen.add(name)
    RECORD.hand_in()
    return RECORD.quizzes[name]


def told(question: QuizQuestion, said: str) -> dict[str, str]:
    """The answer, and whether what was said is right."""
    if said == NOT_ANSWERED:
        verdict = "Not answered."
    else:
        verdict = "Correct." if said == question.answer else f"Not quite. You said: {said}"
    return {"verdict": verdict, "said": said, "answer": question.answer, "because": question.because}
