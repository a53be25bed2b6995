"""What holds for every lab that is not a recipe."""

import gc
import json
import re
from contextlib import suppress
from itertools import combinations
from weakref import ref

import numpy as np
import psutil
import pytest
from fuzzer import Fuzzer, same_picture
from ipywidgets.widgets.widget import _instances
from random_moves import middle, page, ran, sliders
from small import FOLLOWING, OTHERS, STARTS

from knnviz import labs
from knnviz.labs.engine import Lab
from knnviz.labs.old_engine.parameters import Choice, Number
from knnviz.outputs import release
from knnviz.problems import waves

EVERY = pytest.mark.parametrize("lab_class", OTHERS, ids=lambda each: each.__name__)


@pytest.fixture
def lab(small, lab_class):
    return lab_class(**STARTS[lab_class])


def test_no_lab_is_left_out():
    assert {getattr(labs, name) for name in labs.__all__} - {labs.Lab, Lab} == set(STARTS)


@EVERY
def test_random_steps_do_not_break_a_lab(faced):
    break_it(faced, 90)


@EVERY
@pytest.mark.full
@pytest.mark.timeout(3600)
def test_ten_thousand_random_steps_leave_no_memory_behind(faced):
    """Beyond the caches of all labs, which are full by then."""
    break_it(faced, 5_000)
    before = held()
    break_it(faced, 10_000, seed=1)
    assert held() - before < 50e6


def break_it(lab, acts, seed=0):
    fuzzer = Fuzzer(lab, seed)
    fuzzer.work(acts)
    assert fuzzer.answered
    assert 2 * fuzzer.refused < fuzzer.moved
    other = type(lab)(**lab.values, projector=lab.projector)
    same_picture(lab, other)


def held():
    """Bytes of memory of this process, without what it has freed."""
    release()
    return psutil.Process().memory_info().rss


@EVERY
def test_scenes_come_back(lab, lab_class):
    rng = np.random.default_rng(1)
    for preset in [None, *rng.choice([each.name for each in lab.presets], 2, replace=False)]:
        state = lab if preset is None else lab.show_preset(preset)
        again = lab_class.from_scene(state.scene())
        assert again.values == lab.values
        assert again.readout() == lab.readout()
    assert "projector" not in json.loads(lab.scene())
    assert not lab_class.from_scene(lab_class(projector=True).scene()).projector


@EVERY
def test_presets_follow_one_another_in_any_order(drawn, faced):
    names = [preset.name for preset in faced.presets]
    assert len({tuple(faced.preset_values(name).items()) for name in names}) == len(names)
    for name in np.random.default_rng(2).permutation(names).tolist():
        page(faced).step("preset", name)
        assert faced.values == faced.preset_values(name)
        assert (page(faced).state["preset"], page(faced).message) == (name, "")
    assert faced.reset().values == faced.start


@EVERY
def test_every_preset_can_follow_every_choice(lab):
    """Of any option of any menu."""
    menus = [name for name, kind in lab.parameters.items() if isinstance(kind, Choice)]
    for name, option in [(menu, option) for menu in menus for option in lab.limits(menu, lab.values)]:
        lab.reset()
        try:
            before = lab.set(**{name: option}).values
        except ValueError:
            continue
        for preset in lab.presets:
            assert lab.set(**before).show_preset(preset.name).values == lab.preset_values(preset.name)


@EVERY
def test_each_preset_has_an_alt_text_of_its_own_and_panels_that_do_not_overlap(lab):
    state = {}
    for preset in lab.presets:
        lab.show_preset(preset.name).readout()
        alt = lab.alt
        assert lab.numbers_text() in alt, preset.name
        assert "nan" not in alt
        assert "  " not in alt
        assert alt not in state, (preset.name, state[alt])
        state[alt] = preset.name
        for projector in (False, True):
            lab.projector = projector
            do_not_overlap(lab.picture)


def do_not_overlap(picture):
    """Panels of a picture lie within the sheet, and do not overlap."""
    positions = {panel.axes.name: panel.axes.rectangle for panel in picture.panels}
    for left, top, width, height in positions.values():
        assert min(left, top) >= 0
        assert left + width <= picture.size[0]
        assert top + height <= picture.size[1]
    for (name, one), (other, two) in combinations(positions.items(), 2):
        beside = one[0] + one[2] <= two[0] or two[0] + two[2] <= one[0]
        assert beside or one[1] + one[3] <= two[1] or two[1] + two[3] <= one[1], (name, other)


@EVERY
def test_what_is_refused_is_told_in_a_sentence_and_changes_nothing(lab):
    before = lab.values
    for name, parameter in lab.parameters.items():
        low, *_, high = lab.limits(name, lab.values)
        bad = [high + 1, low - 1, float("nan"), "many"] if isinstance(parameter, Number) else ["mushrooms", 3]
        for value in bad:
            with pytest.raises(ValueError, match=r"^[^.].* got ") as refusal:
                lab.set(**{name: value})
            # The two locked controls of ThresholdLab are one number.
            assert parameter.title in str(refusal.value) or name in ("t", "q1")
    assert lab.values == before
    with pytest.raises(AttributeError, match=f"{type(lab).__name__} has no parameter 'mushrooms'; it has "):
        lab.mushrooms = 3


