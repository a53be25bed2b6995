"""Quizzes: the check at the end of a sitting, and the question with which the second begins. Each
answer is judged at once, with the reason.
"""

from knnviz.cell_outputs import publish_still
from knnviz.lessons.blocks import folded
from knnviz.lessons.card import Asked, Questions
from knnviz.lessons.content import entry, quizzes
from knnviz.lessons.record import NOT_ANSWERED, RECORD


def quiz(name: str) -> None:
    """Ask the questions of a quiz, such as "02-first-check"; the first answer to each is recorded.
    After a wrong one there is a hint, and a second try.

    A saved or exported notebook has the questions, and hints and answers folded. Raises ValueError
    if no chapter has a quiz of this name.

    Examples
    --------
    >>> from knnviz.lessons import quiz
    >>> quiz("00-check")  # doctest: +ELLIPSIS
    1. ...
    Run > Run All Cells to use it.
    """
    questions = {each.name: each for each in entry("there is no quiz", name, quizzes())}
    asked = []
    written = []
    words = []
    for number, each in enumerate(questions.values(), 1):
        question = Asked(each.name, f"{number}.", each.question, each.choices)
        asked.append(question)
        hints = "\n".join(f"- {choice}? {hint}" for choice, hint in each.wrong.items())
        answer = " ".join(each.why)
        written += [question.markdown, folded("Hints", hints), folded("The answer", answer)]
        words.append(f"{number}. {each.question} {' / '.join(each.choices)}")
    publish_still({"text/markdown": "\n\n".join(written), "text/plain": "\n".join(words)})

    def told(name: str, answer: str) -> list[str]:
        question = questions[name]
        if answer == NOT_ANSWERED:
            verdict = "Not answered."
        elif answer == question.answer:
            verdict = "Correct."
        else:
            verdict = f"Not quite. You said: {answer}"
        return [verdict, *question.why]

    def hint(name: str, answer: str) -> str:
        hints = questions[name].wrong
        return f"Not quite. {hints[answer]} Try again." if answer in hints else ""

    buttons = ("Check", "Show the answer")
    card = Questions(asked, RECORD.quizzes, told, hint, buttons=buttons, no_answer=NOT_ANSWERED)
    card.present(f"quiz {name}")
