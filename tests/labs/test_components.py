"""Components: connected by name in the body of a lab, and refused at import if names do not fit."""

import numpy as np
import pytest
from refusals import refuses

from knnviz import from_data
from knnviz.labs import Lab, NeighborLab
from knnviz.labs.engine.layout import columns, rows
from knnviz.labs.old_engine.components import Component, Input
from knnviz.labs.old_engine.panels import LayerCache, Panel
from knnviz.labs.old_engine.parameters import Choice, Float, Int
from knnviz.labs.old_engine.stages import stage
from knnviz.views.layers import Axes


class Numbers(Component):
    """Two numbers, of which one must not exceed the other."""

    least = Int(0, min=0, max=9)
    small = Int(2, min=0, max=9).tag(label="small number", at_most="large")
    large = Int(5, min=0, max=9, step=2).tag(label="large number")

    @stage
    def total(self):
        return self.small + self.large


class Doubled(Component):
    """Twice a number."""

    number: int = Input()
    times: int = Input(2)

    @stage
    def value(self):
        return self.times * self.number


class NumberPanel(Panel):
    """A panel without layers whose alternative text has a number."""

    value: int = Input()

    def axes(self):
        return Axes("number", "Number", "x", "y", (0, 1), (0, 1))

    def layers(self):
        return ()

    def alt_text(self):
        return f"It is {self.value}."

    def pick(self, x, y, mark, index):
        return self.lab.nearest_step("large", x)


class Sums(Lab):
    """A lab of a few parts."""

    mode = Choice("off", ("off", "on"))
    offset = Float(0.5, min=0, max=1).tag(when={"mode": ("on",)})
    numbers_in = Numbers(small=Int(3, min=0, max=9).tag(at_most="large"))
    doubled = Doubled(number=numbers_in.total)
    tripled = Doubled(number=numbers_in.small, times=3)

    @stage
    def shifted(self):
        return self.doubled.value + self.offset

    again = Doubled(number=shifted)
    number = NumberPanel(value=shifted)
    layout = columns(rows(("number", 0.5)))

    @property
    def numbers(self):
        return {"again": self.again.value}


def test_stages_and_parameters_are_read_by_name():
    lab = Sums()
    assert (lab.numbers_in.total, lab.doubled.value, lab.tripled.value, lab.again.value) == (8, 16, 9, 33.0)
    assert (lab.small, lab.numbers_in.small) == (3, 3)
    lab.numbers_in.small = 4
    assert (lab.small, lab.doubled.value) == (4, 18)
    runs = {"numbers_in.total": 2, "doubled.value": 2, "tripled.value": 1, "again.value": 1, "shifted": 1}
    assert lab.runs() == runs
    assert lab.tripled.value == 12
    assert list(Sums.parameters) == ["mode", "offset", "least", "small", "large"]


def test_two_labs_do_not_share_what_they_hold():
    one, other = Sums(), Sums(small=1)
    assert (one.doubled.value, other.doubled.value) == (16, 12)


def test_observers_and_links_see_parameters_of_components():
    lab, seen = Sums(), []
    lab.observe(lambda change: seen.append((change["old"], change["new"])), "large")
    lab.set(large=7)
    assert seen == [(5, 7)]
    assert "large" in lab.trait_names()


def test_tags_bound_and_hide_parameters():
    lab = Sums()
    assert lab.hidden(lab.values) == {"offset"}
    assert lab.set(mode="on").hidden(lab.values) == set()
    assert (lab.slider_range("small", lab.values), lab.slider_range("large", lab.values)) == ((0, 5), (4, 9))
    with pytest.raises(ValueError, match=r"^small number must not exceed large number, got 6 and 5$"):
        lab.small = 6


def test_a_panel_draws_describes_and_answers_a_click():
    lab = Sums()
    (drawn,) = lab.picture.panels
    assert lab.picture.alt.startswith("It is 16.5. ")
    left, top, width, height = drawn.axes.rectangle
    assert (left, top, height) == (62, 36, round(width / 2))
    assert lab.picture.size == (920, 36 + height + 50)
    assert lab.pick("number", 6.3, 0, None, 0) == {"large": 6}


