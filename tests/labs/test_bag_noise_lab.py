"""BagNoiseLab: its numbers beside the library, plain code and the reference run; bags of a reader's own."""

import numpy as np
import pytest
from random_moves import refuses
from small import SMALL

from knnviz.bounds.errandonea import largest_noise
from knnviz.labs import BagNoiseLab
from knnviz.labs.bag_noise import NOISES, TOPS, compare
from knnviz.labs.parts.bag_choices import FALLBACKS, KINDS
from knnviz.labs.parts.bag_tables import named
from knnviz.learnability.comparison import BagSplit, compare_rules
from knnviz.lessons import published
from knnviz.problems import from_bags
from knnviz.rules import Adaptive, PartialAdaptive

DIGITS, WINE = published("errandonea_digits"), named("wine")


def opened(*data, **values):
    return BagNoiseLab(*data, **{"splits": 2, "resolution": SMALL} | values)


def compared(lab):
    """What the lab knows of all splits."""
    lab.readout()
    return next(call.value for call in lab.memo.calls.values() if call.function is compare)


def is_that_of_the_library(lab, last):
    found = compared(lab)
    for i, name in enumerate(last.names):
        assert np.array_equal(found.errors[name], last.errors[:, :, i]), name
        assert found.stops[name] == pytest.approx(last.mean("stop_k", name), abs=1e-12)
        assert found.decided[name] == pytest.approx(last.mean("decided", name), abs=1e-12)
    assert np.array_equal(found.errors["vote"], last.vote(10))
    assert np.array_equal(found.errors["best"], last.best_vote())
    assert np.array_equal(found.stops["best"], last.best_k())


@pytest.mark.parametrize(
    ("preparation", "kind", "fallback", "c1"),
    [("raw", "confusion", "largest lead", 0.5), ("vision", "another label", "majority", 0.3)],
)
def test_curves_are_those_of_the_library(preparation, kind, fallback, c1):
    settings = {"c1": c1, "delta": 0.2, "max_neighbors": 40}
    rules = {
        "partial": PartialAdaptive(**settings, fallback=FALLBACKS[fallback]),
        "classes": Adaptive(**settings),
        "bag_size": Adaptive(**settings, baseline="bag_size"),
    }
    options = {"preparation": preparation, "kind": KINDS[kind], "largest": 0.6, "standardize": True}
    *_, last = compare_rules(WINE.X, WINE.y, rules, NOISES, splits=2, seed=3, k_max=40, **options)
    here = {"seed": 3, "preparation": preparation, "kind": kind, "fallback": fallback, "inclusion": 0.6}
    is_that_of_the_library(opened(problem="wine", **here, **settings), last)


def test_numbers_at_a_noise_are_those_of_plain_code():
    read = opened(problem="wine", max_neighbors=30, bag_noise=0.6, preparation="raw").readout()
    rows = []
    for stream in np.random.SeedSequence(0).spawn(2):
        split = BagSplit.draw(WINE.X, WINE.y, stream, k_max=30, preparation="raw", standardize=True)
        bags = split.bags(0.6)
        alpha = split.process.inclusion[:, np.arange(3), (np.arange(3) + 1) % 3]
        # P(S_i) - P(S_l) for a label i without doubt: 0.4 (1 - a_i) + 0.2 (a_l - a_i).
        lead = 0.4 * (1 - alpha[:, :, None]) + 0.2 * (alpha[:, None, :] - alpha[:, :, None])
        aligned = (lead > 0)[:, ~np.eye(3, dtype=bool)].all(axis=1).mean()
        votes = np.array([bags[near[:10]].sum(axis=0).argmax() for near in split.table.indices])
        scan = PartialAdaptive(max_neighbors=30).scan(split.table, bags, 3)
        errors = np.mean(scan.labels != split.y_test), np.mean(votes != split.y_test)
        rows.append((*errors, scan.stop_k.mean(), scan.decided.mean(), bags.sum(axis=1).mean(), aligned))
    names = "PL A-kNN errs", "10-NN errs", "PL A-kNN stops at", "PL A-kNN decided", "mean bag size", "clusters aligned"
    assert [read[name] for name in names] == pytest.approx(np.mean(rows, axis=0), abs=1e-6)
    assert read["10-NN not better in"] == f"{sum(row[0] <= row[1] for row in rows)} of 2"
    assert read["nu*"] == pytest.approx(0.2 / (0.2 + 0.8 / 3), abs=1e-6)


@pytest.mark.parametrize("name", [preset.name for preset in BagNoiseLab.presets if preset.name != "Two labels"])
def test_presets_read_what_the_reference_run_does(name):
    """Its splits are others than ours: means may differ by what ours and its own vary."""
    lab = BagNoiseLab()
    found = compared(lab.set(**lab.preset_values(name)))
    key = {"Raw pixels": "raw pixels", "No wrong labels but noise": "no ambiguity", "T = 50": "T = 50"}.get(
        name, "main"
    )
    at_noises = {f"{noise:g}": NOISES.index(noise) for noise in (0.0, 0.3, 0.6)}
    if name.startswith("c1"):
        key, at_noises = "constants", {f"{lab.c1:g}": NOISES.index(0.3)}
    partial = "PL A-kNN, majority" if name == "Majority at T" else "PL A-kNN"
    names = {"partial": partial, "vote": "10-NN", "classes": "A-kNN", "bag_size": "A-kNN, mean bag size"}
    for value, at in at_noises.items():
        known = DIGITS[key]["values"][value]
        for curve, other in names.items():
            # The spread of a few splits alone may be too small by chance.
            spread = max(found.errors[curve][:, at].std(ddof=1), known["spread of PL A-kNN"])
            limit = 3 * spread * np.sqrt(1 / 5 + 1 / DIGITS[key]["splits"])
            assert abs(found.means[curve][at] - known[other]) < limit, (value, curve)
        stops = [found.stops[curve][at] for curve in ("partial", "classes")]
        assert stops == pytest.approx([known["mean k, PL A-kNN"], known["mean k, A-kNN"]], rel=0.12)
        assert 1 - found.decided["partial"][at] == pytest.approx(known["undecided, PL A-kNN"], abs=0.06)