@EVERY
def test_a_typed_number_that_is_refused_goes_back(drawn, faced):
    """The seed, and points beyond their box; a slider ends before that."""
    typed = {name: each for name, each in faced.parameters.items() if each.kind == "number"}
    for name in typed.keys() - faced.hidden(faced.values):
        before = faced.values
        page(faced).move(**{name: faced.limits(name, before)[0] - 1})
        assert faced.values == page(faced).values == before, name
        assert f"{typed[name].title} must be" in page(faced).message
        assert "The last good value stays." in page(faced).message
        faced.reset()
        assert "stays" not in page(faced).message


@EVERY
def test_sliders_end_where_the_lab_takes_them(drawn, faced):
    """Each from the start to both of its ends; nothing is refused there."""
    for name in sliders(faced):
        for end in faced.slider_range(name, faced.start):
            page(faced).move(**{name: end})
            assert faced.values[name] == end, name
            assert "stays" not in page(faced).message
            faced.reset()


@EVERY
def test_a_page_that_appears_is_told_the_whole(drawn, faced):
    """It shows the same as one that has had all frames; one that has missed some asks for the whole."""
    client = page(faced)
    client.move(**{sliders(faced)[0]: faced.slider_range(sliders(faced)[0], faced.values)[0]})
    faced.show_preset(faced.presets[-1].name).readout()
    whole = faced.view.frames.whole()
    assert client.state | {"layers": None, "ask": False} == whole | {"layers": None, "ask": False}
    assert whole["layers"].keys() == client.state["layers"].keys()
    client.frames.clear()
    client.widget._receive(client.widget, {"page": "other", "hello": whole["number"]})
    assert not client.frames
    client.widget._receive(client.widget, {"page": "other", "hello": -1})
    assert client.frames[-1]["controls"] == whole["controls"]


@EVERY
def test_a_value_that_stays_runs_nothing(lab):
    assert ran(lab, **lab.values) == set()


@EVERY
def test_hidden_controls_do_nothing(lab):
    """At the start, and where the first and the last preset hide others."""
    for preset in (None, lab.presets[0].name, lab.presets[-1].name):
        if preset is not None:
            lab.show_preset(preset)
        values, read = lab.values, lab.readout()
        for name in lab.hidden(values):
            # The probabilities of the columns that are not being edited.
            if name.startswith("probability_"):
                continue
            low, *_, high = lab.slider_range(name, values)
            # With more than two classes some values are refused.
            with suppress(ValueError):
                lab.set(**{name: low if values[name] == high else high})
            assert lab.readout() == read, name
            lab.set(**values)


def words(lab):
    """The words of a picture, whose points are larger and fewer on the projector."""
    return re.sub(r"\d+ of (\d+) points", r"\1 points", lab.alt)


@EVERY
def test_the_projector_is_another_sheet_and_no_state(lab, lab_class):
    large = lab_class(**STARTS[lab_class], projector=True)
    assert (large.values, large.readout()) == (lab.values, lab.readout())
    assert words(large) == words(lab)
    assert large.picture.scale > lab.picture.scale
    assert "projector" not in large.parameters
    for moved in (large.show_preset(large.presets[0].name), large.reset()):
        assert moved.projector
    size, before = lab.picture.size, lab.runs()
    lab.projector = True
    assert lab.readout() == large.readout()
    assert not {"numbers", "data.sample", "data.source"} & {name for name in before if lab.runs()[name] != before[name]}
    lab.projector = False
    assert lab.picture.size == size
    with pytest.raises(ValueError, match="projector must be True or False, got 'yes'"):
        lab.projector = "yes"


@pytest.mark.parametrize("lab_class", [labs.BandLab, labs.ImbalanceLab])
def test_a_lab_without_data_of_its_reader_refuses_them(lab_class):
    with pytest.raises(ValueError, match=f"^{lab_class.__name__} takes no data of a reader's own, got Problem"):
        lab_class(waves())


@EVERY
def test_moving_a_slider_draws_nothing_with_matplotlib(drawn, faced):
    """But axes that end where the slider stands; every third slider on the projector."""
    for turn, name in enumerate(sliders(faced)):
        faced.projector = turn % 3 == 2
        positions = middle(faced, name)
        faced.set(**{name: positions[0]}).readout()
        del drawn[:]
        for value in positions:
            page(faced).move(**{name: value})
        faced.readout()
        often = {panel for panel in drawn if drawn.count(panel) > 1}
        assert often <= FOLLOWING.get((type(faced).__name__, name), set()), name
        faced.reset()


@EVERY
def test_a_closed_lab_leaves_nothing_behind(drawn, lab):
    """No widget, and nothing computed, though a notebook's history keeps the lab itself."""
    before = len(_instances)
    page(lab)
    lab.readout()
    entries = [ref(each) for each in lab.background.entries()]
    lab.close()
    gc.collect()
    assert len(_instances) == before
    assert not lab.cache
    assert not [each().stage.name for each in entries if each() is not None]
