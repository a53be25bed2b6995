"""The quiz at the end of a lesson: conceptual questions, each checked at once, with the reason."""

from knnviz.cell_outputs import publish_still
from knnviz.lessons.blocks import folded
from knnviz.lessons.card import Asked, Questions
from knnviz.lessons.content import QuizQuestion, entry, quizzes
from knnviz.lessons.predictions import markdown, shuffled
from knnviz.lessons.record import NOT_ANSWERED, RECORD


def quiz(chapter: str) -> None:
    """Ask the questions of a chapter, such as "02-label-noise"; the first answer to each is
    recorded. After a wrong one there is a hint, and a second try.

    A saved or exported notebook has the questions, and hints and answers folded. Raises ValueError
    if no chapter of this name has a quiz.

    Examples
    --------
    >>> from knnviz.lessons import quiz
    >>> quiz("00-start-here")  # doctest: +ELLIPSIS
    1. What does kNN predict at a new point? ...
    ...
    Run this cell to use it.
    """
    questions = quiz_questions(chapter)
    asked = []
    written = []
    words = []
    for name, each in questions.items():
        number = name.split()[-1]
        choices = shuffled(name, each.choices)
        question = Asked(name, f"{number}.", each.question, choices)
        asked.append(question)
        hints = "\n".join(f"- {choice}? {hint}" for choice, hint in each.hints.items())
        answer = f"**{each.answer}** {each.because}"
        written += [markdown(question), folded("Hints", hints), folded("The answer", answer)]
        words.append(f"{number}. {each.question} {' / '.join(choices)}")
    publish_still({"text/markdown": "\n\n".join(written), "text/plain": "\n".join(words)})

    def told(name: str, answer: str) -> list[str]:
        return feedback(questions[name], answer)

    def hint(name: str, answer: str) -> str:
        hints = questions[name].hints
        return f"Not quite. {hints[answer]} Try again." if answer in hints else ""

    buttons = ("Check", "Show the answer")
    card = Questions(asked, RECORD.quizzes, told, hint, buttons=buttons, no_answer=NOT_ANSWERED)
    card.present(f"quiz {chapter}")


def quiz_questions(*chapters: str) -> dict[str, QuizQuestion]:
    """Questions of the quizzes of some chapters, by the name under which an answer is recorded."""
    named = {}
    for chapter in chapters:
        questions = entry("there is no quiz", chapter, quizzes())
        for number, each in enumerate(questions, 1):
            named[f"{chapter}, {number}"] = each
    return named


def feedback(question: QuizQuestion, answer: str) -> list[str]:
    """Whether the reader's answer is right, the right one, and why."""
    if answer == NOT_ANSWERED:
        verdict = "Not answered."
    elif answer == question.answer:
        verdict = "Correct."
    else:
        verdict = f"Not quite. You said: {answer}"
    return [verdict, f"**{question.answer}**", question.because]
