"""The form of a lesson: one picture first, few sections, few words, short cells, a quiz of five."""

import ast
import re

import nbformat
import pytest
from make import lessons

from knnviz.lessons import content

#: Words before the quiz, with all that folds and unfolds but explanations; words of what goes further; of the story.
BEFORE_QUIZ, FURTHER, STORY = 1800, 600, 80


@pytest.fixture(params=lessons(), ids=lambda path: path.stem)
def path(request):
    return request.param


@pytest.fixture
def cells(path):
    return nbformat.read(path, as_version=4).cells


def words(text):
    """How many words a text has: what stands between spaces and holds a letter or a digit."""
    return sum(any(letter.isalnum() for letter in each) for each in re.sub(r"</?\w+>", " ", text).split())


def seen(cell):
    """What a reader sees of a cell in Markdown."""
    if cell.cell_type == "markdown":
        return cell.source
    return "\n".join(
        output.data["text/markdown"] for output in cell.outputs if "text/markdown" in output.get("data", {})
    )


def folded(cell):
    return cell.metadata.get("jupyter", {}).get("source_hidden", False)


def called(cell, function):
    return cell.cell_type == "code" and re.search(rf"^{function}\(", cell.source, re.MULTILINE)


def index(cells, name):
    return [cell.id for cell in cells].index(name)


def section(cells, name):
    """Cells from one with an id to the next heading."""
    first = index(cells, name)
    rest = [place for place, cell in enumerate(cells) if place > first and seen(cell).startswith("## ")]
    return cells[first : min(rest, default=len(cells))]


def test_words():
    assert words("**Three** words, $x = 1$ | --- | <b>are</b>") == 5


def test_first_come_title_story_picture_and_question(cells):
    title, opening, question, plan = cells[:4]
    assert [cell.id for cell in cells[:4]] == ["title", "opening", "question", "plan"]
    heading, story = title.source.split("\n", 1)
    assert heading.startswith("# ")
    assert 20 <= words(story) <= STORY
    assert not re.search(r"^[-*\d]", story, re.MULTILINE), "a story has no lists"
    assert folded(opening)
    assert called(opening, "opening")
    (picture,) = (output for output in opening.outputs if "image/png" in output.data)
    assert picture.metadata["image/png"]["alt"]
    assert picture.metadata["image/png"]["width"] == 1152
    assert picture.metadata["image/png"]["height"] <= 490
    assert "?" in question.source
    assert words(question.source) <= 50
    assert plan.source.startswith("**In ")


def test_a_lesson_reads_stored_results_and_imports_no_run(cells):
    assert [cell.source for cell in cells if cell.cell_type == "code" and "knnviz_papers" in cell.source] == []


def test_few_words(cells):
    before = [cell for cell in cells[: index(cells, "quiz")] if not called(cell, "explain")]
    assert sum(words(seen(cell)) for cell in before) <= BEFORE_QUIZ
    assert sum(words(seen(cell)) for cell in section(cells, "further")) <= FURTHER


def test_few_sections_and_minutes(cells):
    before = cells[: index(cells, "quiz")]
    numbered = [seen(cell).split(".")[0] for cell in before if re.match(r"## \d\.", seen(cell))]
    assert numbered == [f"## {number}" for number in range(1, len(numbered) + 1)]
    assert 1 <= len(numbered) <= 6
    assert int(re.match(r"\*\*In (\d+) minutes", cells[3].source)[1]) <= 35


def known(cell):
    """What we now know by a cell: a text, or the explanation of a prediction that has it; else nothing."""
    if explained := re.fullmatch(r'explain\("(.+)"\)', cell.source):
        return content.predictions()[explained[1]].known
    return cell.source.partition("**What we now know.**")[2]


def test_a_section_ends_with_what_we_now_know(cells):
    for cell in cells:
        if re.fullmatch(r"s\d", cell.id):
            told = [text for text in map(known, section(cells, cell.id)) if text]
            assert len(told) == 1, cell.id
            assert len(re.findall(r"[.!?](?=\s|$)", told[0])) <= 2, told[0]


def lab_shown(cell):
    """What a cell gives to the lab that it shows; None if it shows none."""
    last = ast.parse(cell.source).body[-1] if cell.cell_type == "code" else None
    call = getattr(last, "value", None)
    is_lab = isinstance(call, ast.Call) and getattr(call.func, "id", "").endswith("Lab")
    return {each.arg: each.value for each in call.keywords} if is_lab else None


def test_a_lab_opens_with_what_its_step_needs(cells):
    labs = {cell.id: lab_shown(cell) for cell in cells[: index(cells, "quiz")] if lab_shown(cell) is not None}
    assert labs
    for name, given in labs.items():
        assert {"controls", "panels", "numbers"} <= given.keys(), name
        assert 2 <= len(given["controls"].elts) <= 5, name
        assert 1 <= len(given["numbers"].elts) <= 4, name


def test_code_is_short_and_formats_nothing(cells):
    for cell in cells:
        if cell.cell_type != "code":
            continue
        tree = list(ast.walk(ast.parse(cell.source)))
        assert not any(isinstance(node, ast.JoinedStr) for node in tree), f"{cell.id} formats text"
        if folded(cell):
            blocks = ("predict", "explain", "theorem", "quiz", "opening")
            assert any(called(cell, block) for block in blocks), cell.id
        else:
            assert len([line for line in cell.source.splitlines() if line.strip()]) <= 10, cell.id


def test_few_tables_and_small_ones(cells):
    tables = [seen(cell) for cell in cells[: index(cells, "quiz")] if called(cell, "table")]
    assert len(tables) <= 3
    for text in tables:
        rows = [line for line in text.splitlines() if line.startswith("|")]
        assert len(rows) <= 6
        assert rows[0].count("|") <= 6


def test_a_quiz_of_five_with_reasons(path):
    quiz = content.quizzes()[path.stem]
    assert len(quiz) == 5
    for each in quiz:
        assert each.answer in each.choices
        assert len(set(each.choices)) == 3
        assert words(each.because) <= 50


def test_the_idea_behind_a_wrong_choice_goes_on_with_the_choice():
    for name, each in content.predictions().items():
        assert each.wrong, name
        for idea in each.wrong.values():
            assert re.fullmatch(r"[a-z]+s [^.<>$*]+", idea), idea
            assert words(idea) <= 18, idea


def test_reasons_of_predictions_are_short():
    assert {name: each.because for name, each in content.predictions().items() if words(each.because) > 40} == {}
