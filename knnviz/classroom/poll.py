"""The command ``python -m knnviz poll``: a class's answers as a page and a table, without names."""

import json
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
from jinja2 import Environment, FileSystemLoader
from markupsafe import Markup

from knnviz.cell_outputs import emphasized
from knnviz.checks import require
from knnviz.files import write_atomic
from knnviz.lessons.check_ups import HOW_SURE, SURE, SURENESS, TIMES, by_name, recorded
from knnviz.lessons.content import Question, chapters, check_ups, predictions, quizzes
from knnviz.lessons.exercises import CORRECT, NOT_YET
from knnviz.lessons.record import NO_PREDICTION, NOT_ANSWERED, NOT_ATTEMPTED

#: Seconds after which a page with ``as_of`` reloads.
RELOAD = 3

#: Largest file of answers, in bytes; those to all lessons take about ten thousand.
MAX_BYTES = 1_000_000

#: Kinds of answers in a file, and in the table.
KINDS = {
    "predictions": "prediction",
    "quizzes": "quiz",
    "check_ups": "check-up",
    "exercises": "exercise",
}

#: Columns of the table as CSV.
COLUMNS = ["lesson", "kind", "name", "question", "choice", "right", "answers", "fraction", "idea"]

TEMPLATES = Environment(
    loader=FileSystemLoader(Path(__file__).parent), autoescape=True, trim_blocks=True
)
TEMPLATES.filters["emphasized"] = lambda text: Markup(emphasized(text))


class Poll(NamedTuple):
    """The answers of ``files`` together: ``table`` has a row for each choice of each question that
    anybody answered.

    ``skipped`` has a sentence for each file that is left out.
    """

    files: int
    table: pd.DataFrame
    skipped: list[str]


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument(
        "folder", type=Path, metavar="FOLDER", help="where the files of answers are"
    )
    parser.add_argument(
        "--output", type=Path, default=Path("poll.html"), help="the page; its table lies beside it"
    )
    parser.add_argument(
        "--watch", action="store_true", help="draw again while answers come in, until Ctrl + C"
    )


def run(options: Namespace) -> None:
    """Read the answers, write the page and its table, and print which files are left out."""
    output = options.output
    require(output.suffix == ".html", f"--output must end in .html, got {output}")
    require(output.parent.is_dir(), f"there is no folder {output.parent}")
    if options.watch:
        with suppress(KeyboardInterrupt):
            watch(options)
    found = write_poll(options)
    number = f"Files of answers in {output} and the table beside it: {found.files}"
    print(*found.skipped, number, sep="\n")


def watch(options: Namespace) -> None:
    """Draw again and again. An error is printed once, and the poll tried again: a folder may come
    back.
    """
    print(
        f"{options.output} follows the answers in {options.folder}. Ctrl + C ends it.", flush=True
    )
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
    found = read_poll(options.folder)
    write_atomic(options.output, page(found.table, as_of))
    table = found.table.to_csv(
        columns=COLUMNS, index=False, float_format="%.3f", lineterminator="\n"
    )
    # A byte order mark: without it Excel takes the letters for those of the system's code page.
    write_atomic(options.output.with_suffix(".csv"), f"\ufeff{table}")
    return found


def page(table: pd.DataFrame, as_of: str = "") -> str:
    """The poll as HTML; with ``as_of``, the time of drawing, it shows that and reloads."""
    several = table.answers > 1
    in_class = table.kind.isin([KINDS["predictions"], KINDS["quizzes"]])
    wrong = table[~table.right & several & in_class]
    frequent = wrong.nlargest(5, "fraction")
    template = TEMPLATES.get_template("poll.html.j2")
    twice = before_and_after(table)
    return template.render(
        table=table[table.kind != KINDS["check_ups"]],
        twice=twice,
        frequent=frequent,
        as_of=as_of,
        reload=RELOAD,
    )


def before_and_after(table: pd.DataFrame) -> pd.DataFrame:
    """The choices in check-ups, each with the fraction that chose it ``before`` the lesson and
    ``after`` it; NaN if nobody was asked then.
    """
    asked = table[table.kind == KINDS["check_ups"]]
    parts = asked["name"].str.rsplit(", ", n=1)
    asked = asked.assign(name=parts.str[0], when=parts.str[1])
    described = ["lesson", "name", "question", "because", "choice", "right"]
    found = asked.pivot_table("fraction", described, "when", sort=False)
    return found.reindex(columns=TIMES).reset_index()


