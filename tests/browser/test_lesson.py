"""A lesson as a student uses it: pictures, labs and steps, questions, exercises, a page that is
loaded anew.
"""

import json

import pytest
from knobs import has_all
from playwright.sync_api import expect
from session import NOTEBOOK

from knnviz.lessons import content

CARD = ".knnviz-question"


def cell(lesson, name):
    """The cell with an id, scrolled into view."""
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


def test_a_lesson_from_its_first_look_to_a_kernel_that_is_gone(session):
    session.open(NOTEBOOK)
    shows_pictures_and_choices(session)
    session.run("opening", "p1", "lab1", "e1", "five", "check", "flipped", "answers")
    session.until_true("({ k }) => k > 0")
    expect(session.page.locator(".Toastify__toast, .jp-Dialog")).to_have_count(0)
    expect(session.saved_pictures.nth(1)).to_be_hidden()
    a_prediction_by_keyboard_and_a_step_open_the_explanation(session)
    a_quiz_gives_a_hint(session)
    an_exercise_goes_from_stub_to_solution(session)
    with session.page.expect_download() as download:
        cell(session, "answers").get_by_role("button", name="Download my answers").click()
    answers = json.loads(download.value.path().read_text("utf-8"))
    assert answers["exercises"]["flipped"] == "correct"
    a_kernel_that_is_gone_is_told(session)


def shows_pictures_and_choices(lesson):
    """Before any cell is run."""
    expect(lesson.saved_pictures).to_have_count(3)
    for image in lesson.saved_pictures.all():
        assert image.evaluate("image => image.complete && image.naturalWidth >= 900")
    outputs = lesson.page.locator(".jp-OutputArea-output")
    assert [
        text for text in outputs.all_inner_texts() if "rror" in text or "not found" in text
    ] == []
    asked = cell(lesson, "p1")
    asked.get_by_text("It breaks into islands").first.wait_for()
    assert asked.locator(CARD).count() == 0


def a_prediction_by_keyboard_and_a_step_open_the_explanation(lesson):
    card = cell(lesson, "p1").locator(CARD)
    card.get_by_role("radio").first.focus()
    for key in ("ArrowDown", "ArrowUp", "Tab", "Enter"):
        lesson.page.keyboard.press(key)
    verdict = card.get_by_role("status")
    expect(verdict).to_contain_text("Recorded.")
    assert verdict.evaluate("each => each === document.activeElement"), (
        "the next Tab goes on from here"
    )
    assert card.get_by_role("radio").first.is_disabled()
    explained = lesson.page.locator(CARD).nth(1).get_by_role("status")
    expect(explained).to_contain_text("Do the first step of the lab above")
    cell(lesson, "lab1").get_by_role("button", name="Do it for me").first.click()
    expect(explained).to_contain_text("each point alone decides the area around it")
    assert explained.get_attribute("aria-live") == "off", (
        "a screen reader does not read out the answer before the finding"
    )
    before = explained.inner_text()
    lesson.run("p1", "e1")
    expect(explained).to_contain_text("each point alone decides the area around it")
    assert explained.inner_text() == before


def a_quiz_gives_a_hint(lesson):
    card = cell(lesson, "check").locator(CARD).nth(0)
    asked = content.quizzes()["00-check"][0]
    (first, hint), _ = asked.wrong.items()
    card.get_by_label(first).check()
    card.get_by_role("button", name="Check").click()
    expect(card.get_by_role("status")).to_contain_text(hint)
    assert lesson.violations(CARD) == ""


def an_exercise_goes_from_stub_to_solution(lesson):
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


def a_kernel_that_is_gone_is_told(lesson):
    """By cards and by labs, which keep what they show."""
    lesson.expect("Canceled future")
    lesson.ask_kernel("restart()")
    unanswered = cell(lesson, "check").locator(CARD).nth(1)
    expect(unanswered.get_by_role("alert")).to_contain_text("run this cell again")
    answer = content.quizzes()["00-check"][1].answer
    expect(unanswered.get_by_label(answer)).to_be_disabled()
    expect(cell(lesson, "p1").locator(CARD).get_by_role("status")).to_contain_text("Recorded.")
    expect(
        cell(lesson, "answers").get_by_role("button", name="run this cell again")
    ).to_be_disabled()
    expect(cell(lesson, "lab1").locator(".knnviz-dead")).to_contain_text("run this cell again")


