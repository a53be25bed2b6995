"""Numbers of lesson 07 and of its run sheet that no step checks: exam keys, scenes, explanations, and prose."""

import numpy as np
import pytest
from lesson_pages import stored
from sklearn.datasets import load_digits

from knnviz import NeighborTable
from knnviz.bags import BagProcess
from knnviz.bounds import errandonea
from knnviz.estimators import PartialLabelKNeighborsClassifier
from knnviz.labs import EliminationLab
from knnviz.labs.elimination import EXAMPLE_BAGS
from knnviz.lessons import content, exercises
from knnviz.lessons.openings import partial_labels
from knnviz.rules import PartialAdaptive

THIRDS = {"problem": "thirds", "bag_noise": 0.0, "x1": 0.17}


def frequency(process, *eta):
    return process.frequency(np.zeros((1, 1)), np.array([eta]))[0].round(9)


def walk(n, bags, **options):
    table = NeighborTable(np.arange(len(bags), dtype=np.int32)[None], n)
    return PartialAdaptive(**options).trace(table, np.resize(bags, (n, bags.shape[1])), bags.shape[1])


def test_exam():
    best, other = np.array([frequency(BagProcess(np.array([[0, b], [0, 0]])), 0.6, 0.4) for b in (0.32, 1 / 3, 0.34)]).T
    assert [*best, *np.sign(other - best)] == [0.6, 0.6, 0.6, -1, 0, 1]
    first, second, _ = frequency(BagProcess.even_inclusion(3, 0.4, 0.5), 0.6, 0.3, 0.1)
    assert (f"{first - second:.2f}", round((0.3 / (first - second)) ** 2)) == ("0.09", 11)
    assert [k for k in range(16, 26) if 1.2 / k**0.5 <= 4 / 16] == [24, 25]


def test_scenes_and_explanations():
    for a, lead, fractions in ((0.0, 4, [0.71, 0.14]), (0.8, 1, [0.94, 0.83])):
        held = EliminationLab(**THIRDS, inclusion=a, k=10).readout()["bags at x"]
        assert held["class 0"] - held["class 1"] == lead
        assert frequency(BagProcess.even_inclusion(3, a), 5 / 7, 1 / 7, 1 / 7)[:2].round(2).tolist() == fractions
    assert walk(100, EXAMPLE_BAGS, max_neighbors=12).eliminated_at.tolist() == [0, 11, 6]
    assert f"{PartialAdaptive().band_constant(100, 3):.3f}" == "1.415"
    assert f"{PartialAdaptive().band_constant(partial_labels.LABELED, 10):.2f}" == "1.71"
    crowded = BagProcess(np.tile([0.1, 0.9, 0.1], (3, 1)))
    assert frequency(crowded, 0.5, 0.4, 0.1)[:2].tolist() == [0.55, 0.94]
    assert round(EliminationLab(**THIRDS, n=4000, inclusion=0, max_neighbors=1000).readout()["mean stopping k"]) == 12


def test_the_scan_and_the_students_of_the_story():
    (X, bags), (_, near), y = partial_labels.archive(), partial_labels.answers(), load_digits().target
    n, scan = partial_labels.LABELED, partial_labels.SCAN
    assert [np.flatnonzero(bag).tolist() for bag in near[:3]] == [[4, 9], [4, 5, 7, 9], [4, 9]]
    assert (near.sum(axis=0)[[4, 9]].tolist(), f"{bags[np.arange(n), y[:n]].mean():.2f}") == ([9, 9], "0.99")
    order = NeighborTable.build(X[:n], X[[scan]], 100).indices[0]
    found = walk(n, bags[order], max_neighbors=100)
    assert (found.eliminated_at.tolist(), found.label, y[scan]) == ([3, 3, 3, 3, 40, 5, 3, 8, 3, 0], 9, 9)
    model = PartialLabelKNeighborsClassifier(max_neighbors=100)
    errors = [np.mean(model.fit(X[:n], each[:n]).predict(X[n:]) != y[n:]) for each in (bags, np.eye(10, dtype=bool)[y])]
    assert (len(y[n:]), np.round(errors, 2).tolist()) == (597, [0.15, 0.04])


def test_full_runs():
    full = {(row["nu"], row["measured"]): row for row in stored("errandonea_digits", "digits")}
    gap, low, high = full[0.6, "PL A-kNN above best k"], *(full[nu, "PL A-kNN above majority"] for nu in (0.3, 0.7))
    assert (f"{gap['value']:.2f}", f"{gap['value_se']:.2f}") == ("0.04", "0.01")
    assert full[0.6, "undecided, PL A-kNN"]["value"] > 0.5
    assert low["value"] / low["value_se"] < -3 < 3 < high["value"] / high["value_se"]
    assert f"{errandonea.largest_noise(10, 0.8):.2f}" == "0.71"
    errors = {(row["example"], row["c1"], row["rule"]): row["error"] for row in stored("errandonea_examples", "stops")}
    assert (f"{errors['Q2', 0.5, 'PL A-kNN']:.0%}", errors["Q2", 1.0, "PL A-kNN"]) == ("12%", 0)
    assert PartialAdaptive().least_k(5000, 3) == 3


@pytest.mark.parametrize("name", ["misled-points", "largest-lead"])
def test_solutions_agree_with_the_library(name):
    exercise = content.exercises()[name]
    for case, answer in zip(
        exercises.cases(exercise), exercises.known_results(exercise, exercise.solution), strict=True
    ):
        if name == "misled-points":
            inclusion, nu, eta = case
            often = BagProcess(inclusion, nu).frequency(np.zeros((len(eta), 1)), eta)
            assert np.array_equal(answer, often.argmax(axis=1) != eta.argmax(axis=1))
        else:
            bags = np.diff(case[0], axis=0, prepend=0).astype(bool)
            assert answer == walk(len(bags), bags, c1=5.0 if bags.shape[1] == 2 else 0.3, max_neighbors=100).label
