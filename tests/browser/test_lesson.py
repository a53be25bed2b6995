"""A lesson as a student uses it: pictures, labs and steps, questions, exercises, a page that is loaded anew."""

import json
import re

import pytest
from playwright.sync_api import expect
from session import NOTEBOOK, Session

CARD = ".knnviz-question"


@pytest.fixture(scope="module")
def lesson(server, context, screenshots):
    """The first lesson, on one page for all of its readers: each takes up another part of it."""
    session = Session(server, context, screenshots)
    session.open(NOTEBOOK)
    yield session
    session.close()
    assert session.errors == []


def cell(lesson, name):
    """The cell with an id, scrolled into view."""
    lesson.page.bring_to_front()
    lesson.page.evaluate(
        """async (name) => {
          const notebook = window.jupyterapp.shell.currentWidget.content;
          const index = notebook.widgets.findIndex((each) => each.model.id === name);
          notebook.activeCellIndex = index;
          await notebook.scrollToItem(index, 'start');
        }""",
        name,
    )
    found = lesson.page.locator(".jp-Cell.jp-mod-active")
    found.wait_for()
    return found


def test_opened_but_not_run_it_shows_pictures_and_choices(lesson):
    expect(lesson.saved_pictures).to_have_count(3)
    for image in lesson.saved_pictures.all():
        assert image.evaluate("image => image.complete && image.naturalWidth >= 900")
    outputs = lesson.page.locator(".jp-OutputArea-output")
    assert [text for text in outputs.all_inner_texts() if "rror" in text or "not found" in text] == []
    asked = cell(lesson, "p1")
    asked.get_by_text("It breaks into islands").first.wait_for()
    assert asked.locator(CARD).count() == 0
    lesson.screenshot("not-run")
    lesson.run("opening", "p1", "lab1", "five", "quiz", "flipped", "answers")
    lesson.until_true("({ k }) => k > 0")
    expect(lesson.saved_pictures.nth(1)).to_be_hidden()


def test_a_quiz_marks_an_answer_and_gives_the_reason(lesson):
    cards = cell(lesson, "quiz").locator(CARD)
    other, card = cards.nth(0), cards.nth(1)
    card.get_by_label("Ties become more frequent").check()
    card.get_by_role("button", name="Check").click()
    expect(card.get_by_role("status")).to_contain_text("Not quite. You said: Ties become more frequent")
    expect(card.get_by_role("status")).to_contain_text("they average over a large area")
    assert lesson.violations(CARD) == ""
    expect(other.get_by_role("status")).to_be_empty()
    lesson.screenshot("quiz")


def test_an_exercise_from_stub_to_solution_and_the_answers(lesson):
    exercise = cell(lesson, "flipped")
    assert "not attempted" in exercise.inner_text()
    for code, said in (
        ("flipped = (observed != sample.y).mean()", "cannot flip here"),
        ("flipped = (observed[sample.y == 1] == 0).mean()", "Exercise flipped: correct."),
    ):
        exercise.locator(".cm-content").click()
        lesson.page.keyboard.press("Control+a")
        lesson.page.keyboard.insert_text(f'{code}\n\ncheck("flipped", flipped)')
        lesson.page.keyboard.press("Control+Enter")
        exercise.get_by_role("status").filter(has_text=said).wait_for()
    assert lesson.violations(".jp-OutputArea-output:has([role=status])") == ""
    answers = cell(lesson, "answers")
    with lesson.page.expect_download() as download:
        answers.get_by_role("button", name="Download my answers").click()
    assert json.loads(download.value.path().read_text())["exercises"]["flipped"] == "correct"


def test_a_card_and_a_lab_whose_kernel_is_gone_say_so_and_keep_what_they_show(lesson):
    lesson.expect("Canceled future")
    card = cell(lesson, "p1").locator(CARD)
    card.get_by_role("radio").first.check()
    card.get_by_role("button", name="Record my prediction").click()
    expect(card.get_by_role("status")).to_contain_text("Recorded.")
    lesson.ask_kernel("restart()")
    expect(card.get_by_role("alert")).to_contain_text("run this cell again", timeout=20_000)
    expect(card.get_by_role("status")).to_contain_text("Recorded.")
    unanswered = cell(lesson, "quiz").locator(CARD).first
    expect(unanswered.get_by_role("alert")).to_contain_text("run this cell again")
    expect(unanswered.get_by_label("The class of its nearest neighbor")).to_be_disabled()
    expect(cell(lesson, "answers").get_by_role("button", name="run this cell again")).to_be_disabled()
    expect(cell(lesson, "lab1").locator(".knnviz-dead")).to_contain_text("run this cell again")
    lesson.screenshot("kernel-gone")


#: A prediction with its explanation, and another one.
CELLS = (
    "from knnviz.lessons import explain, predict\n\npredict('one-neighbor')",
    "explain('one-neighbor')",
    "predict('no-scaling')",
    "explain('no-scaling')",
)


