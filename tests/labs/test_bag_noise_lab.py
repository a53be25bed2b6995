"""BagNoiseLab without a front end: its numbers beside the library and the reference run, stages, streams, presets."""

import threading

import numpy as np
import pytest
from fuzzer import Fuzzer
from knnviz.labs.old_parts.bag_choices import FALLBACKS, KINDS
from random_moves import page, press, ran, refuses, until
from reference_implementations import reference

from knnviz.bounds.errandonea import largest_noise
from knnviz.labs import BagNoiseLab
from knnviz.labs import bag_noise as module
from knnviz.labs.bag_noise import layers, splits
from knnviz.labs.bag_noise.splits import LARGEST_T, NOISES, BagSettings, Run, SplitKey
from knnviz.learnability.comparison import BagSplit, compare_rules
from knnviz.lessons import published
from knnviz.problems import from_bags
from knnviz.rules import Adaptive, PartialAdaptive

DIGITS = published("errandonea_digits")

#: Stages that compute: those that run again when a parameter moves, once all have run.
FROM_RUN = {"run", "error.errors", "error.means", "mean_stop_ks", "decided_fractions"}


@pytest.fixture
def lab(small):
    return BagNoiseLab(problem="wine", splits=2, max_neighbors=30)


def split_keys(count, seed=0):
    return [SplitKey("wine", "raw", seed, index) for index in range(count)]


@pytest.mark.parametrize(
    ("preparation", "kind", "fallback", "c1"),
    [("raw", "confusion", "largest lead", 0.5), ("vision", "another label", "majority", 0.3)],
)
def test_curves_are_those_of_the_library(small, preparation, kind, fallback, c1):
    settings = {"c1": c1, "delta": 0.2, "max_neighbors": 40}
    lab = BagNoiseLab(
        problem="wine",
        splits=2,
        seed=3,
        preparation=preparation,
        kind=kind,
        fallback=fallback,
        inclusion=0.6,
        **settings,
    )
    rules = {
        "partial": PartialAdaptive(**settings, fallback=FALLBACKS[fallback]),
        "classes": Adaptive(**settings),
        "bag_size": Adaptive(**settings, baseline="bag_size"),
    }
    options = {"preparation": preparation, "kind": KINDS[kind], "largest": 0.6, "standardize": True}
    *_, last = compare_rules(*splits.points("wine"), rules, NOISES, splits=2, seed=3, k_max=40, **options)
    found = lab.run.comparison
    assert found.names == last.names
    for name in ("errors", "stop_k", "decided", "vote_errors", "disagreement"):
        assert np.array_equal(getattr(found, name), getattr(last, name)), name


def test_numbers_at_a_noise_are_those_of_plain_code(lab):
    read, at = lab.set(bag_noise=0.6, preparation="raw").readout(), NOISES.index(0.6)
    rows, aligned, sizes, errors = [], [], [], []
    for stream in np.random.SeedSequence(0).spawn(2):
        split = BagSplit.draw(*splits.points("wine"), stream, k_max=30, preparation="raw", standardize=True)
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
    # Means of the same counts may differ in their last digit; the smallest k of them is the best.
    by_k = lab.run.comparison.vote_errors[:, at].mean(axis=0).round(12)
    expected = dict(zip(("error", "mean_stop_k", "decided"), np.mean(rows, axis=0), strict=True)) | {
        "vote_error": np.mean(errors),
        "mean_bag_size": np.mean(sizes),
        "aligned": np.mean(aligned),
        "wins": f"{sum(row[0] <= error for row, error in zip(rows, errors, strict=True))} of 2",
        "largest_noise": 0.2 / (0.2 + 0.8 / 3),
        "band_constant": 0.5 * np.sqrt(np.log(splits.training_size("wine")) + np.log(30)),
        "best_k": by_k.argmin() + 1,
        "best_k_error": by_k.min(),
    }
    assert {key: read[key] for key in expected} == pytest.approx(expected, abs=1e-6)


