"""BagNoiseLab without a front end: its numbers beside the library and the reference run, stages, streams, presets."""

import re
import threading
import time

import numpy as np
import pytest
from small import fit_briefly, forget, take_few_rows
from twins import reference

from knnviz import reproduce
from knnviz.bounds.errandonea import largest_noise
from knnviz.labs import BagNoiseLab, bag_rivals, bag_splits
from knnviz.labs import bag_noise as module
from knnviz.labs.bag_rivals import RivalRun, kept_errors
from knnviz.labs.bag_splits import MOST, NOISES, Bagging, Run, Where
from knnviz.labs.face import Face
from knnviz.linear import RIVALS
from knnviz.partial import Split, compare
from knnviz.rules import Adaptive, PartialAdaptive
from knnviz.views import bag_noise as view

#: Keys of what the rivals alone have.
RIVAL_KEYS = [*(f"{curve}_error" for curve in bag_rivals.NAMES), "rivals_done"]

DIGITS = reproduce.published("errandonea_digits")

#: Stages that run again when a parameter moves, once all have run.
VIEW = {"numbers", "panels", "alt", "picture"}
HERE = VIEW | {"here", "here_layers"}
CURVES = HERE | {"run", "errors", "means", "stops", "decided", "error_layers", "other_layers"}
RIVAL = HERE | {"rival_run", "rival_errors", "means", "error_layers"}
#: Stages that only pass on what may or may not have changed.
STEADY = {"top", "heights", "axes", "aligned_layers"}


@pytest.fixture
def lab():
    return BagNoiseLab(data="wine", splits=2, max_neighbors=30)


@pytest.fixture
def small(monkeypatch):
    """Data of 90 rows, whose splits take no time, and a cache of their own."""
    take_few_rows(monkeypatch)
    forget()
    yield
    forget()


def wheres(count, seed=0):
    """Splits of the wine, as they come."""
    return [Where("wine", "raw", seed, index) for index in range(count)]


@pytest.fixture
def quick(small, monkeypatch):
    """Rivals that take no time either."""
    fit_briefly(monkeypatch)


@pytest.mark.parametrize(
    ("preparation", "kind", "fallback", "c1"),
    [("raw", "confusion", "largest lead", 0.5), ("vision", "another label", "majority", 0.3)],
)
def test_curves_are_those_of_the_library(preparation, kind, fallback, c1):
    settings = {"c1": c1, "delta": 0.2, "max_neighbors": 40}
    lab = BagNoiseLab(
        data="wine", splits=2, seed=3, preparation=preparation, kind=kind, fallback=fallback, inclusion=0.6, **settings
    )
    rules = {
        "partial": PartialAdaptive(**settings, fallback=module.FALLBACKS[fallback]),
        "classes": Adaptive(**settings),
        "bag_size": Adaptive(**settings, baseline="bag_size"),
    }
    look = {"preparation": preparation, "kind": module.KINDS[kind], "largest": 0.6, "standardize": True}
    *_, last = compare(*bag_splits.points("wine"), rules, NOISES, splits=2, seed=3, k_max=40, **look)
    found = lab.run.comparison
    assert found.names == last.names
    for name in ("errors", "stops", "decided", "by_k", "apart"):
        assert np.array_equal(getattr(found, name), getattr(last, name)), name