#: How far down the notebook is.
DOWN = "document.querySelector('.jp-WindowedPanel-outer').scrollTop"

#: A first cell that waits a while before it shows anything.
OPENING = """import time
from pathlib import Path
from knnviz.lessons import opening

while not Path("{gone}").exists():
    time.sleep(0.01)
opening("start_here", cover=True)"""


def test_all_cells_run_from_the_top_unless_the_reader_has_gone_elsewhere(session, tmp_path):
    long = "pass\n" * 60
    gone = tmp_path / "gone"
    session.write("long.ipynb", OPENING.format(gone=gone), *[long] * 3)
    session.open("long.ipynb")
    page = session.page
    notebook = "window.jupyterapp.shell.currentWidget.content"
    for leaves in (False, True):
        gone.unlink(missing_ok=True)
        session.command("notebook:run-all-cells")
        page.wait_for_function(f"() => {DOWN} > 1500")
        if leaves:
            page.evaluate(f"() => {{ {DOWN} = 1000; }}")
        gone.touch()
        session.idle()
        page.get_by_text("Show the picture").wait_for(state="attached")
        if leaves:
            assert page.evaluate(DOWN) > 500
        else:
            page.wait_for_function(f"() => {DOWN} === 0 && {notebook}.activeCellIndex === 0")
            shows_a_picture_that_was_covered(session)


def shows_a_picture_that_was_covered(lesson):
    said = lesson.page.get_by_role("img", name="A scan of a handwritten digit")
    expect(said).to_have_count(0)
    lesson.page.get_by_text("Which digit is it?").press("Enter")
    expect(said).to_have_count(1)
    expect(lesson.page.get_by_text("Show the picture")).to_be_hidden()


STEPPED = """controls=["k", "n"], panels=["map", "votes"], numbers=["risk"], steps=[
    dict(do="Drag *neighbors k* to 1.", see="Islands everywhere.", set={"k": 1}),
    dict(do="Take 200 votes.", see="A {ball of k neighbors|wide circle}, {no ring}.",
        set={"k": 200}, ghost=True),
    dict(do="Take 200 votes from 2000.", see="A small circle.", set={"k": 200, "n": 2000}),
]"""

#: Notes each k of which a picture is drawn.
WATCH = """() => {
  window.seen = [];
  const figure = document.querySelector('.knnviz-figure');
  const note = () => window.seen.push(JSON.parse(figure.dataset.state).k);
  new MutationObserver(note).observe(figure, { attributes: true });
}"""


#: A hand at a slider, which takes it to its end once the picture has passed k = 10: in the page,
#: since a step may have come to its end before word of it is here.
STOPPING = """slider => {
  const look = () => {
    const { state } = document.querySelector('.knnviz-figure').dataset;
    if (JSON.parse(state).k <= 10) {
      requestAnimationFrame(look);
      return;
    }
    slider.value = slider.min;
    slider.dispatchEvent(new Event('input', { bubbles: true }));
    window.stopped = true;
  };
  look();
}"""


