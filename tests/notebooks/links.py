"""Write the README's first line and its table of lessons, and the answers and solutions on each run
sheet: ``make links``.

The address of the repository stands once, as ``Repository`` in ``pyproject.toml``; once it names an
owner, the first line leads to the book, and each lesson has a link that opens it on Binder.
"""

import re
import tomllib
from urllib.parse import quote, urlsplit

import nbformat
from make import NOTEBOOKS, lessons

from knnviz.lessons import content
from knnviz.lessons.sittings import sittings

ROOT = NOTEBOOKS.parent
README = ROOT / "README.md"
SHEETS = ROOT / "docs" / "teach"
BEGIN = "<!-- {}: written by make links -->\n"
END = "<!-- end of {} -->\n"

#: What stands in place of an owner until there is one.
NOBODY = "OWNER/"


def repository():
    """Owner and name of the repository."""
    tables = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    address = tables["project"]["urls"]["Repository"]
    return urlsplit(address).path.strip("/")


def binder(name, owned):
    """Link that opens a notebook on Binder, behind a dot; nothing while there is no owner."""
    if owned.startswith(NOBODY):
        return ""
    place = quote(f"lab/tree/notebooks/{name}", safe="")
    return f" · [Binder](https://mybinder.org/v2/gh/{owned}/HEAD?urlpath={place})"


def way_in(owned):
    """The book and the first lesson, a click away; nothing while there is no owner."""
    if owned.startswith(NOBODY):
        return ""
    owner, name = owned.split("/")
    book = f"[Read the lessons in your browser](https://{owner}.github.io/{name}/)"
    return f"**{book}**{binder('00-start-here.ipynb', owned)}\n"


def about(path):
    """What a lesson says at its top, its title and its question, and the sittings it takes."""
    cells = nbformat.read(path, as_version=4).cells
    said = {cell.id: cell.source for cell in cells}
    title = re.search("# (.+)", said["title"])[1]
    question = said["question"].strip("*")
    takes = "two sittings" if len(sittings(cells)) == 2 else "one sitting"
    return {"title": title, "question": question, "takes": takes}


def section(owned):
    """The lessons as a table."""
    rows = []
    for path in lessons():
        lesson = about(path)
        link = f"[{lesson['title']}](notebooks/{path.name}){binder(path.name, owned)}"
        rows.append(f"| {path.name[:2]} | {link} | {lesson['takes']} |")
    return "\n".join(["| | lesson | takes |", "|---|---|---|", *rows]) + "\n"


def answers(lesson):
    """Predictions and quizzes of a lesson with their answers, in its order, and its solutions."""
    chapter = content.chapters()[lesson]
    asked = {"Predictions": [content.predictions()[name] for name in chapter["predictions"]]}
    for name in chapter["quizzes"]:
        _, _, kind = name.partition("-")
        asked[kind.replace("-", " ").capitalize()] = content.quizzes()[name]
    blocks = ["## Answers"]
    for head, questions in asked.items():
        numbered = [f"1. {each.question} **{each.answer}**" for each in questions]
        blocks += [f"**{head}**", "\n".join(numbered)]
    code = [each["solution"].strip() for each in chapter["exercises"].values()]
    blocks += ["**Exercises**", "```python\n{}\n```".format("\n\n\n".join(code))]
    return "\n\n".join([*blocks, ""])


def written(text, name, body):
    """A page with what should stand between the marks of this name."""
    begin = BEGIN.format(name)
    end = END.format(name)
    before, rest = text.split(begin)
    after = rest.split(end)[1]
    return before + begin + body + end + after


def pages():
    """The README and the run sheets as they should be."""
    owned = repository()
    readme = written(README.read_text("utf-8"), "way in", way_in(owned))
    found = {README: written(readme, "notebooks", section(owned))}
    for path in lessons():
        sheet = SHEETS / f"{path.stem[:2]}.md"
        text = sheet.read_text("utf-8")
        found[sheet] = written(text, "answers", answers(path.stem))
    return found


if __name__ == "__main__":
    for path, text in pages().items():
        path.write_text(text, "utf-8")