def test_numbers_at_a_noise_are_those_of_plain_code(lab):
    read, at = lab.set(bag_noise=0.6, preparation="raw").readout(), NOISES.index(0.6)
    rows, aligned, sizes, errors = [], [], [], []
    for stream in np.random.SeedSequence(0).spawn(2):
        split = Split.of(*bag_splits.points("wine"), stream, k_max=30, preparation="raw", standardize=True)
        bags, process = split.bags(0.6), split.process
        sizes.append(bags.sum(axis=1).mean())
        alpha = process.inclusion[:, np.arange(3), (np.arange(3) + 1) % 3]
        # P(S_i) - P(S_l) for a label i without doubt: 0.4 (1 - a_i) + 0.2 (a_l - a_i).
        lead = 0.4 * (1 - alpha[:, :, None]) + 0.2 * (alpha[:, None, :] - alpha[:, :, None])
        aligned.append((lead > 0)[:, ~np.eye(3, dtype=bool)].all(axis=1).mean())
        votes = np.array([bags[near[:10]].sum(axis=0).argmax() for near in split.table.indices])
        scan = PartialAdaptive(max_neighbors=30).scan(split.table, bags, 3)
        rows.append((np.mean(scan.labels != split.y_test), scan.stop_k.mean(), scan.decided.mean()))
        errors.append(np.mean(votes != split.y_test))
    keys = ("error", "mean_stop_k", "decided")
    assert [read[key] for key in keys] == pytest.approx(np.mean(rows, axis=0), abs=1e-6)
    assert read["vote_error"] == pytest.approx(np.mean(errors), abs=1e-6)
    assert read["mean_bag_size"] == pytest.approx(np.mean(sizes), abs=1e-6)
    assert read["aligned"] == pytest.approx(np.mean(aligned), abs=1e-6)
    assert read["wins"] == f"{sum(row[0] <= error for row, error in zip(rows, errors, strict=True))} of 2"
    assert read["largest_noise"] == pytest.approx(0.2 / (0.2 + 0.8 / 3), abs=1e-6)
    assert read["threshold"] == pytest.approx(0.5 * np.sqrt(np.log(142) + np.log(30)), abs=1e-6)
    by_k = lab.run.comparison.by_k[:, at].mean(axis=0)
    assert (read["best_k"], read["best_k_error"]) == (by_k.argmin() + 1, pytest.approx(by_k.min(), abs=1e-6))


#: What the reference run has of each preset, and at which nu, or constants.
KNOWN = {
    "Digits, as in the paper": ("main", NOISES[:8]),
    "T = 50": ("T = 50", (0, 0.3, 0.6)),
    "Raw pixels": ("raw pixels", (0, 0.3, 0.6)),
    "No wrong labels but noise": ("no ambiguity", (0, 0.3, 0.6)),
    "c1 = 1": ("constants", (1,)),
    "c1 = 0.1": ("constants", (0.1,)),
    "Majority at T": ("main", (0, 0.3, 0.6)),
}


@pytest.mark.parametrize("preset", BagNoiseLab.presets, ids=lambda preset: preset.name)
def test_presets_read_what_the_reference_run_does(preset):
    """Its splits are others than ours: means may differ by what five splits and its own vary."""
    lab = BagNoiseLab().show_preset(preset.name)
    if preset.name == "Two labels":
        assert lab.readout()["largest_noise"] == pytest.approx(reference("partial")["nu_star"]["c=2 all"], abs=1e-6)
        return
    if preset.name == "Linear rivals":
        first = BagNoiseLab().values
        assert {name for name, value in lab.values.items() if value != first[name]} == {"rivals"}
        return
    key, places = KNOWN[preset.name]
    partial = "PL A-kNN, majority" if preset.name == "Majority at T" else "PL A-kNN"
    names = {"partial": partial, "vote": "10-NN", "classes": "A-kNN", "bag_size": "A-kNN, mean bag size"}
    for place in places:
        known, at = DIGITS[key]["values"][f"{place:g}"], NOISES.index(0.3 if key == "constants" else place)
        for name, other in names.items():
            mean, error = (values[at] for values in lab.errors[name])
            # The spread of five splits alone may be too small by chance.
            spread = max(error * np.sqrt(5), known["spread of PL A-kNN"])
            limit = 3 * spread * np.sqrt(1 / 5 + 1 / DIGITS[key]["splits"])
            assert abs(mean - known[other]) < limit, (place, name, mean, known[other])
        assert lab.stops["partial"][at] == pytest.approx(known["mean k, PL A-kNN"], rel=0.12)
        assert lab.stops["classes"][at] == pytest.approx(known["mean k, A-kNN"], rel=0.12)
        assert 1 - lab.decided["partial"][at] == pytest.approx(known["undecided, PL A-kNN"], abs=0.06)


def test_shapes_of_the_paper():
    """PL A-kNN is no worse than 10-NN in any split with noise, and far better than the extension of A-kNN."""
    lab = BagNoiseLab()
    run, errors = lab.run.comparison, {name: mean for name, (mean, _) in lab.errors.items()}
    assert (run.errors[:, 1:, 0] <= run.vote(10)[:, 1:]).all()
    assert errors["partial"][0] <= errors["vote"][0]
    assert (errors["classes"] - errors["partial"] > 0.1).all()
    assert (np.diff(lab.stops["partial"]) > 0).all()
    assert lab.readout()["threshold"] == pytest.approx(reference("partial")["thresholds"]["A_n1437_c10"])
    assert [lab.set(bag_noise=noise).readout()["aligned"] for noise in (0.0, 0.6, 0.7)] == [1, 1, 1]
    assert lab.set(bag_noise=0.8).readout()["aligned"] < 0.8


