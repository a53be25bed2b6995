"""Write the README's table of lessons, and the answers on each run sheet: ``make links``.

The address of the repository stands once, as ``Repository`` in ``pyproject.toml``; once it names an
owner, each lesson has a link that opens it on Binder.
"""

import re
import tomllib
from pathlib import Path
from urllib.parse import quote, urlsplit

import nbformat
from make import NOTEBOOKS, lessons

from knnviz.lessons import content

ROOT = NOTEBOOKS.parent
README = ROOT / "README.md"
SHEETS = ROOT / "docs" / "teach"
BEGIN = "<!-- {}: written by make links -->\n"
END = "<!-- end of {} -->\n"

#: What stands in place of an owner until there is one.
NOBODY = "OWNER/"


def repository() -> str:
    """Owner and name of the repository."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    return urlsplit(project["project"]["urls"]["Repository"]).path.strip("/")


def binder(name: str, owned: str) -> str:
    """Link that opens a notebook of a repository on Binder, behind a dot; nothing while it has no
    owner.
    """
    place = quote(f"lab/tree/notebooks/{name}", safe="")
    return (
        ""
        if owned.startswith(NOBODY)
        else f" · [Binder](https://mybinder.org/v2/gh/{owned}/HEAD?urlpath={place})"
    )


def about(path: Path) -> dict[str, str]:
    """What a lesson says at its top: its title, its question, and the minutes it takes."""
    said = {cell.id: cell.source for cell in nbformat.read(path, as_version=4).cells}
    title, question = re.search("# (.+)", said["title"])[1], said["question"].strip("*")
    return {
        "title": title,
        "question": question,
        "minutes": re.search(r"In (\d+) minutes", said["plan"])[1],
    }


def section(owned: str) -> str:
    """The lessons as a table."""
    rows = []
    for path in lessons():
        lesson = about(path)
        link = f"(notebooks/{path.name}){binder(path.name, owned)}"
        rows.append(f"| {path.name[:2]} | [{lesson['title']}]{link} | {lesson['minutes']} |")
    return "\n".join(["| | lesson | minutes |", "|---|---|---|", *rows]) + "\n"


def answers(lesson: str) -> str:
    """The answers to the predictions and to the quiz of a lesson, in its order."""
    predictions = map(content.predictions().get, content.chapters()[lesson]["predictions"])
    asked = {"Predictions": predictions, "Quiz": content.quizzes()[lesson]}
    listed = (
        "\n".join([f"**{head}**\n", *(f"1. {each.answer}" for each in found)])
        for head, found in asked.items()
    )
    return "\n\n".join(["## Answers", *listed, ""])


def written(text: str, name: str, body: str) -> str:
    """A page with what should stand between the marks of this name."""
    begin = BEGIN.format(name)
    end = END.format(name)
    before, rest = text.split(begin)
    return before + begin + body + end + rest.split(end)[1]


def pages() -> dict[Path, str]:
    """The README and the run sheets as they should be."""
    found = {README: written(README.read_text("utf-8"), "notebooks", section(repository()))}
    for path in lessons():
        sheet = SHEETS / f"{path.stem[:2]}.md"
        found[sheet] = written(sheet.read_text("utf-8"), "answers", answers(path.stem))
    return found


if __name__ == "__main__":
    for path, text in pages().items():
        path.write_text(text, "utf-8")