def test_steps_by_hand_by_keys_and_all_at_once(lab):
    """A step goes the way of a hand, and a hand stops it; the next one takes its place."""
    lab.stand("NeighborLab", f"n=500, {STEPPED}")
    lab.settle()
    page = lab.page
    strip = page.locator(".knnviz-strip")
    go = page.get_by_role("button", name="Do it for me")
    on = page.get_by_role("button", name="Next step")
    ticks = page.get_by_role("button", name="done")

    def told(text):
        return page.get_by_role("status").filter(has_text=text)

    height = strip.bounding_box()["height"]
    # A kernel that is late has the hand wait, a page that has the frames has not.
    lab.slider("neighbors k").focus()
    has_all(lab, "k")
    page.evaluate(WATCH)
    go.press("Enter")
    lab.until(k=1)
    expect(told("Islands everywhere.")).to_be_visible()
    expect(on).to_be_focused()
    seen = page.evaluate("window.seen")
    assert len(set(seen)) > 2, "frames between"
    assert seen == sorted(seen, reverse=True)
    on.press("Enter")
    expect(go).to_be_focused()
    expect(told("Islands everywhere.")).to_be_hidden()
    lab.slider("neighbors k").evaluate(STOPPING)
    go.press("Enter")
    page.wait_for_function("window.stopped")
    lab.until(k=1)
    page.wait_for_timeout(1200)
    assert lab.state["k"] == 1
    page.get_by_role("button", name="Step 2").click()
    expect(told("A wide circle")).to_have_count(0)
    lab.pull("neighbors k", 1)
    expect(told("A wide circle, no ring.")).to_be_visible()
    expect(told("A wide circle, no ring.").locator(".knnviz-drawn")).to_have_text(["wide circle"])
    lab.press("neighbors k", "ArrowLeft")
    lab.until(k=199)
    assert strip.bounding_box()["height"] == height
    page.get_by_role("button", name="Show all").press("Space")
    for text in ("Islands everywhere.", "A wide circle", "A small circle."):
        expect(told(text)).to_be_visible()
    expect(ticks).to_have_count(2)
    page.get_by_role("button", name="Show all").press("Space")
    page.get_by_role("button", name="Step 3").click()
    go.click()
    lab.until(k=200, n=2000)
    expect(ticks).to_have_count(3)
    expect(told("A wide circle")).to_be_hidden()
    assert lab.violations(".knnviz-strip") == ""


def test_a_hand_that_comes_near_is_taken_to_the_values_of_the_step(lab):
    step = "dict(do='Raise it.', see='The {ball of k neighbors|ball}.', set={'p1': 0.3})"
    lab.stand("NeighborLab", f"n=200, p1=0.2, controls=['p1'], panels=['map'], steps=[{step}]")
    lab.settle()
    lab.pull("flip rate of class 1 p1", 0.31)
    lab.until(p1=0.3)
    expect(lab.page.get_by_role("status").filter(has_text="The ball.")).to_be_visible()
    lab.press("flip rate of class 1 p1", "ArrowRight")
    lab.until(p1=0.31)


#: Watch for a finding that is seen before the picture of its step.
FINDING_COMES = """k => {
  window.tooEarly = 0;
  const [said] = document.querySelectorAll('.knnviz-open p');
  const watch = () => {
    if (!said.isConnected) return;
    const { dataset } = document.querySelector('.knnviz-figure');
    const isThere = JSON.parse(dataset.state).k === k;
    window.tooEarly += said.checkVisibility() && said.textContent !== '' && !isThere;
    requestAnimationFrame(watch);
  };
  watch();
}"""


def test_a_finding_comes_with_its_picture_however_often_a_slow_lab_is_asked(lab):
    step = "dict(do='Take one vote.', see='Islands.', set={'k': 1, 'n': 300})"
    lab.stand("NeighborLab", f"n=200, k=5, controls=['k', 'n'], panels=['map'], steps=[{step}]")
    lab.settle()
    lab.page.evaluate(FINDING_COMES, 1)
    lab.begin("import time; time.sleep(2)")
    for _ in range(2):
        lab.page.get_by_role("button", name="Do it for me").click()
    lab.until(k=1, n=300)
    expect(lab.page.get_by_role("status").filter(has_text="Islands.")).to_be_visible()
    assert lab.page.evaluate("window.tooEarly") == 0


#: Drops the next message of the page that has a choice in it.
LOSE_ONE = """() => {
  const send = WebSocket.prototype.send;
  WebSocket.prototype.send = function (data) {
    const text = typeof data === 'string' ? data : new TextDecoder().decode(data);
    if (!text.includes('"choice"')) return send.call(this, data);
    WebSocket.prototype.send = send;
  };
}"""


#: A cell that asks a question.
PREDICTION = "from knnviz.lessons import predict\npredict('noisy-labels')"


