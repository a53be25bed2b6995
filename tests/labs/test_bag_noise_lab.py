"""BagNoiseLab: its numbers beside the library and plain code; bags of a reader's own."""

import numpy as np
import pytest
from refusals import refuses
from small import SMALL

from knnviz.labs import BagNoiseLab
from knnviz.labs.bag_noise import NOISES, compare
from knnviz.labs.engine.words import Count
from knnviz.labs.parts.bag_choices import FALLBACKS, KINDS
from knnviz.labs.parts.bag_tables import named
from knnviz.learnability.comparison import BagSplit, compare_rules
from knnviz.problems import from_bags
from knnviz.rules import Adaptive, PartialAdaptive

WINE = named("wine")
NAMES = ("PL A-kNN", "A-kNN 1/C", "A-kNN size/C")
FIRST = ("confusion", "largest lead")
LAST = ("another label", "majority")


def opened(*data, **values):
    return BagNoiseLab(*data, **{"splits": 2, "resolution": SMALL} | values)


def compared(lab):
    """What the lab knows of all splits."""
    lab.readout()
    return next(call.value for call in lab.memo.calls.values() if call.given[0] is compare)


def is_that_of_the_library(lab, last):
    found = compared(lab)
    for i, (name, key) in enumerate(zip(NAMES, last.names, strict=False)):
        assert np.array_equal(found.errors[name], last.errors[:, :, i]), name
        assert found.stops[name] == pytest.approx(last.mean("stop_k", key), abs=1e-12)
        assert found.decided[name] == pytest.approx(last.mean("decided", key), abs=1e-12)
    assert np.array_equal(found.errors["10-NN"], last.vote(10))
    assert np.array_equal(found.errors["best k"], last.best_vote())


@pytest.mark.parametrize(("preparation", "kind", "fallback"), [("raw", *FIRST), ("vision", *LAST)])
def test_curves_are_those_of_the_library(preparation, kind, fallback):
    band = {"c1": 0.3, "delta": 0.2, "max_neighbors": 40}
    partial = PartialAdaptive(**band, fallback=FALLBACKS[fallback])
    by_size = Adaptive(**band, baseline="bag_size")
    rules = {"partial": partial, "classes": Adaptive(**band), "bag_size": by_size}
    options = {"preparation": preparation, "kind": KINDS[kind], "largest": 0.6, "standardize": True}
    *_, last = compare_rules(WINE.X, WINE.y, rules, NOISES, splits=2, seed=3, k_max=40, **options)
    here = {
        "seed": 3,
        "preparation": preparation,
        "kind": kind,
        "fallback": fallback,
        "inclusion": 0.6,
    }
    is_that_of_the_library(opened(problem="wine", **here, **band), last)


def test_the_first_split_has_new_outcomes_at_once_and_all_splits_have_known_ones():
    lab = opened(problem="wine", preparation="raw", c1=0.5)
    at_first = lab.readout()
    assert lab.set(c1=1.0).numbers["splits done"] == Count(1, 2)
    assert lab.readout()["splits done"] == Count(2, 2)
    assert lab.set(c1=0.5).numbers["splits done"] == Count(2, 2)
    assert lab.readout() == at_first


def test_numbers_at_a_noise_are_those_of_the_curves_and_of_plain_code():
    lab = opened(problem="wine", max_neighbors=30, bag_noise=0.6, preparation="raw")
    j = NOISES.index(0.6)
    errors, means, stops, decided = compared(lab)
    expected = {
        "A-kNN size/C errs": means["A-kNN size/C"][j],
        "PL A-kNN stops at": stops["PL A-kNN"][j],
        "A-kNN 1/C decided": decided["A-kNN 1/C"][j],
        "nu*": 0.2 / (0.2 + 0.8 / 3),
    }
    aligned = []
    sizes = []
    for stream in np.random.SeedSequence(0).spawn(2):
        split = BagSplit.draw(WINE.X, WINE.y, stream, k_max=30, preparation="raw", standardize=True)
        alpha = split.process.inclusion[:, np.arange(3), (np.arange(3) + 1) % 3]
        # P(S_i) - P(S_l) for a label i without doubt: 0.4 (1 - a_i) + 0.2 (a_l - a_i).
        lead = 0.4 * (1 - alpha[:, :, None]) + 0.2 * (alpha[:, None, :] - alpha[:, :, None])
        aligned.append((lead > 0)[:, ~np.eye(3, dtype=bool)].all(axis=1).mean())
        sizes.append(split.bags(0.6).sum(axis=1).mean())
    expected |= {"clusters aligned": np.mean(aligned), "mean bag size": np.mean(sizes)}
    assert {name: lab.readout()[name] for name in expected} == pytest.approx(expected, abs=1e-6)
    assert lab.readout()["10-NN not better in"] == (
        sum(errors["PL A-kNN"][:, j] <= errors["10-NN"][:, j]),
        2,
    )


def test_noises_beside_the_nine_are_refused():
    refuses(
        r"^bag noise nu must be one of 0, 0.1, 0.2 and so on to 0.8, got 0.35$",
        opened().set,
        bag_noise=0.35,
    )


# Bags of a reader's own


def own_bags(n=150, name="mine"):
    """Three clouds; the next label joins half of the bags."""
    rng = np.random.default_rng(0)
    y = np.arange(n) % 3
    labels = np.eye(3, dtype=int)
    S = labels[y] | (labels[(y + 1) % 3] * (rng.random(n) < 0.5)[:, None])
    return from_bags(rng.normal(size=(n, 4)) + y[:, None], S, y, name=name)


@pytest.mark.parametrize("kind", ["removal", "another label", "confusion"])
def test_it_opens_on_own_bags_as_the_paper_has_real_data(kind):
    """Noise of another kind puts a label that is drawn in the place of the true one."""
    mine = own_bags()
    band = {"max_neighbors": 50}
    lab = opened((mine.X, mine.S, mine.y), bag_noise=0.0)
    here = {name: lab.values[name] for name in ("problem", "preparation", "kind", "max_neighbors")}
    assert here == {
        "problem": "bags",
        "preparation": "tabular",
        "kind": "removal",
        "max_neighbors": 50,
    }
    options = {
        "splits": 2,
        "k_max": 50,
        "bags": mine.S,
        "kind": KINDS[kind],
        "preparation": "tabular",
    }
    rules = {"partial": PartialAdaptive(**band), "classes": Adaptive(**band)}
    *_, last = compare_rules(mine.X, mine.y, rules, NOISES, **options)
    is_that_of_the_library(lab.set(kind=kind), last)
    assert not {"nu*", "clusters aligned"} & set(lab.readout())


def test_few_own_bags_are_raw_and_too_few_refused():
    lab = opened(own_bags(40, name="few"))
    assert (lab.preparation, lab.max_neighbors) == ("raw", 32)
    needs = ".* got vision: vision needs 51 points to train on, tabular 101, and there are 32$"
    refuses(needs, lab.set, preparation="vision")
    assert opened(own_bags(name="wine")).problem == "wine (2)"
    with pytest.raises(
        ValueError, match=r"^tiny leaves 9 points to train on, and 10 neighbors vote$"
    ):
        BagNoiseLab(own_bags(12, name="tiny"))
    with pytest.raises(
        ValueError,
        match=r"^data must be a BagTable, or points X, bags S and true classes y, got dict",
    ):
        BagNoiseLab({"X": 1})