def test_the_same_call_of_a_view_gives_the_same_objects():
    draw, points = LayerCache(), [0.5]
    view = lambda *given: [given]  # noqa: E731
    first = draw(view, points, (0.0, (1, points)), 3, None)
    assert draw(view, points, (0.0, (1, points)), 3, None) is first
    assert draw(view, points, (0.0, (1, [0.5])), 3, None) is not first
    assert draw(view, points, (0.0, (1, points)), 3.5, None) is not first
    for turn in range(50):
        draw(view, turn)
    assert draw(view, points, (0.0, (1, points)), 3, None) is not first, "few calls are kept"


def test_wrong_declarations_are_refused_when_they_are_made():
    with pytest.raises(TypeError, match=r"^Doubled lacks number; its inputs are number, times$"):
        Doubled(times=3)
    with pytest.raises(TypeError, match=r"^Doubled knows no size; its inputs are number, times$"):
        Doubled(number=1, size=2)
    with pytest.raises(TypeError, match=r"^two components of Twice have a parameter 'least': give one of them"):
        type("Twice", (Lab,), {"one": Numbers(), "other": Numbers(least=Int(1, min=0, max=9))})


def test_a_lab_changes_a_parameter_of_a_component_by_a_value_or_by_another_one():
    class Changed(Lab):
        numbers_in = Numbers(small=Int(3, min=0, max=4), large=7)

    small, large = Changed.parameters["small"], Changed.parameters["large"]
    assert (small.max, small.title, Changed().small) == (4, "small number", 3)
    assert (large.title, Changed().large) == (Numbers.large.title, 7)
    assert Sums().large == 5, "that of another lab stays"


def test_names_that_every_lab_has_are_refused():
    with pytest.raises(TypeError, match="Shadowed declares 'view', but every lab has something of this name"):
        type("Shadowed", (Lab,), {"view": Numbers()})
    with pytest.raises(TypeError, match="Shadowed declares 'message', but every lab has"):
        type("Shadowed", (Lab,), {"message": Int(1, min=0, max=2)})


def test_only_panels_that_are_asked_for_are_drawn_and_computed():
    lab = NeighborLab(n=100, panels=("risk", "map"))
    lab.readout()
    assert [panel.axes.name for panel in lab.picture.panels] == ["map", "risk"]
    assert not lab.runs().keys() & {"votes.drawn", "query.balls"}
    assert lab.picture.size[0] == NeighborLab(n=100).picture.size[0]
    alone = NeighborLab(n=100, panels=["map"]).picture
    assert alone.size[0] < 0.65 * lab.picture.size[0]
    wide, whole = (each.panels[0].axes.rectangle[2] for each in (alone, lab.picture))
    assert wide > 1.1 * whole, "one panel alone is larger than among the others"
    own = from_data(np.random.default_rng(0).random((100, 2)), [0, 1] * 50)
    for lab in (NeighborLab(n=100), NeighborLab(data=own)):
        assert [ax.get_title(loc="left") for ax in lab.figure(panels=["votes"]).axes] == ["Votes around x"]


def test_unknown_controls_panels_and_numbers_are_refused():
    assert NeighborLab(controls=["k", "p1"]).first_controls == ("k", "p1")
    refuses("there is no control 'kk'; there are problem, n, ", NeighborLab, controls=("kk",))
    refuses("there is no panel 'maps'; there are map, votes, risk", NeighborLab, panels=("maps",))
    refuses("there is no number 'risks'; there are ", NeighborLab, numbers=("risks",))


def test_the_numbers_of_a_step_stand_first_and_large():
    assert list(NeighborLab(n=100, numbers=["flipped"]).shown_numbers())[:2] == ["labels flipped", "risk"]
    assert [NeighborLab(numbers=names).widget.frames.whole()["controls"]["large"] for names in ([], ["risk"])] == [2, 1]