#: What the reference run has of each preset, and at which nu or constants.
KNOWN = {
    "Digits, as in the paper": ("main", NOISES[:8]),
    "T = 50": ("T = 50", (0, 0.3, 0.6)),
    "Raw pixels": ("raw pixels", (0, 0.3, 0.6)),
    "No wrong labels but noise": ("no ambiguity", (0, 0.3, 0.6)),
    "c1 = 1": ("constants", (1,)),
    "c1 = 0.1": ("constants", (0.1,)),
    "Majority at T": ("main", (0, 0.3, 0.6)),
}

#: Presets of which a single split says enough.
QUICK = sorted(KNOWN.keys() - {"Raw pixels", "No wrong labels but noise"})


@pytest.mark.parametrize(
    ("name", "splits"),
    [*((name, 1) for name in QUICK), *(pytest.param(name, 5, marks=pytest.mark.full) for name in KNOWN)],
)
def test_presets_read_what_the_reference_run_does(name, splits):
    """Its splits are others than ours: means may differ by what ours and its own vary."""
    lab = BagNoiseLab()
    lab.set(**lab.preset_values(name) | {"splits": splits})
    key, positions = KNOWN[name]
    partial = "PL A-kNN, majority" if name == "Majority at T" else "PL A-kNN"
    names = {"partial": partial, "vote": "10-NN", "classes": "A-kNN", "bag_size": "A-kNN, mean bag size"}
    for value in positions:
        known, at = DIGITS[key]["values"][f"{value:g}"], NOISES.index(0.3 if key == "constants" else value)
        for curve, other in names.items():
            mean, error = (values[at] for values in lab.error.errors[curve])
            # The spread of a few splits alone may be too small by chance.
            spread = np.fmax(error * np.sqrt(splits), known["spread of PL A-kNN"])
            limit = 3 * spread * np.sqrt(1 / splits + 1 / DIGITS[key]["splits"])
            assert abs(mean - known[other]) < limit, (value, curve, mean, known[other])
        stops = [lab.mean_stop_ks[curve][at] for curve in ("partial", "classes")]
        assert stops == pytest.approx([known["mean k, PL A-kNN"], known["mean k, A-kNN"]], rel=0.12)
        assert 1 - lab.decided_fractions["partial"][at] == pytest.approx(known["undecided, PL A-kNN"], abs=0.06)


@pytest.mark.parametrize("splits", [1, pytest.param(5, marks=pytest.mark.full)])
def test_shapes_of_the_paper(splits):
    """PL A-kNN is no worse than 10-NN in any split with noise, and far better than the extension of A-kNN."""
    lab = BagNoiseLab(splits=splits)
    run, errors = lab.run.comparison, {name: mean for name, (mean, _) in lab.error.errors.items()}
    assert (run.errors[:, 1:, 0] <= run.vote(10)[:, 1:]).all()
    assert errors["partial"][0] <= errors["vote"][0]
    assert (errors["classes"] - errors["partial"] > 0.1).all()
    assert (np.diff(lab.mean_stop_ks["partial"]) > 0).all()
    assert lab.readout()["band_constant"] == pytest.approx(reference("partial")["thresholds"]["A_n1437_c10"])
    assert [lab.set(bag_noise=noise).readout()["aligned"] for noise in (0.0, 0.6, 0.7)] == [1, 1, 1]
    assert lab.set(bag_noise=0.8).readout()["aligned"] < 0.8


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"bag_noise": 0.5}, set()),
        *(({name: value}, FROM_RUN) for name, value in (("c1", 0.2), ("fallback", "majority"), ("preparation", "raw"))),
        ({"inclusion": 0.5}, FROM_RUN | {"data.largest_noise"}),
    ],
    ids=lambda each: ", ".join(sorted(map(str, each))),
)
def test_a_control_runs_the_stages_that_depend_on_it_and_no_other(small, drawn, lab, changes, expected):
    assert ran(lab, **changes) & (FROM_RUN | {"data.largest_noise"}) == expected


