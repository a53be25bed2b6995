"""A sitting for print: ``make handout ARGS=02`` writes build/handouts/02-1.pdf, with Chromium.

It has the text, each step with room for what students see, predictions and checks without their
answers. The pictures of the steps come last, on pages of their own, and with them the opening
picture of the first sitting, since they tell what is asked. ``ARGS="02 --sitting 2"`` is the second
sitting. With ``--answers`` all pictures and answers stand in their place.
"""

import argparse
import re
import sys
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path
from typing import Any

import nbformat
from pages import LEFT_OUT, MATHJAX
from scenes import ROOT, Scene, has_lab, notebook, scenes, step_html, to_html

from knnviz.cell_outputs import emphasized
from knnviz.lessons import content
from knnviz.lessons.content import Question
from knnviz.lessons.sittings import ANSWERS, sitting

sys.path.insert(0, str(ROOT / "tests" / "browser"))

from server import opened_browser

HANDOUTS = ROOT / "build" / "handouts"

PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<style>{style}</style><script>{mathjax}</script></head><body>{body}</body></html>"""

STYLE = """
body { font: 11pt/1.45 Georgia, serif; }
h1, h2, h3 { font-family: sans-serif; line-height: 1.2; break-after: avoid; }
img { display: block; max-width: 100%; max-height: 90mm; }
table { border-collapse: collapse; }
td, th { border-bottom: 1px solid #999; padding: 0.1em 0.6em; text-align: left; }
blockquote { border-left: 3px solid #999; margin: 1em 0; padding-left: 1em; }
.question, .step { break-inside: avoid; margin: 1em 0; }
.question ul { list-style: "\\2610  "; }
.question li.right { list-style: "\\2611  "; font-weight: bold; }
.blank { border-bottom: 1px solid #777; height: 1.9em; }
.step img { max-height: 68mm; }
.last { break-before: page; }
a { color: inherit; text-decoration: none; }
"""

MARGIN = dict.fromkeys(("top", "bottom", "left", "right"), "18mm")

#: A heading of a section, and that of the pages of pictures.
SECTION = re.compile(r"^### (.+)$", re.MULTILINE)
LAST = "Pictures of the steps"

#: What stands where students write.
BLANKS = '<div class="blank"></div>' * 2


def main(number: str, at: int = 1, answers: bool = False) -> Path:
    """Write the handout of a sitting of a lesson, such as "04"."""
    path = notebook(number)
    body = body_of(path, at, answers)
    script = MATHJAX.read_text("utf-8")
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
    here: list[str] = []
    last: list[str] = []
    section = ""
    for cell in sitting(nbformat.read(path, as_version=4).cells, at):
        if cell.cell_type == "markdown":
            *_, section = [section, *SECTION.findall(cell.source)]
        if has_lab(path, cell):
            (opened, _), *steps = scenes(path, cell)
            here.append(image(opened))
            last.append(f"<h3>{escape(section)}</h3>")
            for n, (scene, step) in enumerate(steps, 1):
                here.append(step_of(n, scene, step, answers))
                last.append(picture_of(n, scene, step))
        elif at == 1 and not answers and "opening(" in cell.source:
            last += of_outputs(cell.outputs)
        else:
            here += parts_of(cell, answers)
    if not answers:
        here += [f'<h2 class="last">{LAST}</h2>', *last]
    return "\n".join(here)


def parts_of(cell: Any, answers: bool) -> Iterator[str]:
    """A cell without a lab as HTML."""
    asks = re.match(r'(predict|explain|quiz)\("(.+)"\)', cell.source)
    if cell.cell_type == "markdown":
        if not cell.source.startswith(ANSWERS):
            yield to_html(LEFT_OUT.sub("", cell.source))
    elif asks is None:
        yield from of_outputs(cell.outputs)
    elif asks[1] == "predict":
        yield question("Predict.", content.predictions()[asks[2]], answers, BLANKS)
    elif asks[1] == "quiz":
        for n, each in enumerate(content.quizzes()[asks[2]], 1):
            yield question(f"{n}.", each, answers)


def question(lead: str, each: Question, answers: bool, blanks: str = "") -> str:
    """A question with its choices, and its answer or room for one."""
    asked = to_html(f"**{lead}** {each.question}")
    choices = ""
    for choice in each.choices:
        mark = ' class="right"' if answers and choice == each.answer else ""
        choices += f"<li{mark}>{emphasized(choice)}</li>"
    below = to_html("\n\n".join([each.because, each.known])) if answers else blanks
    return f'<div class="question">{asked}<ul>{choices}</ul>{below}</div>'


def step_of(n: int, scene: Scene, step: Any, answers: bool) -> str:
    """What to do in a step, and what it shows or room for it."""
    shown = image(scene) + f"<p>{step_html(step.see)}</p>" if answers else BLANKS
    return f'<div class="step"><p><b>{n}.</b> {step_html(step.do)}</p>{shown}</div>'


def picture_of(n: int, scene: Scene, step: Any) -> str:
    """What a step shows, with its finding."""
    return f'<div class="step"><p><b>{n}.</b> {step_html(step.see)}</p>{image(scene)}</div>'


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
