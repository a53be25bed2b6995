"""A lab before its cell is run, when it is run, after the page is loaded anew, and when its kernel has gone."""

from playwright.sync_api import expect
from session import NOTEBOOK, Session

COMPLETE = "image => image.complete && image.naturalWidth >= 900"

#: What a reader sees below a saved picture whose kernel has gone: the text itself, if it has a size, and what follows.
SEEN = """output => [
  parseFloat(getComputedStyle(output).fontSize) > 0 ? output.textContent : '',
  getComputedStyle(output, '::after').content,
]"""
PAINTED = """canvas => {
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  return new Set(new Uint32Array(data.buffer)).size;
}"""


def shows_its_saved_pictures(session, count=1):
    """Whether cells look like figures: their pictures, no live parts, and nothing that reads like a failure."""
    expect(session.saved_pictures).to_have_count(count)
    for image in session.saved_pictures.all():
        expect(image).to_be_visible()
        assert image.evaluate(COMPLETE)
        assert image.bounding_box()["width"] > 450
    assert session.page.locator(".knnviz-lab").count() == 0
    assert session.page.locator("[data-mime-type='application/vnd.jupyter.stderr']").count() == 0


def is_live(session, picture=0):
    """Whether the lab stands in place of its picture, and follows the keyboard."""
    session.until_true("({ k }) => k > 0")
    session.idle()
    expect(session.saved_pictures.nth(picture)).to_be_hidden()
    assert session.page.locator(".knnviz-figure").count() == 1
    expect(session.canvas).to_be_visible()
    assert session.canvas.evaluate(PAINTED) > 20
    k = session.state["k"]
    session.slider("neighbors k").press("ArrowRight")
    session.until(k=k + 1)
    assert session.message == ""


def test_opened_run_and_left_by_its_kernel(session):
    session.open(NOTEBOOK)
    shows_its_saved_pictures(session, count=3)
    outputs = session.page.locator(".jp-OutputArea-output")
    assert [text for text in outputs.all_inner_texts() if "rror" in text or "not found" in text] == []
    session.screenshot("saved-picture")
    session.run("opening", "lab1")
    is_live(session, picture=1)
    saved = session.page.get_by_text("This is a saved picture. To use the lab, run this cell.").first
    expect(saved).to_be_hidden()
    session.save()
    session.reload()
    expect(saved).to_be_visible()
    session.run("opening", "lab1")
    session.figure.wait_for()
    session.expect("Canceled future")
    session.ask_kernel("restart()")
    expect(session.page.locator(".knnviz-lab .knnviz-dead")).to_contain_text("run this cell again")
    session.screenshot("restarted")


#: A notebook of one's own, all of whose cells were run, so that JupyterLab trusts what they show.
CELLS = (
    "from knnviz.labs import NeighborLab\nfrom knnviz.lessons import predict\n\nlab = NeighborLab()\nlab",
    "predict('noisy-labels')",
)


def test_loaded_anew_it_goes_on_and_without_its_kernel_it_says_what_to_do(server, context, session):
    session.write("own.ipynb", *CELLS)
    session.open("own.ipynb")
    session.run_all()
    session.evaluate("lab.set(k=40, p1=0.2)")
    session.until(k=40, p1=0.2)
    session.page.get_by_label("More votes: a larger k").first.wait_for()
    session.save()
    session.reload()
    session.figure.wait_for()
    session.until(k=40, p1=0.2)
    is_live(session)
    assert session.evaluate("print(lab.k)").strip() == "41"
    session.screenshot("loaded-anew")
    session.page.evaluate("() => window.jupyterapp.shell.currentWidget.sessionContext.shutdown()")
    returned = Session(server, context, session.screenshots)
    returned.expect("model not found")
    returned.open("own.ipynb")
    shows_its_saved_pictures(returned)
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
