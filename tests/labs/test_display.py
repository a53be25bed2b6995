"""Labs in cells, in saved notebooks and on new pages: which stay, and which cannot be shown."""

from errno import ENOTSOCK

import numpy as np
import pandas as pd
import pytest
from anywidget import AnyWidget
from ipywidgets.widgets.widget import _instances
from random_moves import near, page, sliders
from recipes import Sums
from recorded import same_picture
from small import SMALL, STARTS
from zmq import ZMQError

from knnviz import from_data
from knnviz.labs import NeighborLab
from knnviz.labs.engine import display
from knnviz.labs.engine.widget import LabWidget
from knnviz.views import static


@pytest.fixture
def cells(monkeypatch):
    monkeypatch.setattr(display, "publish_live", lambda *_: None)
    monkeypatch.setattr(display, "publish_picture", lambda *_: None)

    def show(lab, cell, run):
        with monkeypatch.context() as running:
            running.setattr(display, "running_cell", lambda: (cell, run))
            display.display(lab)

    return show


def test_one_cell_keeps_one_lab(cells):
    labs = [Sums() for _ in range(6)]
    for number, each in enumerate(labs):
        cells(each, "a", number)
        if number == 1:
            widgets = len(_instances)
    assert len(_instances) == widgets, "closed labs leave widgets behind"
    assert [each.view is None for each in labs] == [True] * 5 + [False]
    cells(labs[-1], "a", 6)
    assert labs[-1].view is not None


def test_labs_of_one_run_and_labs_shown_elsewhere_stay(cells):
    labs = [Sums() for _ in range(4)]
    first, second, third, fourth = labs
    for lab in (first, second, third):
        cells(lab, "a", 1)
    cells(third, "b", 2)
    cells(fourth, "a", 3)
    assert [lab.view is None for lab in labs] == [True, True, False, False]


def test_marimo_gets_a_widget_that_its_pages_still_hear():
    lab = NeighborLab(n=60, resolution=SMALL)
    widget = lab._display_()
    assert lab._display_() is widget is lab.widget
    # As marimo does before it runs the cell again.
    widget.comm.close()
    assert lab._display_() is lab.widget is not widget
    lab.close()


def test_a_setting_that_cannot_be_shown_leaves_the_last_picture_and_recovers(monkeypatch):
    published = []
    monkeypatch.setattr(display, "publish_live", lambda _, words: published.append(words))
    cannot = "This setting cannot be shown: division by zero."
    lab = Sums()
    with monkeypatch.context() as broken:
        broken.setattr(Sums, "recipe", lambda *_: 1 / 0)
        display.display(lab)
        assert published == [""]
        assert page(lab).message == cannot

    page(lab).move(small=1)
    shown = page(lab).drawn
    assert (shown["small"], page(lab).message) == (1, "")

    def interrupted(*_):
        raise KeyboardInterrupt

    was_interrupted = "The computation was interrupted: the picture is that of the last setting."
    for recipe, message in ((lambda *_: 1 / 0, cannot), (interrupted, was_interrupted)):
        with monkeypatch.context() as broken:
            broken.setattr(Sums, "recipe", recipe)
            page(lab).move(small=3)
        assert (page(lab).message, page(lab).drawn) == (message, shown)
        assert page(lab).values["small"] == 3
        page(lab).move(small=1)
    assert lab.lock.acquire(timeout=1)
    lab.lock.release()


#: A lab of which one panel is drawn.
OPENED = STARTS[NeighborLab] | {"panels": ["map"]}


@pytest.fixture
def faced():
    lab = NeighborLab(**OPENED)
    yield lab
    lab.close()


def test_labs_of_a_page_are_put_down_and_taken_up_again(faced):
    """Only the one moved last holds what it was computed from; all show the same as before."""
    other = NeighborLab(**OPENED)
    name = sliders(faced)[0]
    page(other)
    for turn in range(2):
        page(faced).move(**{name: near(faced, name)[turn]})
        faced.readout()
        words = faced.alt
        calls = len(faced.memo.calls)
        page(other).move(**{name: near(other, name)[0]})
        assert len(faced.memo.calls) < calls
        assert faced.alt == words
        assert faced.panel("votes").layers, "a panel that was not drawn is made again"
        page(faced).step("pick", "map", 0.5, 0.5, None, 0)
        assert "wrong" not in page(faced).message
        same_picture(faced, NeighborLab(**OPENED | faced.values))
    other.close()


def test_a_page_that_appears_is_told_the_whole_and_a_message_that_comes_twice_is_taken_once(faced):
    client = page(faced)
    widget = client.widget
    name = sliders(faced)[0]
    client.move(**{name: near(faced, name)[0]})
    faced.show_preset(faced.presets[-1].name).readout()
    whole = faced.view.frames.whole()
    of_its_own = {"layers": None, "ask": False, "base": None}
    assert client.state | of_its_own == whole | of_its_own
    assert whole["layers"].keys() == client.shown["layers"].keys(), "not those shown before"

    client.frames.clear()
    widget._receive(widget, {"page": "other", "hello": whole["number"]})
    assert not client.frames
    widget._receive(widget, {"page": "other", "hello": -1})
    assert client.frames[-1]["controls"] == whole["controls"]

    before = faced.seed
    for _ in range(2):
        widget._receive(widget, {"page": "third", "seq": 1, "steps": [["act", "New sample"]]})
        assert faced.seed == before + 1


def test_a_picture_is_saved_with_the_notebook(monkeypatch):
    published = []
    lab = Sums(panels=["sum"])
    monkeypatch.setattr(display, "publish_still", lambda *given: published.append(given))
    monkeypatch.setattr(display, "publish_live", lambda *given: published.append(given))
    display.display(lab)

    (images, metadata, hint), (model, words) = published
    assert images["image/png"].startswith(b"\x89PNG")
    assert lab.numbers_text() in metadata["image/png"]["alt"]
    assert (model, words, hint) == (lab.view.model_id, "", display.SAVED)


X = np.random.default_rng(0).normal(size=(60, 2))


@pytest.mark.parametrize(
    "name", [r"$\frac{", "<img src=x onerror=alert(1)>", "x" * 5000, "two\nlines\x00\x07"]
)
def test_names_of_readers_data_are_shown_as_they_are_and_fit(name):
    """Whatever is in them."""
    labels = np.array([name, "b"])[np.arange(60) % 2]
    table = pd.DataFrame(X, columns=[name, "other"])
    data = from_data(table, labels, name="mine")
    lab = NeighborLab(data, n=40, k=5, panels=["map", "votes"], resolution=SMALL)
    page(lab).step("project", True)
    assert page(lab).message == ""

    figure = static.figure(lab.picture)
    figure.draw_without_rendering()
    texts = [text for ax in figure.axes if ax.get_legend() for text in ax.get_legend().get_texts()]
    for text in texts:
        for corner in text.get_window_extent().get_points():
            assert figure.bbox.contains(*corner)

    if len(name) < 17 and name.isprintable():
        assert name.strip() in [text.get_text().strip() for text in texts]
        assert figure.axes[0].get_xlabel().strip().startswith(name)
    assert len(lab.numbers["decision at x"]) <= 16
    assert name in data.class_names, "the data keep them"
    lab.close()


def test_a_kernel_that_ends_sends_no_more(monkeypatch):
    def ended(*_):
        raise ZMQError(ENOTSOCK)

    lab = Sums()
    view = LabWidget(lab)
    monkeypatch.setattr(AnyWidget, "send", ended)
    lab.set(small=3)
    assert view.frames.state["drawn"] == lab.values
