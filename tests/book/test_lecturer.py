"""What a lecturer takes from the lessons: questions for Moodle, and handouts."""

import base64
import re
import sys
from pathlib import Path

import pytest
from bs4 import BeautifulSoup

sys.path.insert(0, str(Path(__file__).parents[2] / "docs"))

import handout
import questions
from scenes import notebook

from knnviz.cell_outputs import plain
from knnviz.lessons import content

pytestmark = pytest.mark.full

LESSONS = [f"0{number}" for number in range(9)]


def words(html):
    """The letters of HTML, without marks of formulas and emphasis."""
    return re.sub(r"[\\()$*`\s]", "", BeautifulSoup(html, "html.parser").get_text())


@pytest.mark.parametrize("number", LESSONS)
def test_another_reader_finds_each_question_with_its_replies(number):
    """Beautiful Soup knows nothing of how the file was written."""
    lesson = content.chapters()[notebook(number).stem]
    replied = {name: content.predictions()[name] for name in lesson["predictions"]}
    for name in lesson["quizzes"]:
        replied |= {each.name: each for each in content.quizzes()[name]}
    asked = dict(replied)
    for name in lesson["check_ups"]:
        asked |= {each.name: each for each in content.check_ups()[name]}

    file = BeautifulSoup(questions.main(number, exam=True).read_text("utf-8"), "html.parser")
    read = {}
    for each in file.select("question[type=multichoice]"):
        read[each.find("name").get_text(strip=True)] = each
    assert read.keys() == asked.keys()
    for name, question in asked.items():
        text = read[name].questiontext.get_text()
        assert words(text) == words(questions.to_html(question.question))
        replies = {}
        for answer in read[name].find_all("answer"):
            option = words(answer.find("text", recursive=False).get_text())
            replies[option] = words(answer.feedback.get_text())
            is_right = option == words(questions.to_html(question.answer))
            assert answer["fraction"] == ("100" if is_right else "0")
        assert len(replies) == len(question.choices)
        assert name not in replied or sum(map(bool, replies.values())) == len(question.wrong)
        for picture in read[name].find_all("file"):
            assert base64.b64decode(picture.get_text()).startswith(b"\x89PNG")
            assert f"@@PLUGINFILE@@/{picture['name']}" in read[name].generalfeedback.get_text()


@pytest.mark.parametrize("number", LESSONS)
def test_each_exam_question_has_its_key(number):
    sheet = (questions.ROOT / "docs" / "teach" / f"{number}.md").read_text("utf-8")
    exam = sheet.partition("\n## Exam\n")[2].partition("<!--")[0]
    found = questions.EXAM.findall(exam)
    assert len(found) == len(re.findall(r"^\d+\. ", exam, re.MULTILINE)) > 2
    for _, points, key in found:
        assert sum(map(int, re.findall(r": (\d)\b(?=[;.]|$)", key))) == int(points)


@pytest.mark.parametrize("answers", [False, True], ids=["blank", "answers"])
def test_a_handout_has_answers_only_where_it_should(answers):
    """Students turn to the pictures of steps, which tell what is asked, on pages of their own."""
    body = handout.body_of(notebook("02"), 1, answers)
    before, _, last = map(words, body.partition(handout.LAST))
    lesson = content.chapters()[notebook("02").stem]
    asked = [content.predictions()[name] for name in list(lesson["predictions"])[:3]]
    told = [each.because for each in (*asked, *content.quizzes()["02-first-check"])]
    seen = [plain(step["see"]) for each in asked for step in content.steps(each.steps)]
    for each in (*told, *seen):
        assert (words(handout.to_html(each)) in before) == answers
    for each in seen:
        assert (words(handout.to_html(each)) in last) != answers


def test_a_handout_is_written():
    written = handout.main("04", 2)
    assert written.read_bytes().startswith(b"%PDF")
