"""Curves: reference runs, the same numbers wherever they are computed, and work that stops."""

import threading
import time
import warnings
from dataclasses import dataclass

import numpy as np
import pytest
from distributed import Client
from joblib import parallel_config, register_parallel_backend
from joblib._parallel_backends import ThreadingBackend
from refusals import refuses

from knnviz import (
    LabelNoise,
    NeighborTable,
    Problem,
    Robust,
    Threshold,
    Vote,
    VoteProfile,
    breast_cancer,
    checkerboard,
)
from knnviz.problems import Measure, Resolution, plateau, waves
from knnviz.risk import curve, exact, stream
from knnviz.rules import Adaptive, Rule

NOISE = LabelNoise(0.1, 0.3)
RULES = {
    "vote": Vote(),
    "known": Threshold.from_rates(0.1, 0.3),
    "estimated": Robust(votes="order"),
}
COARSE = Resolution(integral_cells=(300, 12), repeats=4)
SOME = {"over": {"k": [1, 9, 40]}, "n": 60, "noise": NOISE, "flips": 2, "resolution": COARSE}


class Slow(Rule):
    """Class 0 everywhere, after a while; counts how often it predicts."""

    asked = 0

    def predict(self, profile, k):
        time.sleep(0.02)
        self.asked += 1
        return np.zeros(len(profile.at(k)), np.uint8)


def risk_of(rule, sample, observed, cells, eta, k):
    """The risk of one rule trained on one sample, on cells."""
    votes = VoteProfile.build(NeighborTable.build(sample.X, cells.points, k), observed, 2)
    return exact(eta, rule.predict(votes, k), weights=cells.weights)


def test_a_cell_of_a_curve_is_the_risk_of_its_own_sample():
    """Streams: one of the seed for each repeat; the sample's v flips first, next draws later."""
    found = curve(checkerboard(), RULES, **SOME)
    problem = checkerboard()
    cells, eta = problem.cells(12)
    for repeat, source in enumerate(np.random.SeedSequence(0).spawn(4)):
        rng = np.random.default_rng(source)
        sample = problem.sample(60, rng)
        for flip, v in enumerate((sample.v, rng.random(60))):
            observed = NOISE.flip(sample.y, v)
            expected = risk_of(RULES["known"], sample, observed, cells, eta, 9)
            assert found.risks[repeat, flip, 1, 1] == pytest.approx(expected, abs=1e-12)

    alone = curve(checkerboard(), RULES, **SOME, repeats=1)
    assert np.array_equal(alone.risks, found.risks[:1]), "no matter how many repeats follow"
    assert (found.over, found.names) == ("k", tuple(RULES))
    assert found.values.tolist() == [1, 9, 40]
    assert found.risks.shape == (4, 2, 3, 3)
    assert found.bayes_risk == pytest.approx(problem.bayes_risk(12), abs=1e-12)


