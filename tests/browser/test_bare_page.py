"""The widgets of a lesson on a page with nothing of JupyterLab: picture, question, and answer."""

from base64 import b64encode

import pytest

from knnviz.labs import NeighborLab
from knnviz.lessons import content, predict
from knnviz.lessons.card import Card

#: Shows a widget of this source and state, and stands in for its model: what the page ``said``
#: waits there, ``hear`` takes a message for the page, and ``change`` a new value.
SHOW = """async ([source, state]) => {
  const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  const { default: module } = await import(url);
  const { initialize, render } = typeof module === "function" ? await module() : module;
  const heard = {};
  const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const views = (buffers) => buffers.map((each) => new DataView(bytes(each).buffer));
  if (state.whole) state.whole[1] = views(state.whole[1]);
  const model = {
    get: (name) => state[name],
    on: (name, call) => (heard[name] ??= []).push(call),
    send: (said) => window.said.push(said),
  };
  window.said = [];
  window.hear = ([said, buffers]) => {
    heard["msg:custom"].forEach((call) => call(said, views(buffers)));
  };
  window.change = ([name, value]) => {
    state[name] = value;
    heard[`change:${name}`].forEach((call) => call());
  };
  if (initialize) initialize({ model });
  render({ model, el: document.body });
}"""


@pytest.fixture
def bare(browser):
    """An empty page, on which there may be no error."""
    page = browser.new_page(viewport={"width": 1400, "height": 900})
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.set_content("<!doctype html><title>bare</title>")
    yield page
    page.close()
    assert errors == []


def said(page):
    """What the page has said since."""
    return page.evaluate("() => window.said.splice(0)")


def as_text(message, buffers):
    """A message whose buffers are letters."""
    return [message, [b64encode(each).decode() for each in buffers]]


def test_a_lab_draws_and_answers(bare):
    widget = NeighborLab(n=200, k=9).widget
    sent = []
    widget.send = lambda *frame: sent.append(as_text(*frame))
    bare.evaluate(SHOW, [widget._esm, {"whole": as_text(*widget._whole())}])
    bare.wait_for_function("() => document.querySelector('.knnviz-figure').dataset.state")

    bare.get_by_label("neighbors k", exact=True).press("Home")
    for message in said(bare):
        widget._receive(widget, message)
    for frame in sent:
        bare.evaluate("(frame) => window.hear(frame)", frame)
    bare.wait_for_function(
        "() => JSON.parse(document.querySelector('.knnviz-figure').dataset.state).k === 1"
    )
    widget.lab.close()


def test_a_question_is_answered(bare):
    predict("noisy-labels")
    card = Card.live["prediction noisy-labels"]
    state = {name: getattr(card, name) for name in ("questions", "buttons", "revealed")}
    bare.evaluate(SHOW, [card._esm, state])
    answer = content.predictions()["noisy-labels"].answer
    bare.get_by_label(answer).check()
    bare.get_by_role("button", name="Record my prediction").click()
    for message in said(bare):
        card._answer(**message)
    bare.evaluate("(change) => window.change(change)", ["revealed", card.revealed])
    bare.get_by_text("Recorded. Now try it below.").wait_for()