def ran(lab, **changes):
    """Stages that ran for a change."""
    _ = lab.picture, lab.numbers
    before = lab.runs()
    _ = lab.set(**changes).picture, lab.numbers
    return {name for name, runs in lab.runs().items() if runs != before.get(name)}


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"bag_noise": 0.5}, HERE),
        ({"c1": 0.2}, CURVES | {"rules"}),
        ({"delta": 0.4}, CURVES | {"rules"}),
        ({"fallback": "majority"}, CURVES | {"rules"}),
        ({"max_neighbors": 50}, CURVES | {"rules"}),
        ({"inclusion": 0.5}, CURVES | {"largest_noise"}),
        ({"kind": "removal"}, CURVES | {"largest_noise"}),
        ({"preparation": "raw"}, CURVES),
        ({"splits": 1}, CURVES),
        ({"seed": 1}, CURVES),
        ({"data": "breast cancer"}, CURVES | {"n_classes", "largest_noise"}),
        ({"rivals": "CLPL"}, RIVAL),
    ],
    ids=lambda value: str(value) if isinstance(value, dict) else "",
)
def test_a_control_runs_the_stages_that_depend_on_it_and_no_other(quick, lab, changes, expected):
    assert ran(lab, **changes) - STEADY == expected


def test_what_is_kept_is_not_computed_again(small, lab, monkeypatch):
    made, asked = [], []
    monkeypatch.setattr(bag_splits.Split, "of", counted(Split.of, made))
    monkeypatch.setattr(bag_splits, "outcome", counted(bag_splits.outcome, asked))
    lab.readout()
    assert (len(made), len(asked)) == (2, 2 * 3 * len(NOISES))
    lab.set(c1=0.2).readout()
    assert (len(made), len(asked)) == (2, 2 * 6 * len(NOISES))
    lab.set(fallback="majority").readout()
    assert len(asked) == 2 * 7 * len(NOISES), "A-kNN knows no other fallback"
    for changes in ({"fallback": "largest lead"}, {"c1": 0.5}, {"bag_noise": 0.0}, {"splits": 1}, {"splits": 2}):
        lab.set(**changes).readout()
    assert (len(made), len(asked)) == (2, 2 * 7 * len(NOISES))
    lab.set(inclusion=0.2, kind="removal").readout()
    assert len(made) == 2
    lab.set(seed=1).readout()
    assert len(made) == 4


def counted(function, calls):
    """A function that notes its calls."""

    def noting(*args, **options):
        calls.append(args)
        return function(*args, **options)

    return noting


def test_a_stream_sends_what_is_known_at_once(small):
    """Before a split that takes long, and after the pause; what is kept of splits comes in one piece."""
    rules = {"partial": PartialAdaptive(max_neighbors=20)}
    new = Run.unknown(wheres(3), Bagging(0.8, "confusion"), rules, 20)
    assert [run.done for run in new.stream(60.0)] == [0, 1, 2, 3]
    assert [run.done for run in new.stream(60.0)] == [3]
    assert [run.done for run in Run.unknown(wheres(5), *settings(rules)).stream(60.0)] == [3, 4, 5]
    assert [run.done for run in Run.unknown(wheres(3), *settings(rules)).stream(-1.0)] == [1, 2, 3]
    eager = Run.unknown(wheres(2, seed=9), *settings(rules))
    assert [run.done for run in eager.stream(60.0, eager=True)] == [1, 2]


def settings(rules):
    """What else a run is made of."""
    return Bagging(0.8, "confusion"), rules, 20


def test_what_was_sent_does_not_change(small):
    sent = list(Run.unknown(wheres(3), *settings({"partial": PartialAdaptive(max_neighbors=20)})).stream(60.0))
    assert [run.done for run in sent] == [0, 1, 2, 3]
    for run, known in zip(sent, range(4), strict=True):
        for values in (run.comparison.errors, run.comparison.by_k, run.aligned, run.sizes):
            assert np.isfinite(values[:known]).all()
            assert np.isnan(values[known:]).all()


