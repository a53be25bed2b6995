"""Pages of a lab: what a new one is told, and labs that are put down and taken up again."""

import numpy as np
import pytest
from random_moves import near, page, sliders
from recorded import same_picture
from small import STARTS

from knnviz.labs import NeighborLab


@pytest.fixture
def lab():
    lab = NeighborLab(**STARTS[NeighborLab])
    yield lab
    lab.close()


def test_labs_of_a_page_are_put_down_and_taken_up_again(faced):
    """Only the one moved last holds what it was computed from; all show the same as before."""
    other, name = NeighborLab(**STARTS[NeighborLab]), sliders(faced)[0]
    page(other)
    for turn in range(2):
        page(faced).move(**{name: near(faced, name)[turn]})
        faced.readout()
        words, calls = faced.alt, len(faced.memo.calls)
        page(other).move(**{name: near(other, name)[0]})
        assert len(faced.memo.calls) < calls
        assert faced.alt == words
        if turn:
            panel = faced.picture.panels[0].axes
            page(faced).step("pick", panel.name, np.mean(panel.xlim).item(), np.mean(panel.ylim).item(), None, 0)
            faced.projector = True
            faced.projector = False
            assert "wrong" not in page(faced).message
        same_picture(faced, NeighborLab(**STARTS[NeighborLab] | faced.values))
    other.close()


def test_a_page_that_appears_is_told_the_whole_and_a_message_that_comes_twice_is_taken_once(faced):
    client, name = page(faced), sliders(faced)[0]
    client.move(**{name: near(faced, name)[0]})
    faced.show_preset(faced.presets[-1].name).readout()
    whole = faced.view.frames.whole()
    assert client.state | {"layers": None, "ask": False} == whole | {"layers": None, "ask": False}
    assert whole["layers"].keys() == client.state["layers"].keys()
    client.frames.clear()
    client.widget._receive(client.widget, {"page": "other", "hello": whole["number"]})
    assert not client.frames
    client.widget._receive(client.widget, {"page": "other", "hello": -1})
    assert client.frames[-1]["controls"] == whole["controls"]
    taken = []
    for _ in range(2):
        client.widget._receive(client.widget, {"page": "third", "seq": 1, "steps": [["act", faced.actions()[0][0]]]})
        taken.append(faced.values)
    assert taken[0] == taken[1]
    assert client.frames[-1]["controls"] == whole["controls"]
