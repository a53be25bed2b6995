"""What a reader has in every lab: each thing in one test."""

import gc
import json
import re
import threading
from contextlib import suppress
from functools import lru_cache
from weakref import ref

import ipywidgets
import numpy as np
import psutil
import pytest
from fuzzer import Fuzzer
from ipywidgets.widgets.widget import _instances
from random_moves import (
    corners,
    inside,
    layers,
    near,
    page,
    point_at,
    random_value,
    sliders,
    until,
    visible,
)
from recorded import axis, differ, frame, live, read, same_picture
from refusals import refuses
from small import FINER, QUICK, SMALL, STARTS, STREAMS

from knnviz import from_bags, from_data, labs
from knnviz.labs.parts import bag_menus, sources
from knnviz.memory import return_memory
from knnviz.views import style
from knnviz.views.margins import text_width

KINDS = [getattr(labs, name) for name in labs.__all__ if name != "Lab"]

pytestmark = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__, scope="module")


def fresh(kind, /, **values):
    return kind(**STARTS[kind] | values)


@pytest.fixture
def lab(kind):
    lab = fresh(kind)
    yield lab
    lab.close()


def show(lab, preset):
    """A preset, made quick."""
    return lab.show_preset(preset).set(**QUICK.get(type(lab), {}))


def whole(lab):
    """The picture with all that is to come."""
    return lab.background.wait(lambda: lab.picture)


@lru_cache(maxsize=20)
def settled(kind, preset=None):
    """A lab at its start or at a preset with all that it shows; no test moves it."""
    lab = fresh(kind)
    if preset is not None:
        show(lab, preset)
    whole(lab)
    return lab


def at_presets(kind):
    """The lab at its start and at each preset, with their names."""
    names = [None, *(preset.name for preset in kind.presets)]
    return [(name, settled(kind, name)) for name in names]


# Buttons.


def test_buttons_do_what_they_say_and_state_outlasts_moves_until_reset(kind, faced):
    client = page(faced)
    start = faced.values
    name = sliders(faced)[0]
    states = []
    for text, tip, _ in faced.actions():
        assert text
        assert tip
        client.step("act", text)
        assert "wrong" not in client.message
        assert client.drawn == client.values == faced.values
        if text == "New sample":
            assert faced.values == start | {"seed": start["seed"] + 1}
            assert client.frames[-1]["layers"]
        client.move(**{name: near(faced, name)[0]})
        if text != "Reset":
            states.append(faced.state)
        client.step("act", "Reset")
        assert (faced.values, faced.state) == (start, kind.state)
    # State beside the parameters outlasts moves until Reset.
    if states and kind.state is not None:
        assert states[0] != kind.state
    same_picture(faced, settled(kind))


# Presets and scenes.


def test_every_preset_can_follow_every_option_of_every_menu_and_is_named(lab):
    settings = {tuple(lab.preset_values(each.name).items()) for each in lab.presets}
    assert len(settings) == len(lab.presets)
    menus = [name for name, each in lab.parameters.items() if each.kind == "menu"]
    for menu in menus:
        for option in lab.setting.ends[menu]:
            with suppress(ValueError):
                before = lab.reset().set(**{menu: option}).values
                for preset in lab.presets:
                    lab.set(**before).show_preset(preset.name)
                    assert lab.values == lab.preset_values(preset.name)
                    assert preset.source
    client = page(lab)
    for preset in lab.presets:
        client.step("preset", preset.name)
        assert client.values == lab.preset_values(preset.name)
        assert (client.state["preset"], client.message) == (preset.name, "")


def test_every_option_of_every_menu_can_be_chosen(lab):
    """At the start or at a preset, or after an option of another menu."""
    left = {name: [*each.ends] for name, each in lab.parameters.items() if each.kind == "menu"}
    states = [lab.start, *[lab.preset_values(each.name) for each in lab.presets]]
    for _ in range(2):
        reached = []
        for state in states:
            for menu, options in left.items():
                for option in options.copy():
                    with suppress(ValueError):
                        reached.append(lab.set(**state).set(**{menu: option}).values)
                        options.remove(option)
        states = reached
    assert not any(left.values()), left