def test_a_lab_that_opens_shows_a_split(small, lab):
    with lab.opened():
        lab.settled(lambda: lab.picture, streams=False)
        assert lab.run.done == 1
    assert lab.readout()["splits_done"] == "2 of 2"


@pytest.fixture
def gate(monkeypatch):
    """Splits are made when it is released; what is kept comes in one piece, however busy the machine is."""
    made, gate = Split.of, threading.Semaphore(0)

    def late(*args, **options):
        assert gate.acquire(timeout=20)
        return made(*args, **options)

    monkeypatch.setattr(bag_splits.Split, "of", late)
    monkeypatch.setattr(module, "PAUSE", 60.0)
    return gate


@pytest.fixture
def begun(small, gate, lab):
    """A lab on show with one of ten splits done, and another one on its way."""
    gate.release(2)
    lab.readout()
    lab.face = Face(lab)
    lab.face.show()
    lab.face.listen()
    lab.set(seed=5, splits=10)
    assert lab.run.done == 0
    gate.release(1)
    until(lambda: lab.run.done == 1)
    return lab


def test_stop_keeps_the_splits_that_are_done(begun, gate):
    begun.stop()
    gate.release(9)
    done = begun.readout()["splits_done"]
    assert done in ("1 of 10", "2 of 10")
    assert f"means over {done} splits" in begun.alt
    begun.set(bag_noise=0.7)
    assert begun.readout()["splits_done"] == done, "it does not begin again"


def test_splits_are_given_up_when_inputs_move(begun, gate):
    job = begun.records[BagNoiseLab.run].job
    begun.set(seed=6, splits=2)
    gate.release(20)
    job.thread.join(10)
    assert job.done
    assert begun.readout()["splits_done"] == "2 of 2"
    assert not bag_splits.kept_split(Where("wine", "vision", 5, 2)).ready


def test_a_slider_keeps_the_splits_that_there_are(begun, gate):
    assert begun.set(c1=0.2).run.done == 1, "at once"
    gate.release(9)
    assert begun.readout()["splits_done"] == "10 of 10"


def test_before_the_first_split_there_is_nothing_to_say(begun, gate):
    begun.set(seed=7)
    told = begun.shown_numbers()
    assert "PL A-kNN errs" not in told
    assert told["splits done"] == "0 of 10"
    assert "PL A-kNN not known yet" in begun.alt
    gate.release(20)
    assert begun.settled(lambda: "PL A-kNN errs" in begun.shown_numbers())


def until(there, seconds=20):
    """Wait for something to be there."""
    end = time.monotonic() + seconds
    while not there():
        assert time.monotonic() < end
        time.sleep(0.005)


def test_names_on_screen_differ_and_hold_all_numbers(quick, lab):
    assert len(set(BagNoiseLab.number_names.values())) == len(BagNoiseLab.number_names)
    assert set(BagNoiseLab.number_names) | {"threshold"} == set(lab.readout())
    names = {key: name for key, name in BagNoiseLab.number_names.items() if key not in RIVAL_KEYS}
    assert list(lab.shown_numbers()) == list(names.values())
    lab.set(rivals="all").readout()
    assert list(lab.shown_numbers()) == list(BagNoiseLab.number_names.values())


def test_two_states_have_two_texts_with_their_numbers(lab):
    texts = [lab.alt, lab.set(bag_noise=0.6).alt, lab.set(c1=0.2).alt]
    assert len(set(texts)) == 3
    assert lab.told_numbers() in texts[-1]
    mean = lab.errors["vote"][0]
    assert f"10-NN {mean[0]:.4g} at 0, {mean[-1]:.4g} at 0.8" in texts[-1]


@pytest.mark.parametrize(("kind", "inclusion"), [("confusion", 0.8), ("another label", 0.6), ("removal", 0.7)])
def test_nu_star_stands_where_the_formula_has_it(lab, kind, inclusion):
    lab.set(kind=kind, inclusion=inclusion)
    expected = largest_noise(3, inclusion, module.KINDS[kind])
    for panel in lab.panels:
        line = next(layer for layer in panel.layers if layer.name == "aligned")
        assert line.x == pytest.approx([expected] * 2)