def test_what_is_cached_is_not_computed_again(small, lab, monkeypatch):
    made, asked = [], []
    monkeypatch.setattr(splits.BagSplit, "draw", counted(BagSplit.draw, made))
    monkeypatch.setattr(splits, "rule_outcome", counted(splits.rule_outcome, asked))
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
    return lambda *args, **options: calls.append(args) or function(*args, **options)


def test_a_stream_sends_what_is_known_at_once(small):
    """Before a split that takes long, and after the pause; what is kept of splits comes in one piece, and stays."""
    options = BagSettings(0.8, "confusion"), {"partial": PartialAdaptive(max_neighbors=20)}, 20
    new = Run.unknown(split_keys(3), *options)
    sent = list(new.stream(60.0))
    assert [run.done for run in sent] == [0, 1, 2, 3]
    for run, known in zip(sent, range(4), strict=True):
        for values in (run.comparison.errors, run.comparison.vote_errors, run.aligned, run.sizes):
            assert np.isfinite(values[:known]).all()
            assert np.isnan(values[known:]).all()
    assert [run.done for run in new.stream(60.0)] == [3]
    assert [run.done for run in Run.unknown(split_keys(5), *options).stream(60.0)] == [3, 4, 5]
    assert [run.done for run in Run.unknown(split_keys(3), *options).stream(-1.0)] == [1, 2, 3]
    assert [run.done for run in Run.unknown(split_keys(2, seed=9), *options).stream(60.0, wait_for_first=True)] == [
        1,
        2,
    ]


@pytest.fixture
def gate(monkeypatch):
    """A gate before each split; what is kept comes in one piece, however busy the machine is."""
    split, opened = splits.BagSplit.draw, threading.Semaphore(0)

    def late(*args, **options):
        assert opened.acquire(timeout=20)
        return split(*args, **options)

    monkeypatch.setattr(splits.BagSplit, "draw", late)
    monkeypatch.setattr(module, "PAUSE", 60.0)
    return opened


@pytest.fixture
def begun(small, drawn, gate, lab):
    gate.release(2)
    lab.readout()
    page(lab)
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


def test_presets_without_a_reference_run():
    assert {preset.name for preset in BagNoiseLab.presets} - set(KNOWN) == {"Two labels"}


def test_all_numbers_are_shown_once_they_are_known(small, drawn, lab):
    names = BagNoiseLab.number_names
    assert set(names) | {"band_constant"} == set(lab.readout())
    assert list(lab.shown_numbers()) == list(names.values())
    press(lab, "New splits")
    assert lab.seed == 1


def test_a_slider_keeps_the_splits_that_there_are(begun, gate):
    assert begun.set(c1=0.2).run.done == 1, "at once"
    gate.release(9)
    assert begun.readout()["splits_done"] == "10 of 10"


def test_a_lab_that_opens_shows_a_split(small, drawn, lab):
    assert lab.background.wait(lambda: lab.picture and lab.run.done, slow=False) == 1
    assert lab.readout()["splits_done"] == "2 of 2"


def test_before_the_first_split_there_is_nothing_to_say(begun, gate):
    begun.set(seed=7)
    shown = begun.shown_numbers()
    assert "PL A-kNN errs" not in shown
    assert shown["splits done"] == "0 of 10"
    assert "PL A-kNN not known yet" in begun.alt
    gate.release(20)
    assert begun.background.wait(lambda: "PL A-kNN errs" in begun.shown_numbers())


@pytest.mark.parametrize(
    ("kind", "inclusion", "shown"),
    [("confusion", 0.8, True), ("another label", 0.6, True), ("removal", 0.95, True), ("confusion", 0.0, False)],
)
def test_nu_star_stands_where_the_formula_has_it(lab, kind, inclusion, shown):
    """The axis of errors holds all means."""
    lab.set(kind=kind, inclusion=inclusion)
    expected = [largest_noise(3, inclusion, KINDS[kind])] * 2 if shown else []
    for panel in lab.picture.panels:
        assert next(layer for layer in panel.layers if layer.name == "aligned").x == pytest.approx(expected)
    assert max(np.nanmax(mean) for mean, _ in lab.error.errors.values()) <= lab.picture.panels[0].axes.ylim[1]
    assert lab.error.end in layers.TOPS


