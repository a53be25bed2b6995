"""The command ``python -m knnviz poll``: the answers of a class as a page and as a table."""

import csv
import io
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from contextlib import suppress
from html import escape
from pathlib import Path

from knnviz.checks import require
from knnviz.classroom.answers import Choice, LessonPoll, Poll, Question
from knnviz.lessons.card import emphasized
from knnviz.lessons.exercises import CORRECT
from knnviz.outputs import write_atomic

#: Seconds after which a page with ``as_of`` reloads.
RELOAD = 3

#: Largest number of most frequent wrong choices listed.
MAX_LISTED = 5

STYLE = (Path(__file__).parent / "poll.css").read_text()

#: What a reader has unfolded stays unfolded when the page reloads; an answer folds with its question.
SCRIPT = """for (const each of document.querySelectorAll("details")) {
  each.open = sessionStorage.getItem(each.id) === "open";
  each.addEventListener("toggle", () => {
    sessionStorage.setItem(each.id, each.open ? "open" : "closed");
    if (!each.open) each.querySelectorAll("details").forEach((inner) => (inner.open = false));
  });
}"""

PAGE = """<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8">{refresh}<title>Answers of the class</title>
<meta name="viewport" content="width=device-width"><style>{style}</style></head>
<body>{body}<script>{script}</script></body>
</html>
"""

COLUMNS = ("lesson", "kind", "name", "question", "choice", "right", "answers", "fraction", "idea")


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="where the files of answers are")
    parser.add_argument("--output", type=Path, default=Path("poll.html"), help="the page; its table lies beside it")
    parser.add_argument("--watch", action="store_true", help="draw again while answers come in, until Ctrl + C")


def run(options: Namespace) -> None:
    """Read the answers, write the page and its table, and print which files are left out."""
    require(options.output.suffix == ".html", f"--output must end in .html, got {options.output}")
    require(options.output.parent.is_dir(), f"there is no folder {options.output.parent}")
    if options.watch:
        with suppress(KeyboardInterrupt):
            watch(options)
    found = write_poll(options)
    print(*found.skipped, sep="\n", end="\n" * bool(found.skipped))
    table = options.output.with_suffix(".csv")
    print(f"{counted(found.files, 'file')} of answers are in {options.output} and {table}")


def watch(options: Namespace) -> None:
    """Draw again and again. An error is printed once, and the poll tried again: a folder may come back."""
    print(f"{options.output} follows the answers in {options.folder}. Ctrl + C ends it.", flush=True)
    printed: set[str] = set()
    while True:
        try:
            sentences = set(write_poll(options, time.strftime("%H:%M:%S")).skipped)
        except OSError as error:
            sentences = {f"{error}; trying again"}
        for sentence in sorted(sentences - printed):
            print(sentence, flush=True)
        printed = sentences
        time.sleep(RELOAD)


def write_poll(options: Namespace, as_of: str = "") -> Poll:
    """Write the page and the table of the poll, and return it."""
    found = Poll.from_folder(options.folder)
    write_atomic(options.output, page(found, as_of))
    # A byte order mark: without it Excel takes the letters for those of the system's code page.
    write_atomic(options.output.with_suffix(".csv"), "\ufeff" + table(found))
    return found


def page(poll: Poll, as_of: str = "") -> str:
    """The poll as HTML; with ``as_of``, the time at which it was drawn, it shows that and reloads."""
    refresh = f'<meta http-equiv="refresh" content="{RELOAD}">' if as_of else ""
    files = counted(poll.files, "file") + " of answers" + f", as of {as_of}" * bool(as_of)
    parts = [f"<h1>Answers of the class</h1><p>{files}.</p>", frequent(poll)]
    parts += [part for each in poll.lessons for part in lesson(each, poll.files)]
    return PAGE.format(refresh=refresh, style=STYLE, body="\n".join(parts), script=SCRIPT)


def counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'s' * (number != 1)}"


def folded(name: str, title: str, content: str, kind: str = "") -> str:
    """HTML that is shown after a click on its title."""
    return f'<details id="{escape(name)}" class="{kind}"><summary>{title}</summary>{content}</details>'