def test_nu_star_beyond_the_curves_is_not_drawn(lab):
    for panel in lab.set(inclusion=0.0).panels:
        assert [len(layer.x) for layer in panel.layers if layer.name.startswith("aligned")] in ([0], [0, 0])


def test_what_is_refused(lab):
    before = lab.values
    for changes, sentence in (
        ({"bag_noise": 0.35}, r"bag noise nu must be one of 0, 0.1, 0.2 and so on to 0.8, got 0.35"),
        ({"max_neighbors": 143}, "largest k T must be between 10 and 142, got 143"),
        ({"c1": 0.0}, "band constant c1 must be between 0.05 and 3, got 0"),
        ({"kind": "mud"}, "noise must be one of confusion, another label, removal"),
    ):
        with pytest.raises(ValueError, match=sentence):
            lab.set(**changes)
    assert lab.values == before


def test_small_data_have_fewer_neighbors(faced):
    faced.set(data="digits", splits=1, max_neighbors=MOST)
    faced.set(data="wine", preparation="raw")
    assert faced.max_neighbors == 142
    assert "The largest k is 142" in faced.face.message.value
    assert faced.face.controls["max_neighbors"].options[-1] == ("142", 142)
    assert faced.readout()["splits_done"] == "1 of 1"


def test_a_place_over_nu_is_the_nearest_noise(lab):
    for x, noise in ((0.34, 0.3), (-0.2, 0.0), (0.9, 0.8), (0.6499, 0.6)):
        assert lab.pick("stop", x, 0.5) == {"bag_noise": noise}
        assert lab.set(**lab.pick("error", x, 0.1, "noise_grip")).bag_noise == noise


def test_scenes_and_new_splits(lab):
    again = BagNoiseLab.from_scene(lab.set(c1=0.7, kind="removal").scene())
    assert again.readout() == lab.readout()
    texts = [text for text, *_ in lab.actions()]
    assert texts == ["New splits", "Stop", "Reset"]
    lab.actions()[0][2]()
    assert lab.seed == 1


def test_the_projector_stands_on_its_own_sheet(lab):
    large = BagNoiseLab(projector=True, data="wine", splits=2, max_neighbors=30)
    assert large.picture.size == module.PROJECTOR.size
    assert large.readout() == lab.readout()


def test_no_preset_names_an_answer():
    assert not [preset.name for preset in BagNoiseLab.presets if re.search("align|undecided|break|worse", preset.name)]


def test_a_hand_draws_nothing_with_matplotlib(faced, monkeypatch):
    drawn = []
    faced.set(data="digits", splits=1, c1=0.5)
    faced.readout()
    monkeypatch.setattr("knnviz.views.static.chrome", lambda *args, **options: drawn.append(args))
    for each in ({"bag_noise": 0.7}, {"c1": 0.55}, {"delta": 0.2}, {"inclusion": 0.75}, {"fallback": "majority"}):
        faced.set(**each)
        faced.readout()
        assert faced.face.canvas.frame["state"] == faced.values
    assert not drawn


def test_the_nu_in_hand_alone_sends_marks_alone(faced, monkeypatch):
    canvas, sent = faced.face.canvas, []
    monkeypatch.setattr(canvas, "_send", lambda message, buffers=None: sent.append(sorted(message["state"])))
    faced.bag_noise = 0.4
    layers = {name for state in sent for name in state if name.startswith("layer_")}
    marks = {f"layer_{panel}_{mark}" for panel in ("error", "stop", "decided") for mark in ("at_noise", "here")}
    assert layers == marks | {"layer_error_noise_grip"}


def test_the_axis_of_errors_holds_all_means(lab):
    for changes in ({"inclusion": 0.0}, {"kind": "removal", "inclusion": 0.95}):
        highest = max(np.nanmax(mean) for mean, _ in lab.set(**changes).errors.values())
        assert highest <= lab.panels[0].axes.ylim[1]
        assert lab.top in view.TOPS


# Linear rivals


