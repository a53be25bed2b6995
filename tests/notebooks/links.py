"""Write the README's table of lessons: ``make links``.

The address of the repository stands once, as ``Repository`` in ``pyproject.toml``; once it names an owner, each lesson
has a link that opens it on Binder.
"""

import re
import tomllib
from pathlib import Path
from urllib.parse import quote, urlsplit

import nbformat
from make import NOTEBOOKS, lessons

ROOT = NOTEBOOKS.parent
README = ROOT / "README.md"
BEGIN, END = "<!-- notebooks: written by make links -->\n", "<!-- end of notebooks -->\n"

#: What stands in place of an owner until there is one.
NOBODY = "OWNER/"


def repository() -> str:
    """Owner and name of the repository."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    return urlsplit(project["project"]["urls"]["Repository"]).path.strip("/")


def binder(name: str, owned: str) -> str:
    """Link that opens a notebook of a repository on Binder, behind a dot; nothing while it has no owner."""
    place = quote(f"lab/tree/notebooks/{name}", safe="")
    return "" if owned.startswith(NOBODY) else f" · [Binder](https://mybinder.org/v2/gh/{owned}/HEAD?urlpath={place})"


def entry(path: Path, owned: str) -> tuple[str, str]:
    """A lesson's title as a link, and the minutes it takes."""
    text = "\n".join(cell.source for cell in nbformat.read(path, as_version=4).cells[:4])
    (title,) = re.findall(r"^# (.+)$", text, re.MULTILINE)
    return f"[{title}](notebooks/{path.name}){binder(path.name, owned)}", re.search(r"\*\*In (\d+) minutes", text)[1]


def section(owned: str) -> str:
    """The lessons as a table."""
    rows = [f"| {number:02} | {' | '.join(entry(path, owned))} |" for number, path in enumerate(lessons())]
    return "\n".join(["| | lesson | minutes |", "|---|---|---|", *rows]) + "\n"


def written(text: str, owned: str) -> str:
    """The README with this section as it should be for a repository."""
    before, rest = text.split(BEGIN)
    return before + BEGIN + section(owned) + END + rest.split(END)[1]


if __name__ == "__main__":
    README.write_text(written(README.read_text(), repository()))