def test_what_is_refused(lab):
    refuses(lab, {"bag_noise": 0.35}, r"bag noise nu must be one of 0, 0.1, 0.2 and so on to 0.8, got 0.35")
    most = splits.training_size("wine")
    refuses(lab, {"max_neighbors": most + 1}, f"largest k T must be between 10 and {most}, got {most + 1}")


def test_small_data_have_fewer_neighbors():
    lab = BagNoiseLab(problem="breast cancer", splits=1, max_neighbors=LARGEST_T)
    page(lab)
    lab.set(problem="wine", preparation="raw")
    assert lab.max_neighbors == 142
    assert "The largest k is 142" in page(lab).message
    assert page(lab).limits["max_neighbors"][-1] == ["142", 142]
    assert lab.readout()["splits_done"] == "1 of 1"


def test_a_click_over_nu_is_the_nearest_noise(lab):
    for x, noise in ((0.34, 0.3), (-0.2, 0.0), (0.9, 0.8), (0.6499, 0.6)):
        assert lab.pick("stops", x, 0.5, None, 0) == {"bag_noise": noise}
        assert lab.set(**lab.pick("error", x, 0.1, "noise_grip", 0)).bag_noise == noise


def test_moving_nu_sends_its_marks_alone(faced):
    page(faced).move(bag_noise=0.4)
    marks = {f"layer_{panel}_{mark}" for panel in ("error", "stops", "decided") for mark in ("at_noise", "here")}
    assert page(faced).sent == marks | {"layer_error_noise_grip"}


# Bags of a reader's own


def own_bags(n=150, shift=0.0, name="mine"):
    """Three clouds; the next label joins half of the bags."""
    rng = np.random.default_rng(0)
    y = np.arange(n) % 3
    X = rng.normal(size=(n, 4)) + y[:, None] + shift
    S = np.eye(3, dtype=int)[y] | (np.eye(3, dtype=int)[(y + 1) % 3] * (rng.random(n) < 0.5)[:, None])
    return from_bags(X, S, y, name=name)


def test_it_opens_on_own_bags_as_the_paper_has_real_data():
    mine = own_bags()
    lab = BagNoiseLab(mine, splits=2)
    opened = {name: lab.values[name] for name in ("problem", "preparation", "kind", "max_neighbors")}
    assert opened == {"problem": "mine", "preparation": "tabular", "kind": "removal", "max_neighbors": 50}
    rules = {"partial": PartialAdaptive(max_neighbors=50), "classes": Adaptive(max_neighbors=50)}
    options = {"splits": 2, "k_max": 50, "bags": mine.S, "kind": "removal", "preparation": "tabular"}
    *_, last = compare_rules(mine.X, mine.y, rules, NOISES, **options)
    found = lab.run.comparison
    assert np.array_equal(found.errors[:, :, :2], last.errors)
    assert np.array_equal(found.vote_errors, last.vote_errors)
    read = lab.set(bag_noise=0.0).readout()
    assert (read["aligned"], read["largest_noise"]) == (None, None)
    assert read["mean_bag_size"] == pytest.approx(mine.S.sum(axis=1).mean(), abs=0.1)
    assert not {"nu*", "clusters aligned"} & set(lab.shown_numbers())
    assert "Rules on bags of 'mine', means over 2 of 2 splits." in lab.alt


