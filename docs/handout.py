"""A sitting for print: ``make handout ARGS=02`` writes build/handouts/02-1.pdf, with Chromium.

It has the text, the picture of each step with room for what students see, predictions and checks
without their answers. ``ARGS="02 --sitting 2"`` is the second sitting, and with ``--answers`` all
answers stand in their place.
"""

import argparse
import re
import sys
from collections.abc import Iterator, Sequence
from html import escape
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import nbformat
from pages import LEFT_OUT
from scenes import ROOT, Scene, has_lab, notebook, scenes, to_html

from knnviz.cell_outputs import emphasized, plain
from knnviz.lessons import content
from knnviz.lessons.content import Question
from knnviz.lessons.sittings import sitting

sys.path.insert(0, str(ROOT / "tests" / "browser"))

from server import opened_browser

HANDOUTS = ROOT / "build" / "handouts"

PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<style>{style}</style><script>{mathjax}</script></head><body>{body}</body></html>"""

STYLE = """
body { font: 11pt/1.45 Georgia, serif; }
h1, h2, h3 { font-family: sans-serif; line-height: 1.2; break-after: avoid; }
img { max-width: 100%; }
table { border-collapse: collapse; }
td, th { border-bottom: 1px solid #999; padding: 0.1em 0.6em; text-align: left; }
blockquote { border-left: 3px solid #999; margin: 1em 0; padding-left: 1em; }
.question, .step { break-inside: avoid; margin: 1em 0; }
.question ul { list-style: "\\2610  "; }
.blank { border-bottom: 1px solid #777; height: 1.9em; }
.steps { display: grid; grid-template-columns: 1fr 1fr; gap: 0 1.5em; }
"""

#: The last cells of a lesson, for who has a kernel.
ANSWERS = "## Your answers"

MARGIN = dict.fromkeys(("top", "bottom", "left", "right"), "18mm")

#: What stands where students write.
BLANKS = '<div class="blank"></div>' * 2


def main(number: str, at: int = 1, answers: bool = False) -> Path:
    """Write the handout of a sitting of a lesson, such as "04"."""
    path = notebook(number)
    body = body_of(path, at, answers)
    mathjax = Path(find_spec("mathjax").origin).parent / "static" / "mathjax" / "es5" / "tex-svg.js"
    script = mathjax.read_text("utf-8")
    page = PAGE.format(title=escape(path.stem), style=STYLE, mathjax=script, body=body)

    HANDOUTS.mkdir(parents=True, exist_ok=True)
    ending = "-answers" if answers else ""
    written = HANDOUTS / f"{number}-{at}{ending}.pdf"
    with opened_browser() as browser:
        tab = browser.new_page()
        tab.set_content(page)
        tab.evaluate("() => MathJax.startup.promise")
        tab.pdf(path=written, format="A4", margin=MARGIN)
    return written


def body_of(path: Path, at: int, answers: bool) -> str:
    """A sitting of the lesson whose notebook is at a path, as HTML."""
    cells = sitting(nbformat.read(path, as_version=4).cells, at)
    return "\n".join(part for cell in cells for part in parts_of(path, cell, answers))


def parts_of(path: Path, cell: Any, answers: bool) -> Iterator[str]:
    """A cell of a notebook as HTML."""
    asks = re.match(r'(predict|explain|quiz)\("(.+)"\)', cell.source)
    if cell.cell_type == "markdown":
        if not cell.source.startswith(ANSWERS):
            yield to_html(LEFT_OUT.sub("", cell.source))
    elif asks:
        yield from of_questions(asks[1], asks[2], answers)
    elif has_lab(path, cell):
        yield from of_lab(path, cell, answers)
    else:
        yield from of_outputs(cell.outputs)


def of_questions(kind: str, name: str, answers: bool) -> Iterator[str]:
    """A prediction, its answer, or the questions of a check."""
    if kind == "quiz":
        for n, each in enumerate(content.quizzes()[name], 1):
            yield question(f"{n}.", each, told(each) if answers else "")
    elif kind == "predict":
        yield question("Predict.", content.predictions()[name], BLANKS)
    elif answers:
        yield told(content.predictions()[name])


def question(lead: str, each: Question, below: str) -> str:
    choices = "\n".join(f"- {choice}" for choice in each.choices)
    asked = to_html(f"**{lead}** {each.question}\n\n{choices}")
    return f'<div class="question">{asked}{below}</div>'


def told(each: Question) -> str:
    return to_html("\n\n".join([*each.why, each.known]))


def of_lab(path: Path, cell: Any, answers: bool) -> Iterator[str]:
    """The picture with which a lab opens, and that of each step, with its finding or room for
    it.
    """
    (opened, _), *steps = scenes(path, cell)
    yield image(opened)
    yield '<div class="steps">'
    for n, (scene, step) in enumerate(steps, 1):
        seen = f"<p>{emphasized(plain(step.see))}</p>" if answers else BLANKS
        todo = emphasized(plain(step.do))
        yield f'<div class="step"><p><b>{n}.</b> {todo}</p>{image(scene)}{seen}</div>'
    yield "</div>"


def image(scene: Scene) -> str:
    return f'<img src="data:image/png;base64,{scene.png}" alt="{escape(scene.words)}">'


def of_outputs(outputs: Sequence[Any]) -> Iterator[str]:
    """Saved pictures, tables and theorems."""
    for output in outputs:
        data = output.get("data", {})
        if "image/png" in data:
            yield image(Scene(data["image/png"], data.get("text/plain", "")))
        elif "text/markdown" in data:
            yield to_html(data["text/markdown"])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="make handout", description=__doc__)
    parser.add_argument("lesson", help="its number, such as 04")
    parser.add_argument("--sitting", type=int, default=1, help="1, or 2 for the second")
    parser.add_argument("--answers", action="store_true", help="with all answers")
    arguments = parser.parse_args()
    try:
        print(main(arguments.lesson, arguments.sitting, arguments.answers).relative_to(ROOT))
    except ValueError as problem:
        parser.error(str(problem))
