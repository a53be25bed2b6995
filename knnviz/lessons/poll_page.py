"""A poll as a page and as a table."""

import csv
import io
from html import escape
from itertools import groupby
from pathlib import Path

from knnviz.lessons.card import emphasized
from knnviz.lessons.poll import Choice, Poll, Question

#: Seconds after which a page that is watched reads itself again.
AGAIN = 3

STYLE = (Path(__file__).parent / "poll.css").read_text()

#: What a reader has unfolded stays so when the page reads itself again.
SCRIPT = """for (const each of document.querySelectorAll("details")) {
  each.open = sessionStorage.getItem(each.id) === "open";
  each.addEventListener("toggle", () => sessionStorage.setItem(each.id, each.open ? "open" : "closed"));
}"""

PAGE = """<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8">{refresh}<title>What the class says</title><style>{style}</style></head>
<body>{body}<script>{script}</script></body>
</html>
"""

COLUMNS = ("kind", "name", "choice", "right", "answers", "share", "idea")


def page(poll: Poll, again: bool = False) -> str:
    """The poll as HTML; ``again`` is whether the page reads itself again while answers come in."""
    refresh = f'<meta http-equiv="refresh" content="{AGAIN}">' if again else ""
    parts = [f"<h1>What the class says</h1><p>{counted(poll.files, 'file')} of answers.</p>"]
    if poll.skipped:
        parts.append(f"<p>{counted(len(poll.skipped), 'file')} could not be read, and the terminal says why.</p>")
    for kind, each in groupby(poll.questions, key=lambda question: question.kind):
        parts += [f"<h2>{kind.capitalize()}</h2>", *map(drawn, each)]
    if poll.exercises:
        rows = [bar(escape(name), done, tried) for name, (done, tried) in poll.exercises.items()]
        parts.append(f"<h2>Exercises</h2>{grid('solved, of those who tried', rows)}")
    return PAGE.format(refresh=refresh, style=STYLE, body="\n".join(parts), script=SCRIPT)


def counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'s' * (number != 1)}"


def drawn(question: Question) -> str:
    """A question: who said what, then, folded, the answer and the idea behind each choice."""
    rows = [bar(emphasized(each.text), each.count, question.total) for each in question.choices]
    ideas = [f"<li>{emphasized(each.text)}: <em>{behind(each)}</em></li>" for each in question.choices if behind(each)]
    known = any(each.idea for each in question.choices)
    title = f"The answer{', and what is behind each choice' * known}"
    fold = f"<summary>{title}</summary><p>{emphasized(question.because)}</p><ul>{''.join(ideas)}</ul>"
    kept = f'<details id="{escape(question.name)}">{fold}</details>'
    return f"<section><h3>{emphasized(question.text)}</h3>{grid('answers', rows)}{kept}</section>"


def behind(choice: Choice) -> str:
    """What to say of a choice."""
    return "right" if choice.is_right else escape(choice.idea and f"who says so {choice.idea}")


def grid(caption: str, rows: list[str]) -> str:
    return f"<table><caption>{caption}</caption><tbody>{''.join(rows)}</tbody></table>"


def bar(words: str, count: int, total: int) -> str:
    """A row of a table: words, a bar as long as the share, and the share in figures."""
    length = f"{count / total:.0%}"
    drawing = f'<td class="bar"><div style="width:{length}"></div></td>'
    return f'<tr><th scope="row">{words}</th>{drawing}<td>{count} of {total}, {length}</td></tr>'


def table(poll: Poll) -> str:
    """The poll as CSV: a row for each choice, and for each exercise one with those who solved it."""
    text = io.StringIO()
    write = csv.writer(text, lineterminator="\n").writerow
    write(COLUMNS)
    for question in poll.questions:
        for each in question.choices:
            share = f"{each.count / question.total:.3f}"
            write([question.kind, question.name, each.text, each.is_right, each.count, share, each.idea])
    for name, (done, tried) in poll.exercises.items():
        write(["exercise", name, "solved", True, done, f"{done / tried:.3f}", ""])
    return text.getvalue()