def test_curves_of_rivals_are_those_of_the_library(quick):
    """However points are made ready for neighbors."""
    look = {"data": "wine", "splits": 2, "seed": 3, "inclusion": 0.6, "kind": "another label", "max_neighbors": 30}
    lab = BagNoiseLab(**look, preparation="vision", rivals="all", bag_noise=0.4)
    read = lab.readout()
    settings = {"preparation": "raw", "kind": "other", "largest": 0.6, "standardize": True}
    *_, last = compare(*bag_splits.points("wine"), RIVALS, NOISES, splits=2, seed=3, k_max=1, **settings)
    assert read["rivals_done"] == "12 of 12"
    for curve, name in bag_rivals.NAMES.items():
        mean, error = lab.rival_errors[curve]
        assert np.array_equal(mean, last.mean("errors", name)), name
        assert np.array_equal(error, last.standard_error("errors", name)), name
        assert read[f"{curve}_error"] == pytest.approx(mean[NOISES.index(0.4)], abs=1e-6)


def test_every_choice_is_drawn_as_it_is_called(quick, lab):
    before = lab.readout()
    assert [before[key] for key in RIVAL_KEYS] == [None] * 7
    for choice, curves in bag_rivals.MENU.items():
        read = lab.set(rivals=choice).readout()
        assert {curve for curve in bag_rivals.NAMES if read[f"{curve}_error"] is not None} == set(curves)
        drawn = [layer for layer in lab.panels[0].layers if layer.name.removesuffix("_marks") in view.RIVALS]
        assert {layer.name for layer in drawn} == {name for curve in curves for name in (curve, f"{curve}_marks")}
        assert all(len(layer.x) == len(NOISES) for layer in drawn)
        banded = {layer.name for layer in lab.panels[0].layers if layer.name.endswith("_band")}
        assert len(banded - {f"{name}_band" for name in view.NEIGHBORS}) == (len(curves) == 1)
        assert {name: before[name] for name in before if name not in RIVAL_KEYS} == {
            name: read[name] for name in before if name not in RIVAL_KEYS
        }
        if curves:
            assert f"Linear rivals, {read['rivals_done']} curves of a split done." in lab.alt
        for panel in lab.panels[1:]:
            assert not {layer.name for layer in panel.layers} & {*view.RIVALS}


def test_rivals_are_fitted_once(quick, lab, monkeypatch):
    asked = []
    monkeypatch.setattr(bag_rivals, "outcome", counted(bag_rivals.outcome, asked))
    lab.set(rivals="CLPL").readout()
    assert len(asked) == 2 * len(NOISES)
    for changes in ({"c1": 0.2}, {"max_neighbors": 20}, {"bag_noise": 0.5}, {"preparation": "raw"}, {"splits": 1}):
        lab.set(**changes).readout()
    for changes in ({"rivals": "none"}, {"seed": 1}, {"seed": 0, "splits": 2, "rivals": "CLPL"}):
        lab.set(**changes).readout()
    assert len(asked) == 2 * len(NOISES)
    lab.set(rivals="all").readout()
    assert len(asked) == 12 * len(NOISES)
    lab.set(inclusion=0.2, rivals="PRODEN").readout()
    assert len(asked) == 14 * len(NOISES)


def test_rivals_come_split_after_split(quick):
    """And what is known at once, in one piece; what was sent does not change."""
    run = RivalRun.unknown(wheres(2), Bagging(0.8, "confusion"), ["clpl", "lws"])
    sent = list(run.stream(2, 60.0))
    assert [each.done for each in sent] == [0, 1, 2, 3, 4]
    assert [np.isfinite(each.errors).all(axis=1).sum(axis=0).tolist() for each in sent[:4]] == [
        [0, 0],
        [1, 0],
        [1, 1],
        [2, 1],
    ]
    assert [each.done for each in run.stream(2, 60.0)] == [4]
    more = RivalRun.unknown(wheres(3), Bagging(0.8, "confusion"), ["clpl", "lws"])
    assert [each.done for each in more.stream(3, 60.0)] == [4, 5, 6]
    alone = RivalRun.unknown(wheres(1, seed=7), more.bagging, ["lws"])
    assert [each.done for each in alone.stream(1, -1.0)] == [0] * 9 + [1]
    eager = RivalRun.unknown(wheres(2, seed=9), more.bagging, ["lws"])
    assert [each.done for each in eager.stream(0, 60.0, eager=True)] == [0]
    assert [each.done for each in eager.stream(1, 60.0, eager=True)] == [1]
    assert [each.done for each in eager.stream(2, 60.0, eager=True)] == [1, 2]