@pytest.mark.full
def test_a_choice_that_is_lost_on_its_way_is_sent_again(session):
    session.write("lost.ipynb", PREDICTION)
    session.open("lost.ipynb")
    session.command("notebook:run-all-cells")
    card = session.page.locator(CARD)
    card.get_by_role("radio").first.check()
    session.page.evaluate(LOSE_ONE)
    card.get_by_role("button", name="Record my prediction").click()
    expect(card.get_by_role("status")).to_contain_text("Recorded.")
    expect(card.get_by_text("The kernel has not answered yet.")).to_be_hidden()


def end_kernel(lesson):
    lesson.page.evaluate("() => window.jupyterapp.shell.currentWidget.sessionContext.shutdown()")


@pytest.mark.full
def test_a_lab_that_was_saved_alive_shows_its_picture_once_its_kernel_is_gone(session):
    session.write("alive.ipynb", "from knnviz.labs import NeighborLab\nlab = NeighborLab()\nlab")
    session.open("alive.ipynb")
    session.run_all()
    session.settle()
    save_state = "@jupyter-widgets/jupyterlab-manager:saveWidgetState"
    session.page.evaluate("name => window.jupyterapp.commands.execute(name)", save_state)
    session.save()
    end_kernel(session)
    session.open("alive.ipynb")
    expect(session.page.get_by_text("To use this live, run the cell again.")).to_be_visible()
    expect(session.saved_pictures).to_be_visible()
    assert session.page.locator(".knnviz-lab").count() == 0


#: A lab whose second step keeps the curve of the first.
CURVED = """from knnviz.labs import NeighborLab
from knnviz.problems import Resolution

coarse = Resolution(map_cells=(200, 24), integral_cells=(400, 40), repeats=2)
shown = dict(controls=["k", "n"], panels=["map", "risk"])
lab = NeighborLab(n=400, curve="over k", resolution=coarse, **shown, steps=[
    dict(do="Take one vote.", see="Ragged.", set={"k": 1}),
    dict(do="Take 200.", see="Smooth.", set={"k": 200, "n": 800}, ghost=True),
])
lab"""

#: A notebook of one's own, all of whose cells were run, so that JupyterLab trusts what they show.
OWN = (CURVED, PREDICTION)

#: What a reader sees below a saved picture whose kernel has gone: the text itself, if it has a
#: size, and what follows.
SEEN = """output => [
  parseFloat(getComputedStyle(output).fontSize) > 0 ? output.textContent : '',
  getComputedStyle(output, '::after').content,
]"""


def test_loaded_anew_it_goes_on_and_without_its_kernel_it_says_what_to_do(session):
    """What was done, and the curves before, outlive the reload."""
    session.write("own.ipynb", *OWN)
    session.open("own.ipynb")
    session.run_all()
    session.settle()
    page = session.page
    for number in (1, 2):
        page.get_by_role("button", name=f"Step {number}").click()
        page.get_by_role("button", name="Do it for me").click()
    session.until(k=200, n=800)
    session.settle()
    expect(page.get_by_role("button", name="done")).to_have_count(2)
    before = session.canvas.evaluate("canvas => canvas.toDataURL()")
    page.locator(CARD).wait_for()
    session.save()
    session.reload()
    session.until(k=200, n=800)
    expect(page.get_by_role("button", name="done")).to_have_count(2)
    page.wait_for_function(
        "before => document.querySelector('.knnviz-figure canvas').toDataURL() === before",
        arg=before,
    )
    session.slider("neighbors k").press("ArrowLeft")
    session.until(k=199)
    assert session.evaluate("print(lab.k)").strip() == "199"
    end_kernel(session)
    session.expect("model not found")
    session.open("own.ipynb")
    expect(session.saved_pictures).to_be_visible()
    assert page.locator(".knnviz-lab").count() == 0
    dead = page.locator(".jp-OutputArea-output.jupyter-widgets")
    expect(dead).to_have_count(2)
    for each in dead.all():
        text, advice = each.evaluate(SEEN)
        assert text == ""
        assert "To use this live, run the cell again." in advice