def seen(lab):
    """What the page shows: words with all numbers, which controls it hides, and panels."""
    return lab.alt, lab.setting.hidden, {name: id(lab.panel(name)) for name in lab.on_show()}


def test_each_option_of_a_menu_is_seen_also_where_a_page_opens_on_one_panel(kind):
    """Another panel comes on show where it alone has what was chosen."""
    for panel in settled(kind).on_show()[::2]:
        lab = fresh(kind, panels=[panel])
        for menu in visible(lab, "menu"):
            for option in lab.reset().setting.ends[menu]:
                with suppress(ValueError):
                    before = seen(lab.reset())
                    after = seen(lab.set(**{menu: option}))
                    assert after[-1], f"no panel is left after {option}"
                    assert (after == before) == (option == lab.start[menu]), (panel, option)
        lab.close()


def test_titles_lie_on_the_sheet_and_end_before_the_next_panel(kind):
    for _, lab in at_presets(kind):
        width, _ = lab.picture.size
        every = [panel.axes for panel in lab.picture.panels]
        for axes in every:
            left, top, *_ = axes.rectangle
            beside = [each.rectangle[0] for each in every if each.rectangle[1] == top]
            end = min([each for each in beside if each > left], default=width)
            assert left + style.RC["axes.titlesize"] * text_width(axes.title) <= end, axes.title


def test_words_have_the_numbers_and_no_gaps(kind):
    for _, lab in at_presets(kind):
        assert lab.numbers_text() in lab.alt
        assert not re.search(r"\bnan\b|  ", lab.alt)


def test_a_recipe_that_runs_again_computes_nothing_and_gives_the_same_panels(kind):
    for name, lab in at_presets(kind):
        # Other labs may have pushed its cells out of the cache that all share.
        lab.changed()
        assert whole(lab)
        before = {*map(id, lab.memo.calls.values())}
        if kind not in STREAMS:
            assert not any(call.slow for call in lab.memo.calls.values())
        panels = {panel: lab.panel(panel) for panel in lab.on_show()}
        lab.changed()
        assert lab.picture
        assert {*map(id, lab.memo.calls.values())} <= before, name
        for panel, made in panels.items():
            assert lab.panel(panel) is made, (name, panel)


#: Letters that change a scene.
LETTERS = list('{}[]",:0123456789.-eNI \\\n<>ab\0é')


def test_scenes_come_back_and_changed_letters_are_refused_in_a_sentence(kind):
    """Up to three letters are replaced by none to two others."""
    rng = np.random.default_rng(1)
    for name, lab in at_presets(kind)[::3]:
        text = lab.scene()
        assert kind.from_scene(text).values == lab.values, name
        for _ in range(30):
            letters = list(text)
            for at in rng.integers(len(letters), size=rng.integers(1, 4)):
                letters[at] = "".join(rng.choice(LETTERS, rng.integers(3)))
            with suppress(ValueError):
                inside(kind.from_scene("".join(letters)))

    on_projector = fresh(kind, projector=True)
    assert not kind.from_scene(on_projector.scene()).projector
    other = '{"lab": "OtherLab"}'
    refuses("this is a scene of OtherLab, not of", kind.from_scene, other)


def own_data(kind, rows, shift=0.0):
    """Data of as many classes as the lab is about."""
    named = bag_menus.named if kind is labs.BagNoiseLab else sources.named
    n_classes = named(fresh(kind).problem).n_classes
    X = np.random.default_rng(0).random((rows * n_classes, 2)) + shift
    y = np.arange(rows * n_classes) % n_classes
    name = f"own {kind.__name__}"
    if kind is labs.BagNoiseLab:
        return from_bags(X, np.eye(n_classes)[y], y, name=name)
    names = np.array(["<b>left</b>", *(f"class {label}" for label in range(1, n_classes))])
    return from_data(X, names[y], name=name)