def test_a_lab_that_opens_waits_for_a_lone_rival_alone(quick, lab):
    lab.set(rivals="CLPL")
    with lab.opened():
        lab.settled(lambda: lab.picture, streams=False)
        assert lab.rival_run.done == 1
    lab.set(rivals="all", seed=4)
    with lab.opened():
        lab.settled(lambda: lab.picture, streams=False)
        assert (lab.run.done, lab.rival_run.done) == (1, 0)
    assert lab.readout()["rivals_done"] == "12 of 12"


@pytest.fixture
def held(quick, lab, monkeypatch):
    """A lab on show with rivals of which each fit waits for its release."""
    gate, fit = threading.Semaphore(0), bag_rivals.outcome

    def late(*args):
        assert gate.acquire(timeout=20)
        return fit(*args)

    monkeypatch.setattr(bag_rivals, "outcome", late)
    monkeypatch.setattr(module, "PAUSE", 60.0)
    lab.readout()
    lab.face = Face(lab)
    lab.face.show()
    lab.face.listen()
    lab.rivals = "all"
    yield lab, gate
    lab.stop()
    gate.release(1000)
    for thread in threading.enumerate():
        if thread.name == "BagNoiseLab.rival_run":
            thread.join(10)


def test_no_slider_waits_for_a_rival(held):
    """Neither where the bags stay nor where they move: nearest neighbors are there while not a single fit is."""
    lab, gate = held
    until(lambda: lab.records[BagNoiseLab.rival_run].job is not None)
    for changes in ({"c1": 0.2}, {"bag_noise": 0.6}, {"max_neighbors": 20}, {"inclusion": 0.4}, {"kind": "removal"}):
        begun = time.monotonic()
        lab.set(**changes)
        assert lab.run.done >= 1, changes
        assert np.isfinite(lab.means["partial"]).all()
        assert time.monotonic() - begun < 5
        assert lab.rival_run.done == 0
    assert "done" in next(layer for layer in lab.panels[0].layers if layer.name == "progress").texts[0]
    gate.release(30)
    until(lambda: lab.rival_run.done > 0)
    assert lab.run.done == 2
    assert "CLPL errs" in lab.shown_numbers()
    assert "APL GCE errs" not in lab.shown_numbers()


def test_fits_are_given_up_when_bags_move_and_none_is_lost(held):
    lab, gate = held
    place = Where("wine", "vision", 0, 0), Bagging(0.8, "confusion")
    clpl, proden, lws = (kept_errors(*place, RIVALS[name]) for name in ("CLPL", "PRODEN", "LWS, beta 1"))
    gate.release(12)
    until(lambda: np.isfinite(proden.errors).sum() == 3)
    job = lab.records[BagNoiseLab.rival_run].job
    lab.set(inclusion=0.3, rivals="LWS, beta 2")
    gate.release(1000)
    job.thread.join(10)
    assert job.done
    assert lab.readout()["rivals_done"] == "2 of 2"
    assert (clpl.ready, np.isfinite(lws.errors).any()) == (True, False)
    assert lab.set(inclusion=0.8, rivals="CLPL").rival_run.done == 1, "at once"


def test_stop_keeps_the_rivals_that_are_done(held):
    lab, gate = held
    until(lambda: lab.run.done == 2)
    gate.release(10)
    until(lambda: lab.rival_run.done == 1)
    lab.stop()
    gate.release(1000)
    told = lab.readout()["rivals_done"]
    assert told in ("1 of 12", "2 of 12")
    assert lab.set(bag_noise=0.7).readout()["rivals_done"] == told, "they do not begin again"


def test_rivals_wait_for_the_splits_of_the_rules(quick, lab, gate):
    """They are fitted on splits that the rules are through with, so that all means are over the same splits."""
    gate.release(1)
    lab.set(splits=1).readout()
    lab.face = Face(lab)
    lab.face.show()
    lab.face.listen()
    lab.set(splits=3, rivals="CLPL")
    assert (lab.run.done, lab.rival_run.done, lab.rival_run.pieces) == (1, 0, 3)
    gate.release(9)
    assert lab.readout()["rivals_done"] == "3 of 3"


def test_rivals_have_no_curve_in_a_scene_that_does_not_ask(quick, lab):
    again = BagNoiseLab.from_scene(lab.set(rivals="APL, GCE").scene())
    assert again.readout() == lab.readout()
    with pytest.raises(ValueError, match="rivals must be one of none, CLPL, PRODEN"):
        lab.set(rivals="SVM")