def test_a_prediction_by_keyboard_opens_its_explanation(session):
    session.write("asked.ipynb", *CELLS)
    session.open("asked.ipynb")
    session.command("notebook:run-all-cells")
    keyboard, cards = session.page.keyboard, session.page.locator(CARD)
    expect(cards).to_have_count(4)
    card, explanation, other, other_explanation = cards.all()
    card.get_by_role("radio").first.focus()
    for key in ("ArrowDown", "ArrowUp", "Tab", "Enter"):
        keyboard.press(key)
    verdict, told = card.get_by_role("status"), explanation.get_by_role("status")
    expect(verdict).to_contain_text("Recorded.")
    assert verdict.evaluate("each => each === document.activeElement"), "the next Tab goes on from here"
    assert card.get_by_role("radio").first.is_disabled()
    expect(told).to_contain_text("In the limit it errs with probability 0.375.")
    assert told.get_attribute("aria-live") == "off", "a screen reader does not read out the answer before the lab"
    expect(other_explanation.get_by_role("status")).to_be_empty()
    other_explanation.get_by_role("button", name="Show the answer").focus()
    keyboard.press("Enter")
    expect(other_explanation.get_by_role("status")).to_contain_text("You recorded no prediction.")
    expect(other_explanation.get_by_role("status")).to_be_focused()
    expect(other.get_by_role("status")).to_contain_text("You have seen the answer below")
    assert session.violations(CARD) == ""
    before = explanation.inner_text()
    session.command("notebook:run-all-cells")
    session.idle()
    expect(cards.nth(1)).to_have_text(re.compile("drawn by chance"))
    assert cards.nth(1).inner_text() == before


STEPPED = """controls=["k", "n"], panels=["map", "votes"], numbers=["risk"], steps=[
    Step("Drag *neighbors k* to 1.", "Islands everywhere.", {"k": 1}),
    Step("Take 200 votes.", "A wide circle.", {"k": 200}, ghost=True),
    Step("Take 200 votes from 2000 points.", "A small circle.", {"k": 200, "n": 2000}),
]"""

#: Notes each k of which a picture is drawn.
WATCH = """() => {
  window.seen = [];
  const figure = document.querySelector('.knnviz-figure');
  const note = () => window.seen.push(JSON.parse(figure.dataset.state).k);
  new MutationObserver(note).observe(figure, { attributes: true });
}"""


def test_steps_by_hand_by_keys_and_all_at_once(lab):
    """A step goes the way of a hand, and a hand stops it."""
    lab.evaluate("from knnviz.labs.engine import Step")
    lab.stand("NeighborLab", f"n=500, {STEPPED}")
    lab.settle()
    rows, page = lab.page.locator(".knnviz-steps li"), lab.page

    def told(at):
        return rows.nth(at).get_by_role("status").first

    expect(told(0)).to_be_empty()
    page.evaluate(WATCH)
    rows.nth(0).get_by_role("button").press("Enter")
    lab.until(k=1)
    expect(told(0)).to_contain_text("Islands everywhere.")
    seen = page.evaluate("window.seen")
    assert len(set(seen)) > 2, "frames between"
    assert seen == sorted(seen, reverse=True)
    rows.nth(1).get_by_role("button").click()
    lab.until_true("state => state.k > 10")
    lab.slider("neighbors k").press("Home")
    lab.until(k=1)
    page.wait_for_timeout(1200)
    assert lab.state["k"] == 1
    expect(told(1)).to_be_empty()
    lab.drag("neighbors k", 1)
    expect(told(1)).to_contain_text("A wide circle.")
    lab.press("neighbors k", "ArrowLeft")
    lab.until(k=199)
    page.get_by_role("button", name="Show all").press("Space")
    expect(told(0)).to_contain_text("Islands everywhere.")
    assert not rows.nth(2).get_by_role("img", name="done").is_visible()
    rows.nth(2).get_by_role("button").click()
    lab.until(k=200, n=2000)
    expect(told(2)).to_contain_text("A small circle.")
    rows.nth(2).get_by_role("img", name="done").wait_for()
    assert lab.violations(".knnviz-steps") == ""


#: A notebook of one's own, all of whose cells were run, so that JupyterLab trusts what they show.
OWN = (
    "from knnviz.labs import NeighborLab\nfrom knnviz.lessons import predict\n\nlab = NeighborLab()\nlab",
    "predict('noisy-labels')",
)

#: What a reader sees below a saved picture whose kernel has gone: the text itself, if it has a size, and what follows.
SEEN = """output => [
  parseFloat(getComputedStyle(output).fontSize) > 0 ? output.textContent : '',
  getComputedStyle(output, '::after').content,
]"""


def test_loaded_anew_it_goes_on_and_without_its_kernel_it_says_what_to_do(server, context, session):
    session.write("own.ipynb", *OWN)
    session.open("own.ipynb")
    session.run_all()
    session.evaluate("lab.set(k=40, p1=0.2)")
    session.until(k=40, p1=0.2)
    session.page.get_by_label("More votes: a larger k").first.wait_for()
    session.save()
    session.reload()
    session.until(k=40, p1=0.2)
    session.slider("neighbors k").press("ArrowRight")
    session.until(k=41)
    assert session.evaluate("print(lab.k)").strip() == "41"
    session.page.evaluate("() => window.jupyterapp.shell.currentWidget.sessionContext.shutdown()")
    returned = Session(server, context, session.screenshots)
    returned.expect("model not found")
    returned.open("own.ipynb")
    expect(returned.saved_pictures).to_be_visible()
    assert returned.page.locator(".knnviz-lab").count() == 0
    dead = returned.page.locator(".jp-OutputArea-output.jupyter-widgets")
    expect(dead).to_have_count(2)
    for each in dead.all():
        assert each.evaluate(SEEN) == [
            "",
            '"To use this live, run the cell again. If that does not help, reload the page."',
        ]
    dead.first.scroll_into_view_if_needed()
    returned.screenshot("returned")
    returned.close()
    assert returned.errors == []