def test_data_of_a_readers_own_and_their_checksum(kind):
    if kind.own_data is None:
        takes_none = f"^{kind.__name__} takes no data of a reader's own, got "
        refuses(takes_none, kind, [[0.0, 1.0]])
        return
    data = own_data(kind, 30)
    name = f"own {kind.__name__}"
    lab = kind(data, resolution=SMALL)
    assert lab.problem == name
    assert lab.setting.ends["problem"][-1] == name
    inside(lab)
    assert "&lt;" not in lab.alt

    scene = lab.scene()
    assert json.loads(scene)["data"]["checksum"]
    assert kind.from_scene(scene, data).values == lab.values
    others = own_data(kind, 30, shift=1)
    are_others = f"this scene is on '{name}' with .* but data is '{name}'"
    refuses(are_others, kind.from_scene, scene, others)
    refuses(f"'{name}' is data of your own", kind.from_scene, scene)

    lab.set(problem=fresh(kind).problem)
    assert "data" not in json.loads(lab.scene())


def test_the_smallest_data_do_with_all_options(kind):
    if kind.own_data is None:
        return
    # Ten points of bags are needed to train on.
    lab = kind(own_data(kind, 5 if kind is labs.BagNoiseLab else 2), resolution=SMALL)
    for name in set(visible(lab, "menu")) - {"problem"}:
        for option in lab.reset().setting.ends[name]:
            lab.reset().set(**{name: option})
            for n in lab.setting.ends.get("n", ()):
                assert lab.set(n=n).readout()


# Controls.


def test_a_control_that_cannot_move_has_a_reason(kind):
    for _, lab in at_presets(kind):
        for name, (ends, why) in lab.setting.ranges.items():
            assert why or ends in (None, lab.parameters[name].ends) or ends[0] != ends[-1], name


def test_controls_of_numbers_step_by_1_2_or_5_and_show_each_step_in_full(lab):
    """From end to end, and on what the lab opens with; typed and clicked values may lie between."""
    for name, each in lab.parameters.items():
        if each.kind in ("slider", "number") and name != "seed":
            assert f"{each.step:e}".split("e")[0].strip("0.") in {"1", "2", "5"}, name
            steps = each.steps(*each.ends)
            assert [float(each.text(step)) for step in steps] == steps, name
            assert {*each.ends, each.default} <= {*steps}, name


def test_what_is_refused_is_told_in_a_sentence_and_changes_nothing(faced):
    """On a page in the message line, until the next change."""
    client = page(faced)
    before = faced.values
    numbers = faced.readout()
    for name, parameter in faced.parameters.items():
        if parameter.kind == "menu":
            bad = ["mushrooms", 3]
        else:
            low, high = faced.setting.ends[name]
            bad = [float("nan"), "many", high + 1, low - 1]
        for value in bad:
            with pytest.raises(ValueError, match=r"^[^.].* got ") as refusal:
                faced.set(**{name: value})
            sentence = str(refusal.value)
            assert parameter.title.split()[-1] in sentence
        client.move(**{name: value})
        assert client.message == f"{sentence}. The last good value stays."
    assert (faced.values, client.values, faced.readout()) == (before, before, numbers)

    name = sliders(faced)[0]
    client.move(**{name: near(faced, name)[0]})
    assert "stays" not in client.message


def test_sliders_end_where_the_lab_takes_them_and_others_follow_into_their_ranges(faced):
    """Weights stay on the simplex."""
    client = page(faced)
    weights = [name for name in visible(faced, "slider") if re.fullmatch(r"q\d", name)]
    for name in sliders(faced):
        for end in faced.setting.ends[name]:
            client.move(**{name: end})
            assert faced.values[name] == end, name
            assert "stays" not in client.message
            assert client.drawn == faced.values, client.message
            if len(weights) > 1:
                assert sum(faced.values[each] for each in weights) == pytest.approx(1)
            inside(faced)
            faced.reset()


