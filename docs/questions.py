"""The questions of a lesson for Moodle: ``make questions ARGS=04`` writes build/questions/04.xml.

Its predictions, its checks, and what is asked before and after a sitting are multiple choice. Each
wrong choice of the first two has its reply, and the answer of a prediction the steps of its lab,
each with its picture. ``ARGS="04 --exam"`` writes 04-exam.xml, which has the exam questions of the
run sheet, too, as essays with their keys for who grades them. In Moodle, import the file into a
question bank, as *Moodle XML*.
"""

import argparse
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from scenes import ROOT, Scene, notebook, step_html, steps_by_prediction, to_html

from knnviz.lessons import content
from knnviz.lessons.content import Question

QUESTIONS = ROOT / "build" / "questions"

#: A question of an exam, its points, and its key.
EXAM = re.compile(r"^\d+\. \*(.+?)\*\s+\((\d+) points?\. (?:Key: )?(.+?)\)$", re.M | re.S)

#: The folders of a question bank, by kinds of questions in a chapter.
FOLDERS = {"predictions": "Predictions", "quizzes": "Checks", "check_ups": "Before and after"}


def main(number: str, exam: bool = False) -> Path:
    """Write the file of a lesson."""
    path = notebook(number)
    quiz = bank(path, exam)
    ElementTree.indent(quiz)
    QUESTIONS.mkdir(parents=True, exist_ok=True)
    ending = "-exam" if exam else ""
    written = QUESTIONS / f"{number}{ending}.xml"
    ElementTree.ElementTree(quiz).write(written, "utf-8", xml_declaration=True)
    return written


def bank(path: Path, exam: bool) -> Element:
    """All questions of the lesson whose notebook is at a path."""
    quiz = Element("quiz")
    steps = steps_by_prediction(path)
    chapter = content.chapters()[path.stem]
    asked = {
        "predictions": {name: [each] for name, each in content.predictions().items()},
        "quizzes": content.quizzes(),
        "check_ups": content.check_ups(),
    }
    for kind, folder in FOLDERS.items():
        quiz.append(category(path.stem, folder))
        for name in chapter[kind]:
            for each in asked[kind][name]:
                quiz.append(choice(each, steps.get(each.name, ())))
    if exam:
        quiz.append(category(path.stem, "Exam"))
        sheet = (ROOT / "docs" / "teach" / f"{path.stem[:2]}.md").read_text("utf-8")
        for n, (question, points, key) in enumerate(EXAM.findall(sheet), 1):
            quiz.append(essay(f"{path.stem[:2]}-exam, {n}", question, points, key))
    return quiz


def category(lesson: str, folder: str) -> Element:
    question = Element("question", type="category")
    text(question, "category", f"$course$/knnviz/{lesson}/{folder}")
    return question


def choice(each: Question, steps: Sequence[tuple[Scene, Any]]) -> Element:
    """A question with one right choice, whose answer has the pictures of some steps; Moodle draws
    the order of choices.
    """
    question = begun("multichoice", each.name, each.question, "1")
    because = text(question, "generalfeedback", to_html(each.because), format="html")
    for n, (picture, step) in enumerate(steps, 1):
        image = Element("img", src=f"@@PLUGINFILE@@/{n}.png", alt=picture.words, width="650")
        finding = f"<p>{step_html(step.see)}</p>"
        because[0].text += finding + ElementTree.tostring(image, "unicode")
        file = SubElement(because, "file", name=f"{n}.png", path="/", encoding="base64")
        file.text = picture.png
    for tag in ("single", "shuffleanswers"):
        SubElement(question, tag).text = "true"
    for option, reply in {each.answer: "", **each.wrong}.items():
        fraction = "0" if option in each.wrong else "100"
        answer = text(question, "answer", to_html(option), fraction=fraction, format="html")
        text(answer, "feedback", to_html(reply), format="html")
    return question


def essay(name: str, asked: str, points: str, key: str) -> Element:
    question = begun("essay", name, asked, points)
    text(question, "graderinfo", to_html(key), format="html")
    SubElement(question, "responseformat").text = "editor"
    SubElement(question, "responsefieldlines").text = "10"
    return question


def begun(kind: str, name: str, asked: str, points: str) -> Element:
    """A question with its name, its text and its points."""
    question = Element("question", type=kind)
    text(question, "name", name)
    text(question, "questiontext", to_html(asked), format="html")
    SubElement(question, "defaultgrade").text = points
    return question


def text(parent: Element, tag: str, words: str, **attributes: str) -> Element:
    """A tag with a text, as Moodle has all texts."""
    element = SubElement(parent, tag, attributes)
    SubElement(element, "text").text = words
    return element


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="make questions", description=__doc__)
    parser.add_argument("lesson", help="its number, such as 04")
    parser.add_argument("--exam", action="store_true", help="the exam questions, too")
    arguments = parser.parse_args()
    try:
        print(main(arguments.lesson, arguments.exam).relative_to(ROOT))
    except ValueError as problem:
        parser.error(str(problem))