def read_poll(folder: Path) -> Poll:
    """Count the files that the last cell of a lesson saves, or the kernels of a class write."""
    read = []
    skipped = []
    visible = [path for path in folder.iterdir() if not path.name.startswith(".")]
    for path in sorted(visible):
        try:
            read.append(read_answers(path))
        except ValueError as error:
            # As Python writes it, without characters that a terminal obeys.
            skipped.append(f"{path.name!r} is left out: {error}")
    return Poll(len(read), count_answers(read), skipped)


def count_answers(read: list[list[tuple[str, str, str]]]) -> pd.DataFrame:
    """The table of a poll, from the answers of each file."""
    said = []
    for student, answers in enumerate(read):
        said += [(student, *answer) for answer in answers]
    columns = ["student", "kind", "name", "choice"]
    given = pd.DataFrame(said, columns=columns).astype({"student": "Int64"})
    found = questions().merge(given, "left", columns[1:])
    by_choice = found.groupby([*questions()], sort=False).student
    table = by_choice.nunique().rename("answers").reset_index()
    students = found.groupby("lesson").student.nunique()
    table["students"] = table.lesson.map(students)

    # Answers that are none are no rows; nor are exercises that nobody attempted, as on a page of
    # the class.
    table = table[~table.choice.isin([NO_PREDICTION, NOT_ANSWERED])]
    attempted = table.answers.where(table.choice != NOT_ATTEMPTED, 0)
    by_question = [table.kind, table["name"]]
    table["total"] = table.answers.groupby(by_question).transform("sum")
    n_attempted = attempted.groupby(by_question).transform("sum")
    table = table[n_attempted > 0]
    table["fraction"] = table.answers / table.total
    return table


def read_answers(path: Path) -> list[tuple[str, str, str]]:
    """Kind, name and choice of each answer in a file; ValueError, in a clause, if they are none to
    these lessons.
    """
    is_json = path.is_file() and path.suffix.lower() == ".json"
    require(is_json, "it is not a file whose name ends in .json")
    require(path.stat().st_size <= MAX_BYTES, f"it is larger than {MAX_BYTES:,} bytes")
    try:
        found = json.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, RecursionError) as error:
        raise ValueError("it cannot be read as JSON in UTF-8") from error
    require(isinstance(found, dict), "it is not a JSON object")

    choices = possible_choices()
    answers = []
    for kinds, kind in KINDS.items():
        require(isinstance(found.get(kinds), dict), f'it has no "{kinds}"')
        for name, choice in found[kinds].items():
            known = (kind, name) in choices
            require(known, f"no lesson has {name[:40]!r} among its {kinds}")
            known = choice in choices[kind, name]
            require(known, f"{name!r} has no answer {str(choice)[:40]!r}")
            answers.append((kind, name, choice))
    return answers


@cache
def possible_choices() -> dict[tuple[str, str], list[str]]:
    by_name = questions().groupby(["kind", "name"])
    return by_name.choice.agg(list).to_dict()


@cache
def questions() -> pd.DataFrame:
    """All that can be answered, in the order of lessons: a row for each choice, and for none."""
    rows = []
    for lesson, chapter in chapters().items():
        for kind, each, choices in asked(chapter):
            ideas = each.wrong if kind == "prediction" else {}
            for choice in choices:
                right = choice == each.answer
                why = (ideas.get(choice, ""), each.because)
                rows.append((lesson, kind, each.name, each.question, choice, right, *why))
    columns = ["lesson", "kind", "name", "question", "choice", "right", "idea", "because"]
    return pd.DataFrame(rows, columns=columns)


def asked(chapter: dict[str, Any]) -> Iterator[tuple[str, Question, list[str]]]:
    """Kind, question and choices, the last of which is none, of all that a chapter asks: check-ups
    before and after, each with how sure students were.
    """
    for name in chapter.get("predictions", ()):
        each = predictions()[name]
        yield "prediction", each, [*each.choices, NO_PREDICTION]
    for name in chapter.get("quizzes", ()):
        for each in quizzes()[name]:
            yield "quiz", each, [*each.choices, NOT_ANSWERED]
    sittings = chapter.get("check_ups", {})
    sure = [name for name, known in by_name().items() if known[0] in sittings]
    for when in TIMES:
        for sitting in sittings:
            for each in check_ups()[sitting]:
                question = replace(each, name=recorded(each.name, when))
                yield "check-up", question, [*each.choices, NOT_ANSWERED]
        for name in sure:
            question = Question(recorded(f"{name}, {SURE}", when), HOW_SURE, "", "", {})
            yield "check-up", question, [*SURENESS, NOT_ANSWERED]
    for name in chapter.get("exercises", ()):
        question = Question(name, "", CORRECT, "", {})
        yield "exercise", question, [CORRECT, NOT_YET, NOT_ATTEMPTED]