def test_hidden_controls_do_nothing_and_are_hidden(kind, faced):
    for preset in [None, *[each.name for each in faced.presets[-1:]]]:
        if preset is not None:
            show(faced, preset)
            if "curve" in faced.parameters:
                faced.set(curve=faced.start["curve"])
        values = faced.values
        numbers = faced.readout()
        hidden = sorted(faced.setting.hidden)
        assert page(faced).state["hidden"] == hidden
        for name in hidden:
            # Probabilities of bags if another label is true are hidden, but they count.
            if name.startswith("probability_"):
                continue
            for end in {*faced.setting.ends[name]} - {values[name]}:
                faced.set(**{name: end})
                assert faced.readout() == numbers, name
            faced.set(**values)


#: Where a panel is pointed at, as shares of its axes; some places lie beyond them.
SHARES = np.array(
    [(0, 0.45), (0, 1.1), (0.3, 0.45), (0.3, 0), (0.77, 0.2), (0.77, 1.1), (1, 0.7), (1, 0)]
)

#: What a click sets and no axis shows as it is.
OTHER_UNITS = {"split", "step", "t"}


def share_at(axes, x, y):
    low, high = corners(axes)
    return ((np.log(x) if axes.log else x, y) - low) / (high - low)


def marks_of(panel):
    """Layer and index of what a hand can drag."""
    return [
        (layer.name, i) for layer in panel.layers for i in range(len(getattr(layer, "handles", ())))
    ]


def grip_at(lab, axes, mark, i):
    layer = layers(lab, axes.name)[mark]
    return share_at(axes, layer.x[i].item(), layer.y[i].item())


def dragged(lab, axes, mark, point):
    """What is taken of a click or drag, and where the mark or else the value stands then."""
    taken = lab.pick(axes.name, *point, *mark)
    page(lab).step("pick", axes.name, *point, *mark)
    message = page(lab).message
    assert not re.search("wrong|stays|cannot", message), (axes.name, point, message)
    assert lab.values.items() >= taken.items(), (axes.name, point)
    inside(lab)
    if mark[0]:
        return taken, grip_at(lab, axes, *mark)
    number = next((each for each in taken.values() if not isinstance(each, str)), point[0])
    return taken, share_at(axes, number, point[1])


def follows_the_hand(lab, axes, mark, marks):
    """Of all places that a mark takes, that of a drag is as near to its point as any."""
    points = [point_at(axes, share) for share in SHARES]
    taken, places = zip(*[dragged(lab, axes, mark, point) for point in points], strict=True)
    if marks:
        clicks = [lab.pick(axes.name, *points[-1], *each) for each in marks]
        assert lab.pick(axes.name, *points[-1]) in clicks
    elif OTHER_UNITS & taken[0].keys():
        return

    width, height = axes.rectangle[2:]
    if taken[::2] == taken[1::2]:
        # Points that differ in y take the same: x alone counts.
        height = 0
    offsets = (np.array(places)[:, None] - SHARES) * (width, height)
    apart = np.hypot(*offsets.T)
    where = (axes.name, mark, places)
    assert (np.diag(apart) < apart.min(axis=1) + 2).all(), where
    assert len(np.unique(np.round(places, 2), axis=0)) > 2, where
    _, stays = dragged(lab, axes, mark, point_at(axes, places[2]))
    assert stays == pytest.approx(places[2], abs=0.01), where


def test_a_click_or_a_drag_brings_the_mark_as_near_to_the_point_as_it_can_be(faced):
    """A click is a drag of one of the marks. Where the mark stands it stays."""
    for preset in [None, *[each.name for each in faced.presets[:1]]]:
        if preset is not None:
            show(faced, preset)
        for panel in faced.picture.panels:
            if not panel.click:
                continue
            marks = marks_of(panel)
            for mark in marks or [(None, 0)]:
                follows_the_hand(faced, panel.axes, mark, marks)