def test_a_curve_over_n_draws_anew_for_each_n():
    problem = plateau(0.1, 0.3)
    asked = {"over": {"n": [50, 20]}, "repeats": 2, "seed": 3}
    found = curve(problem, Vote(), k=lambda n: n // 10, **asked)
    assert found.values.tolist() == [50, 20]
    assert found.names == ("Vote()",)

    _, second = np.random.SeedSequence(3).spawn(2)
    sample = problem.sample(50, np.random.default_rng(second.spawn(2)[0]))
    expected = risk_of(Vote(), sample, sample.y, *problem.cells(20_000), 5)
    assert found.risks[1, 0, 0, 0] == pytest.approx(expected, abs=5e-4)
    by_list = curve(problem, [Vote()], k=[5, 2], **asked)
    assert np.array_equal(by_list.risks, found.risks)


@pytest.mark.parametrize(
    ("axes", "pieces"),
    [({"over": {"k": [1, 3]}, "n": 30}, 2), ({"over": {"n": [30, 10, 20]}, "k": 3}, 6)],
)
def test_pieces_fill_the_curve_in(axes, pieces):
    """Over n all sizes of the first repeat come first, ascending; no step warns of missing ones."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        curves = list(stream(checkerboard(), Vote(), repeats=2, resolution=COARSE, **axes))
        known = [np.isfinite(each.mean[0]).tolist() for each in curves]
        errors = [each.standard_error for each in curves]
    assert curves[0].pieces == pieces
    assert [each.done for each in curves] == list(range(1, pieces + 1))
    if pieces == 6:
        assert known[:3] == [[False, True, False], [False, True, True], [True, True, True]]
    assert np.isnan(errors[0]).all()
    assert np.isfinite(errors[-1]).all()


@dataclass(frozen=True, eq=False)
class Rounded(Problem):
    """A problem whose points coincide."""

    def points(self, n, seed=0):
        return np.round(super().points(n, seed), 1)


LINE = plateau(0.1, 0.3)
FIVE = np.linspace(0, 1, 5)[:, None]


@pytest.mark.parametrize(
    "problem",
    [
        Rounded("rounded", LINE.eta, LINE.box),
        Problem.from_atoms(FIVE, np.full(5, 0.2), LINE.eta(FIVE)),
    ],
    ids=lambda problem: problem.name,
)
def test_points_that_may_coincide_on_a_line_are_measured_on_cells(problem):
    found = curve(problem, Vote(), over={"k": [3]}, n=4, repeats=2, resolution=COARSE)
    _, second = np.random.SeedSequence(0).spawn(2)
    sample = problem.sample(4, np.random.default_rng(second))
    expected = risk_of(Vote(), sample, sample.y, *problem.cells(300), 3)
    assert found.risks[1, 0, 0, 0] == pytest.approx(expected, abs=1e-12)


def test_real_data_are_split_anew_and_measured_on_the_test_part():
    dataset = breast_cancer()
    setting = {"noise": NOISE, "repeats": 3, "flips": 2}
    found = curve(dataset, Vote(), over={"n": [100, 300]}, k=9, **setting)
    for repeat, source in enumerate(np.random.SeedSequence(0).spawn(3)):
        split = dataset.with_seed(int(source.generate_state(1)[0]))
        m = len(split.y_test)
        held_out = Measure(split.X_test, np.full(m, 1 / m))
        for j, n in enumerate((100, 300)):
            sample = split.sample(n)
            assert np.array_equal(sample.X, split.X_train[:n])
            observed = NOISE.flip(sample.y, sample.v)
            expected = risk_of(Vote(), sample, observed, held_out, np.eye(2)[split.y_test], 9)
            assert found.risks[repeat, 0, 0, j] == pytest.approx(expected, abs=1e-12)
    assert found.bayes_risk is None

    over_k = curve(dataset, Vote(), over={"k": [9]}, n=100, **setting)
    assert np.array_equal(over_k.risks[:, 0, 0, 0], found.risks[:, 0, 0, 0])


class Plain(ThreadingBackend):
    """A back-end that cannot hand over results one by one."""

    supports_return_generator = False


register_parallel_backend("plain", Plain)
WHERE = {
    "all": {"backend": "threading", "n_jobs": -1},
    "processes": {"backend": "loky", "n_jobs": 2},
    "no generators": {"backend": "plain", "n_jobs": 2},
}


ELSEWHERE = {"over": {"n": [300, 40]}, "k": 7, "noise": NOISE, "repeats": 3, "flips": 2}


@pytest.mark.parametrize("where", WHERE)
def test_the_numbers_do_not_depend_on_where_they_are_computed(where):
    for problem in (checkerboard(), LINE):
        with parallel_config(**WHERE[where]):
            elsewhere = curve(problem, RULES, **ELSEWHERE)
        here = curve(problem, RULES, **ELSEWHERE, n_jobs=1)
        assert np.array_equal(elsewhere.risks, here.risks)


def test_a_cluster_of_dask_computes_the_same_numbers():
    with Client(processes=False, n_workers=2, dashboard_address=":0") as client:
        with parallel_config("dask"):
            elsewhere = curve(LINE, RULES, **ELSEWHERE)
        assert client.cluster.scheduler.transition_log, "tasks went to the cluster"
    assert np.array_equal(elsewhere.risks, curve(LINE, RULES, **ELSEWHERE).risks)


@pytest.mark.parametrize("n_jobs", [None, 1, 2])
def test_closing_a_stream_ends_the_work(n_jobs):
    """It works only when it is asked."""
    rule = Slow()
    setting = {"over": {"k": [1]}, "n": 10, "repeats": 200, "resolution": COARSE}
    threads = threading.active_count()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        curves = stream(checkerboard(), rule, **setting, n_jobs=n_jobs)
        assert rule.asked == 0
        assert next(curves).done == 1
        curves.close()
        asked = rule.asked
        time.sleep(0.2)

    # What two threads had begun may end; two more pieces may have been handed over for each.
    assert asked <= 1 + 3 * (n_jobs or 1)
    assert rule.asked - asked <= 2
    # Threads of earlier tests may have ended meanwhile.
    assert threading.active_count() <= threads


@pytest.mark.parametrize("n_jobs", [None, 2])
def test_an_error_in_a_rule_is_raised(n_jobs):
    class Broken(Rule):
        def predict(self, profile, k):
            raise ZeroDivisionError("broken")

    setting = {"over": {"k": [1]}, "n": 10, "resolution": COARSE, "n_jobs": n_jobs}
    with pytest.raises(ZeroDivisionError, match="broken"):
        curve(checkerboard(), Broken(), **setting)


def test_progress_is_shown_in_a_terminal_or_on_request(capsys):
    curve(checkerboard(), RULES, **SOME)
    assert capsys.readouterr().err == ""
    curve(checkerboard(), RULES, **SOME, progress=True)
    assert "risk over k: 100%" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("value", "changes"),
    [
        ("'x'", {"over": {"x": [1]}}),
        ("k = 61", {"over": {"k": [1, 61]}}),
        ("needs a sample size n", {"n": None}),
        (r"5\.0", {"over": {"n": [10]}, "n": None, "k": lambda n: n / 2}),
        (r"1\.5", {"flips": 1.5}),
        (r"got 0\.1", {"noise": 0.1}),
        ("not 3", {"problem": waves(), "noise": NOISE}),
        ("got 500", {"problem": breast_cancer(), "n": 500}),
        (r"Adaptive\(", {"rules": Adaptive()}),
        ("differ", {"rules": [Vote(), Vote()]}),
    ],
)
def test_refusals_come_at_once(value, changes):
    setting = {"problem": checkerboard(), "rules": Vote(), "over": {"k": [1]}, "n": 60}
    refuses(value, stream, **setting | changes)