def frequent(poll: Poll) -> str:
    """The wrong choices that the largest fractions of those who answered took."""
    wrong = [(asked, each) for asked in poll.questions for each in asked.choices if each.count and not each.is_right]
    first = sorted(wrong, key=lambda entry: -entry[1].count / entry[0].total)[:MAX_LISTED]
    items = [
        f"<li>{fraction_text(each.count, asked.total)}: {emphasized(each.text)}{idea(each)}"
        f"<small>{emphasized(asked.text)}</small></li>"
        for asked, each in first
    ]
    return folded("frequent", "The most frequent wrong choices", f"<ol>{''.join(items)}</ol>") if items else ""


def fraction_text(count: int, total: int, verb: str = "") -> str:
    return f"{count} of {total}{verb}, {count / total:.0%}"


def idea(choice: Choice) -> str:
    return f" <i>Idea: {escape(choice.idea)}.</i>" if choice.idea else ""


def lesson(poll: LessonPoll, files: int) -> list[str]:
    """The questions of a lesson, each folded with its votes, then its exercises."""
    number, *words = poll.lesson.split("-")
    parts = [f"<h2>Lesson {number}, {' '.join(words)}</h2>", *[drawn(each, files) for each in poll.questions]]
    if poll.exercises:
        rows = [exercise(*each) for each in poll.exercises.items()]
        parts.append(f"<section><h3>Exercises</h3>{grid(rows)}</section>")
    return parts


def drawn(question: Question, files: int) -> str:
    """The choices with their counts, and, folded, the answer with the idea behind each wrong choice."""
    kind, answered = question.kind.capitalize(), f"{question.total} of {files} answered"
    title = f"{emphasized(question.text)} <small>{kind}, {answered}</small>"
    rows = [bar(emphasized(each.text), each.count, question.total, each.is_right) for each in question.choices]
    right = "".join(emphasized(each.text) for each in question.choices if each.is_right)
    ideas = "".join(f"<li>{emphasized(each.text)}{idea(each)}</li>" for each in question.choices if each.idea)
    answer = f"<p><b>{right}</b></p><p>{emphasized(question.because)}</p>{f'<ul>{ideas}</ul>' * bool(ideas)}"
    shown = "The answer, and the ideas behind the others" if ideas else "The answer"
    return folded(question.name, title, grid(rows) + folded(f"{question.name}: answer", shown, answer), "question")


def exercise(name: str, states: Mapping[str, int]) -> str:
    done, opened = states[CORRECT], sum(states.values())
    others = ", ".join(f"{count} {state}" for state, count in states.items() if state != CORRECT)
    return bar(f"{escape(name)} <small>Of {opened} who came to it: {others}</small>", done, opened, verb=" solved")


def grid(rows: list[str]) -> str:
    return f"<table><tbody>{''.join(rows)}</tbody></table>"


def bar(words: str, count: int, total: int, is_right: bool = False, verb: str = "") -> str:
    """A row of a table: words, a bar as long as the fraction, and the fraction as text."""
    drawing = f'<td class="bar"><div style="width:{count / total:.0%}"></div></td>'
    cells = f'<th scope="row">{words}</th>{drawing}<td>{fraction_text(count, total, verb)}</td>'
    return f'<tr class="{"right" * is_right}">{cells}</tr>'


def table(poll: Poll) -> str:
    """The poll as CSV: a row for each choice of a question, and for each state of an exercise."""
    text = io.StringIO()
    write = csv.writer(text, lineterminator="\n").writerow
    write(COLUMNS)
    for part in poll.lessons:
        for asked in part.questions:
            for each in asked.choices:
                cells = (each.text, each.is_right, each.count, f"{each.count / asked.total:.3f}", each.idea)
                write([part.lesson, asked.kind, asked.name, asked.text, *cells])
        for name, states in part.exercises.items():
            for state, count in states.items():
                fraction = f"{count / sum(states.values()):.3f}"
                write([part.lesson, "exercise", name, "", state, state == CORRECT, count, fraction, ""])
    return text.getvalue()