def test_shapes_of_the_paper():
    """PL A-kNN is no worse than 10-NN in any split with noise, and far better than the extension of A-kNN."""
    lab = BagNoiseLab()
    errors, means, stops, _ = compared(lab)
    assert (errors["partial"][:, 1:] <= errors["vote"][:, 1:]).all()
    assert means["partial"][0] <= means["vote"][0]
    assert (means["classes"] - means["partial"] > 0.1).all()
    assert (np.diff(stops["partial"]) > 0).all()
    assert [lab.set(bag_noise=noise).readout()["clusters aligned"] for noise in (0.0, 0.6, 0.7)] == [1, 1, 1]
    assert lab.set(bag_noise=0.8).readout()["clusters aligned"] < 0.8


@pytest.mark.parametrize(("kind", "inclusion"), [("confusion", 0.8), ("another label", 0.6), ("removal", 0.95)])
def test_nu_star_stands_where_the_formula_has_it_and_errors_within_their_axis(kind, inclusion):
    lab = opened(problem="wine", kind=kind, inclusion=inclusion)
    star = largest_noise(3, inclusion, KINDS[kind])
    for panel in lab.picture.panels:
        assert next(layer.x for layer in panel.layers if layer.name == "aligned") == pytest.approx([star, star])
    top = lab.picture.panels[0].axes.ylim[1]
    assert max(map(np.max, compared(lab).means.values())) <= top
    assert top in TOPS
    lab.set(inclusion=0.0, kind="confusion")
    assert not [layer for layer in lab.picture.panels[0].layers if layer.name == "aligned"], "nu* is 1"


def test_a_click_over_nu_is_the_nearest_noise_and_others_are_refused():
    lab = opened(problem="wine", splits=1)
    for x, noise in ((0.34, 0.3), (-0.2, 0.0), (0.9, 0.8), (0.6499, 0.6)):
        assert lab.pick("stops", x, 0.5, None, 0) == {"bag_noise": noise}
        assert lab.set(**lab.pick("error", x, 0.1, "noise_grip", 0)).bag_noise == noise
    refuses(lab, {"bag_noise": 0.35}, r"bag noise nu must be one of 0, 0.1, 0.2 and so on to 0.8, got 0.35")


# Bags of a reader's own


def own_bags(n=150, shift=0.0, name="mine"):
    """Three clouds; the next label joins half of the bags."""
    rng = np.random.default_rng(0)
    y, labels = np.arange(n) % 3, np.eye(3, dtype=int)
    S = labels[y] | (labels[(y + 1) % 3] * (rng.random(n) < 0.5)[:, None])
    return from_bags(rng.normal(size=(n, 4)) + y[:, None] + shift, S, y, name=name)


def test_it_opens_on_own_bags_as_the_paper_has_real_data():
    mine, band = own_bags(), {"max_neighbors": 50}
    lab = opened(mine, bag_noise=0.0)
    here = {name: lab.values[name] for name in ("problem", "preparation", "kind", "max_neighbors")}
    assert here == {"problem": "mine", "preparation": "tabular", "kind": "removal", "max_neighbors": 50}
    options = {"splits": 2, "k_max": 50, "bags": mine.S, "kind": "removal", "preparation": "tabular"}
    rules = {"partial": PartialAdaptive(**band), "classes": Adaptive(**band)}
    *_, last = compare_rules(mine.X, mine.y, rules, NOISES, **options)
    is_that_of_the_library(lab, last)
    assert lab.readout()["mean bag size"] == pytest.approx(mine.S.sum(axis=1).mean(), abs=0.1)
    assert not {"nu*", "clusters aligned"} & set(lab.readout())
    assert "inclusion" in lab.hidden(lab.values)
    assert "inclusion" not in lab.hidden(lab.set(problem="wine").values)


@pytest.mark.parametrize("kind", ["another label", "confusion"])
def test_the_drawn_label_takes_the_place_of_the_true_one(kind):
    mine = own_bags()
    lab = opened((mine.X, mine.S, mine.y), kind=kind, preparation="raw")
    options = {"splits": 2, "k_max": 50, "bags": mine.S, "kind": KINDS[kind], "preparation": "raw", "standardize": True}
    *_, last = compare_rules(mine.X, mine.y, {"classes": Adaptive(max_neighbors=50)}, NOISES, **options)
    is_that_of_the_library(lab, last)


def test_few_own_bags_are_raw_and_too_few_refused():
    lab = opened(own_bags(40, name="few"))
    assert (lab.preparation, lab.max_neighbors) == ("raw", 32)
    refuses(
        lab,
        {"preparation": "vision"},
        ".* got vision: vision needs 51 points to train on, tabular 101, and there are 32",
    )
    assert opened(own_bags(name="wine")).problem == "wine (2)"
    with pytest.raises(ValueError, match=r"^tiny leaves 9 points to train on, and 10 neighbors vote$"):
        BagNoiseLab(own_bags(12, name="tiny"))
    with pytest.raises(ValueError, match=r"^data must be a BagTable, or points X, bags S and true classes y, got dict"):
        BagNoiseLab({"X": 1})
