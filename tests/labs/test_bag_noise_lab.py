"""BagNoiseLab: its numbers beside the library and plain code; bags of a reader's own."""

import numpy as np
import pytest
from refusals import refuses
from small import SMALL

from knnviz.labs import BagNoiseLab
from knnviz.labs.bag_noise import NOISES, compare
from knnviz.labs.engine.words import Count
from knnviz.labs.parts.bag_menus import FALLBACKS, named
from knnviz.learnability.comparison import best_votes, compare_rules
from knnviz.problems import from_bags
from knnviz.rules import Adaptive, PartialAdaptive

WINE = named("wine")
NAMES = ("PL A-kNN", "A-kNN 1/C", "A-kNN size/C")
FIRST = ("confusion", "largest lead")
LAST = ("removal", "majority")


def opened(*data, **values):
    return BagNoiseLab(*data, **{"splits": 2, "resolution": SMALL} | values)


def compared(lab):
    """What the lab knows of all splits."""
    lab.readout()
    return next(call.value for call in lab.memo.calls.values() if call.given[0] is compare)


def is_that_of_the_library(lab, last):
    found = compared(lab)
    for i, name in enumerate(NAMES[: len(last.names)]):
        stops = last.stop_k[:, :, i].mean(axis=0)
        decided = last.decided[:, :, i].mean(axis=0)
        assert np.array_equal(found.errors[name], last.errors[:, :, i]), name
        assert found.stops[name] == pytest.approx(stops, abs=1e-12)
        assert found.decided[name] == pytest.approx(decided, abs=1e-12)
    assert np.array_equal(found.errors["10-NN"], last.vote_errors[:, :, 9])
    best_k, errors = best_votes(last.vote_errors)
    assert np.array_equal(found.stops["best k"], best_k)
    assert np.array_equal(found.errors["best k"], errors)


@pytest.mark.parametrize(("preparation", "kind", "fallback"), [("raw", *FIRST), ("vision", *LAST)])
def test_curves_are_those_of_the_library(preparation, kind, fallback):
    band = {"c1": 0.3, "delta": 0.2, "max_neighbors": 40}
    rules = {
        "partial": PartialAdaptive(**band, fallback=FALLBACKS[fallback]),
        "classes": Adaptive(**band),
        "bag_size": Adaptive(**band, baseline="bag_size"),
    }
    options = {"preparation": preparation, "kind": kind, "largest": 0.6, "standardize": True}
    *_, last = compare_rules(WINE.X, WINE.y, rules, NOISES, splits=2, seed=3, k_max=40, **options)

    here = {"preparation": preparation, "kind": kind, "fallback": fallback, "inclusion": 0.6}
    lab = opened(problem="wine", seed=3, **here, **band)

    is_that_of_the_library(lab, last)


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
    _, means, stops, decided = compared(lab)
    expected = {
        "A-kNN size/C errs": means["A-kNN size/C"][j],
        "PL A-kNN stops at": stops["PL A-kNN"][j],
        "A-kNN 1/C decided": decided["A-kNN 1/C"][j],
        "nu*": 0.2 / (0.2 + 0.8 / 3),
    }

    read = lab.readout()

    assert {name: read[name] for name in expected} == pytest.approx(expected, abs=1e-6)


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
    is_joined = rng.random((n, 1)) < 0.5
    S = labels[y] | (labels[(y + 1) % 3] * is_joined)
    X = rng.normal(size=(n, 4)) + y[:, None]
    return from_bags(X, S, y, name=name)


@pytest.mark.parametrize("kind", ["removal", "confusion"])
def test_it_opens_on_own_bags_as_the_paper_has_real_data(kind):
    """Noise of another kind puts a label that is drawn in the place of the true one."""
    mine = own_bags()
    lab = opened((mine.X, mine.S, mine.y), bag_noise=0.0)
    values = lab.values
    assert values["problem"] == "bags"
    assert values["preparation"] == "tabular"
    assert values["kind"] == "removal"
    assert values["max_neighbors"] == 50

    band = {"max_neighbors": 50}
    rules = {"partial": PartialAdaptive(**band), "classes": Adaptive(**band)}
    options = {"bags": mine.S, "kind": kind, "preparation": "tabular"}
    *_, last = compare_rules(mine.X, mine.y, rules, NOISES, splits=2, k_max=50, **options)
    is_that_of_the_library(lab.set(kind=kind), last)
    assert "nu*" not in lab.readout()


def test_few_own_bags_are_raw_and_too_few_refused():
    lab = opened(own_bags(40, name="few"))
    assert (lab.preparation, lab.max_neighbors) == ("raw", 32)
    needs = ".* got vision: vision needs 51 points to train on, tabular 101, and there are 32$"
    refuses(needs, lab.set, preparation="vision")

    assert opened(own_bags(name="wine")).problem == "wine (2)"

    too_few = "^tiny leaves 9 points to train on, and 10 neighbors vote$"
    refuses(too_few, BagNoiseLab, own_bags(12, name="tiny"))
    no_bags = "^data must be a BagTable, or points X, bags S and true classes y, got dict"
    refuses(no_bags, BagNoiseLab, {"X": 1})