def test_arrow_keys_move_a_mark_their_way(faced):
    """A page asks for a place a tenth of the axes away."""
    for panel in faced.picture.panels:
        axes = panel.axes
        for mark in marks_of(panel):
            moved = []
            for way in ((0.1, 0), (-0.1, 0), (0, 0.1), (0, -0.1)):
                before = np.array(grip_at(faced.reset(), axes, *mark))
                place = point_at(axes, np.clip(before + way, 0, 1).tolist())
                page(faced).step("pick", axes.name, *place, *mark)
                after = np.array(grip_at(faced, axes, *mark))
                moved.append((after - before) @ way * 10)
            assert min(moved) > -0.005, (axes.name, mark, moved)
            assert max(moved) > 0.02, (axes.name, mark, moved)


#: Numbers that compare two rules, and those of the first rule on show.
OF_TWO = {"disagreement", "excess weighted risk", "rules differ on"}
OF_THE_FIRST = {"mean stopping k", "misled mass", "note"}


def test_rules_on_show_have_what_each_has_alone(lab):
    numbers = {}
    for rules in lab.setting.ends.get("rules", ()):
        numbers[rules] = lab.set(rules=rules).readout()
    for rules, found in numbers.items():
        names = {*re.split(", | and ", rules)}
        shown = {*numbers} - {"all"} if rules == "all" else names & numbers.keys()
        known = {*OF_TWO}
        for name in shown:
            alone = {each: numbers[name][each] for each in numbers[name].keys() - OF_THE_FIRST}
            assert alone.items() <= found.items()
            known |= numbers[name].keys()
        assert found.keys() <= known or not names <= {"all", *shown}, rules


# Pictures.


def test_the_projector_is_another_sheet_and_no_state(kind):
    lab = settled(kind)
    large = fresh(kind, projector=True)
    assert (large.values, large.readout()) == (lab.values, lab.readout())
    assert large.picture.scale > lab.picture.scale
    for preset in large.presets[:1]:
        assert large.show_preset(preset.name).projector
    assert large.reset().projector
    large.projector = False
    same_picture(large, lab)


def test_a_recording_is_the_live_lab_byte_for_byte_and_leaves_it_as_it_was(kind, faced):
    name = sliders(faced)[0]
    told = []
    before = faced.set(**{name: near(faced, name)[0]}).values
    faced.observe(told.append, name)
    index, buffers = read(faced.record({name: [faced.start[name]]}))
    for value in axis(index, name):
        recorded = frame(index, buffers, **{name: value})
        lab = fresh(kind).set(**{name: value})
        assert not differ(recorded, live(lab)), value
    assert (faced.values, page(faced).values, told) == (before, before, [])


def test_a_move_sends_no_layer_that_stays_and_draws_nothing_with_matplotlib(faced, monkeypatch):
    """Every third control on the projector."""
    figures = []
    monkeypatch.setattr("matplotlib.figure.Figure.__init__", lambda *_, **__: figures.append(True))
    client = page(faced)
    for turn, name in enumerate(visible(faced)):
        faced.projector = turn % 3 == 2
        positions = near(faced, name)
        if name in sliders(faced):
            faced.set(**{name: positions[0]})
        else:
            positions = positions[:1]
        faced.readout()
        for value in positions:
            before = client.shown["layers"]
            client.frames.clear()
            client.move(**{name: value})
            sent = client.frames[0]["layers"]
            assert not [each for each, layer in sent.items() if before.get(each) == layer], name
            assert figures == []
        faced.reset()


# Pages.


def test_a_page_gets_a_coarse_picture_first_and_in_the_end_that_of_the_newest_values(kind):
    """Though it moves while work is under way; a lab without a page has the same."""
    lab = fresh(kind, resolution=FINER)
    with lab.lock:
        client = page(lab)
        assert client.state["preview"] == bool(lab.background.unfinished(slow=False))
    name = sliders(lab)[0]
    for value in near(lab, name):
        client.move(**{name: value})
    lab.readout()
    other = fresh(kind, **lab.values, resolution=FINER)
    same_picture(lab, other)
    assert not differ(client.shown, live(other))
    lab.close()


