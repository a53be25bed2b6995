"""Check-ups: six questions on each sitting, asked before it and again after it, and how sure the
reader is of the answers.
"""

from knnviz.cell_outputs import publish_still
from knnviz.lessons.card import Asked, Questions
from knnviz.lessons.content import Question, check_ups, entry
from knnviz.lessons.record import NOT_ANSWERED, RECORD

#: When a check-up is asked.
TIMES = ("before", "after")

#: The name of the last question of a check-up, the question, and its choices.
SURE = "sure"
HOW_SURE = "How sure are you of these answers?"
SURENESS = ("Of nearly all of them", "Of about half of them", "I mostly guessed")


def check_up(name: str, *, after: bool = False) -> None:
    """Ask what only who understood can answer, before a lesson and, with ``after``, once more
    after it. What is right is told after it.

    ``name`` is that of a sitting, such as "02-first", or that of a lesson, such as "02". Raises
    ValueError if there is no such sitting or lesson.

    Examples
    --------
    >>> from knnviz.lessons import check_up
    >>> check_up("02-first")  # doctest: +ELLIPSIS
    **Before, 1.** ...
    Run > Run All Cells to use it.
    """
    when = TIMES[after]
    questions = {recorded(each.name, when): each for each in check_up_questions(name)}
    asked = []
    for number, (key, each) in enumerate(questions.items(), 1):
        lead = f"{when.capitalize()}, {number}."
        asked.append(Asked(key, lead, each.question, each.choices))
    asked.append(Asked(recorded(f"{name}, {SURE}", when), "Last.", HOW_SURE, SURENESS))
    text = "\n\n".join(each.markdown for each in asked)
    publish_still({"text/markdown": text, "text/plain": text})

    def told(key: str, answer: str) -> list[str]:
        if not after or key not in questions:
            return ["Recorded."]
        question = questions[key]
        before = RECORD.check_ups.get(recorded(question.name, TIMES[0]), NOT_ANSWERED)
        was_right = before == question.answer
        if answer == question.answer:
            verdict = "Right, as before." if was_right else "Right now."
        else:
            verdict = "Not quite."
        said = "" if was_right or before == NOT_ANSWERED else f"Before, you said: {before}"
        return [verdict, said, *question.why]

    buttons = ("Record", "I do not know")
    card = Questions(asked, RECORD.check_ups, told, buttons=buttons, no_answer=NOT_ANSWERED)
    card.present(f"check-up {name} {when}")


def check_up_questions(name: str) -> list[Question]:
    """The questions on a sitting or lesson."""
    sittings = entry("there is no check-up", name, by_name())
    return [each for sitting in sittings for each in check_ups()[sitting]]


def by_name() -> dict[str, list[str]]:
    """The sittings that a check-up asks about, by its name."""
    found: dict[str, list[str]] = {}
    for sitting in check_ups():
        for name in {sitting, sitting[:2]}:
            found.setdefault(name, []).append(sitting)
    return found


def recorded(at: str, when: str) -> str:
    """The name of an answer in the record."""
    return f"{at}, {when}"
