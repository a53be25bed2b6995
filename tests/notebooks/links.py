"""Write what the README says of each notebook, with links that open it on Binder: ``make links``.

The address of the repository stands once, as ``Repository`` in ``pyproject.toml``.
"""

import re
import tomllib
from pathlib import Path
from urllib.parse import quote, urlsplit

import nbformat
from make import NOTEBOOKS, close_readings, lessons

ROOT = NOTEBOOKS.parent
README = ROOT / "README.md"
BEGIN, END = "<!-- notebooks: written by make links -->\n", "<!-- end of notebooks -->\n"
BADGE = "[![Binder](https://mybinder.org/badge_logo.svg)]"


def repository() -> str:
    """Owner and name of the repository, and the branch or tag that Binder opens."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    return urlsplit(project["project"]["urls"]["Repository"]).path.strip("/")


def on_binder(name: str) -> str:
    """Address that opens a notebook on Binder."""
    place = quote(f"lab/tree/notebooks/{name}", safe="")
    return f"https://mybinder.org/v2/gh/{repository()}/HEAD?urlpath={place}"


def row(path: Path) -> str:
    """A notebook's line in the table: what it promises in bold on its first page, and how long it takes."""
    promise = re.search(r"\*\*In (\d+) minutes you will (.+?)\.\*\*", first_page(path), re.DOTALL)
    name = path.relative_to(NOTEBOOKS).as_posix()
    link = f"[{name.removesuffix('.ipynb')}](notebooks/{name})"
    return f"| {link} | {' '.join(promise[2].split())} | {promise[1]} | [open]({on_binder(name)}) |"


def first_page(path: Path) -> str:
    """The first cell of a notebook."""
    return nbformat.read(path, as_version=4).cells[0].source


def section() -> str:
    """The badge, all lessons as a table, and all close readings as another."""
    badge = f"{BADGE}({on_binder(lessons()[0].name)})"
    between = "Close readings take a paper apart: one short cell and one number for each finding."
    return "\n".join([badge, "", *table(lessons()), "", between, "", *table(close_readings())]) + "\n"


def table(paths: list[Path]) -> list[str]:
    """Notebooks as a table."""
    return ["| notebook | you will | minutes | on Binder |", "|---|---|---|---|", *map(row, paths)]


def written(text: str) -> str:
    """The README with this section as it should be."""
    before, rest = text.split(BEGIN)
    return before + BEGIN + section() + END + rest.split(END)[1]


if __name__ == "__main__":
    README.write_text(written(README.read_text()))