def places(lab):
    """The size of the sheet, and where its panels stand."""
    picture = lab.picture
    return picture.size, [panel.axes.rectangle for panel in picture.panels]


def test_curves_fill_in_with_progress_and_end_as_without_a_page(kind, faced):
    if kind not in STREAMS:
        pytest.skip("no curve fills in")
    client = page(faced)
    client.draws = True
    with faced.lock:
        faced.set(**STREAMS[kind])
        begun = places(faced)
        call = next(each for each in faced.background.unfinished() if each.slow)
        call.value = next(call.more)
        faced.changed()
        texts = [faced.alt]
        for layer in layers(faced).values():
            texts.extend(getattr(layer, "texts", ()))
        assert re.search(r"\d+ of \d+ (pieces )?done", "\n".join(texts))
        first = len(client.frames)
    faced.readout()
    faced.background.wait(lambda: faced.picture)
    assert len(client.frames) > first
    assert places(faced) == begun, "panels stay where they are"
    same_picture(faced, fresh(kind, **faced.values))


def test_two_threads_that_move_one_lab_end_at_the_last_values(kind, faced):
    names = sliders(faced)[:2]
    last = {name: near(faced, name)[0] for name in names}
    final = {names[-1]: last[names[-1]]}
    # An observer may set and read while others move the lab.
    faced.observe(lambda _: faced.set(**final).readout(), names[0])

    def hammer(name, seed):
        values = np.random.default_rng(seed).permutation(near(faced, name)).tolist()
        for value in (*values, last[name]):
            page(faced).move(**{name: value})

    threads = [
        threading.Thread(target=hammer, args=(name, seed)) for seed, name in enumerate(names)
    ]
    for thread in threads:
        thread.start()
    faced.readout()
    for thread in threads:
        thread.join()
    assert page(faced).drawn == faced.values
    inside(faced)
    same_picture(faced, fresh(kind, **faced.values))


def test_random_steps_do_not_break_a_lab(kind, faced):
    Fuzzer(faced).work(30)
    other = fresh(kind, **faced.values, projector=faced.projector)
    same_picture(faced, other.set_state(faced.state))


def resident():
    """Megabytes that this process holds, once what was freed is given back."""
    gc.collect()
    return_memory()
    return psutil.Process().memory_info().rss / 1e6


@pytest.mark.full
@pytest.mark.timeout(1800)
def test_many_random_steps_leave_memory_as_it_was(faced):
    """What a lab keeps for values that may come back is full at first; memory comes back late."""
    fuzzer = Fuzzer(faced)
    fuzzer.work(500)
    sizes = []
    for _ in range(8):
        fuzzer.work(250)
        sizes.append(resident())
    assert min(sizes[4:]) - min(sizes[:4]) < 40, sizes


@pytest.mark.full
@pytest.mark.timeout(1800)
def test_a_thousand_moves_of_each_control_leave_memory_as_it_was(kind, faced):
    for name in sorted(visible(faced)):
        faced.reset()
        rng = np.random.default_rng(0)
        sizes = []
        for _ in range(5):
            for _ in range(200):
                faced.set(**{name: random_value(faced, name, rng)})
                assert faced.picture
            page(faced).frames.clear()
            sizes.append(resident())
        assert min(sizes[3:]) - min(sizes[:2]) < 20, (name, sizes)


def test_a_closed_lab_leaves_nothing_behind(kind):
    """No widget, no thread, nothing computed, though a notebook's history keeps the lab itself."""
    gc.collect()
    before = len(_instances)
    lab = fresh(kind)
    box = ipywidgets.HBox([lab.widget])
    assert box.children[0].comm is not None
    lab.readout()
    calls = [ref(call) for call in lab.memo.calls.values()]
    box.layout.close()
    box.close()
    del box
    lab.close()
    gc.collect()
    assert len(_instances) == before
    # A thread that ends may hold its last call a little longer.
    until(lambda: not any(call() for call in calls))
    assert lab.background.thread is None
    assert lab.widget.frames.whole()["values"] == lab.values, "it can be shown again"
    lab.close()