@pytest.mark.parametrize("kind", ["another label", "confusion"])
def test_the_drawn_label_takes_the_place_of_the_true_one(kind):
    mine = own_bags()
    lab = BagNoiseLab((mine.X, mine.S, mine.y), splits=1, kind=kind, preparation="raw", bag_noise=0.8)
    options = {"splits": 1, "k_max": 50, "bags": mine.S, "kind": KINDS[kind], "preparation": "raw", "standardize": True}
    *_, last = compare_rules(mine.X, mine.y, {"rule": Adaptive(max_neighbors=50)}, NOISES, **options)
    assert np.array_equal(lab.run.comparison.vote_errors, last.vote_errors)
    assert lab.problem == "bags"


def test_own_bags_have_no_inclusion_and_stand_in_the_menu():
    lab = BagNoiseLab(own_bags(), splits=1)
    assert "inclusion" in lab.hidden(lab.values)
    assert page(lab).limits["problem"][-1] == "mine"
    lab.set(problem="wine")
    assert "inclusion" not in lab.hidden(lab.values)
    lab.reset()
    assert (lab.problem, lab.kind) == ("mine", "removal")
    with pytest.raises(ValueError, match="must be one of digits, wine, breast cancer"):
        BagNoiseLab(problem="mine")


def test_own_bags_of_one_name_are_told_apart():
    names = [BagNoiseLab(own_bags(shift=shift, name="twin"), splits=1).problem for shift in (0.0, 0.0, 1.0)]
    assert names == ["twin", "twin", "twin (2)"]
    assert BagNoiseLab(own_bags(name="wine"), splits=1).problem == "wine (2)"


def test_few_own_bags_are_raw_and_too_few_refused():
    lab = BagNoiseLab(own_bags(40, name="few"), splits=1)
    assert (lab.preparation, lab.max_neighbors) == ("raw", 32)
    refuses(lab, {"preparation": "vision"}, "vision needs at least 51 points to train on, and there are 32")
    lab.show_preset("Two labels")
    assert (lab.problem, lab.preparation) == ("breast cancer", "vision")
    with pytest.raises(ValueError, match=r"^tiny leaves 9 points to train on, and 10 neighbors vote$"):
        BagNoiseLab(own_bags(12, name="tiny"))
    with pytest.raises(ValueError, match=r"^data must be a BagTable, or points X, bags S and true classes y, got dict"):
        BagNoiseLab({"X": 1})
    with pytest.raises(ValueError, match=r"^S must hold truth values, or 0 and 1$"):
        BagNoiseLab((np.eye(20), 2 * np.eye(20), np.arange(20)))


def test_more_own_bags_than_a_lab_takes_are_refused():
    with pytest.raises(
        ValueError, match=r"^a lab takes at most 1,000,000 rows, got 1,000,002: give it a sample of them"
    ):
        BagNoiseLab(own_bags(1_000_002))


def test_a_preparation_moves_where_data_are_too_few_for_it():
    lab = BagNoiseLab(own_bags(40, name="few"), splits=1).set(problem="wine").set(preparation="tabular")
    lab.set(problem="few")
    assert lab.preparation == "raw"
    said = "The preparation is raw: tabular needs at least 101 points to train on, and there are 32."
    assert said in lab.message


def test_a_scene_on_own_bags_needs_the_very_same_bags():
    scene = BagNoiseLab(own_bags(), splits=1, c1=0.4).scene()
    again = BagNoiseLab.from_scene(scene, own_bags())
    assert again.readout() == BagNoiseLab(own_bags(), splits=1, c1=0.4).readout()
    with pytest.raises(ValueError, match=r"'mine' is data of your own: give it to from_scene as data"):
        BagNoiseLab.from_scene(scene)
    with pytest.raises(ValueError, match=r"this scene is on 'mine' with .* but data is 'mine'"):
        BagNoiseLab.from_scene(scene, own_bags(shift=1.0))
    assert BagNoiseLab.from_scene(BagNoiseLab(problem="wine", splits=1).scene()).problem == "wine"


def test_random_moves_from_own_bags_to_other_data_and_back(small, drawn):
    lab = BagNoiseLab(own_bags(), splits=1)
    Fuzzer(lab).work(60)
    lab.reset()
    assert lab.problem == "mine"
