"""Curves: theory and reference runs, the same numbers wherever they are computed, and work that stops."""

import os
import threading
import time
import warnings
from dataclasses import dataclass

import numpy as np
import pytest
from distributed import Client, LocalCluster
from joblib import parallel_config, register_parallel_backend
from joblib._parallel_backends import ThreadingBackend
from refusals import refuses
from risk_rules import Always, Midrange, Signed

from knnviz import LabelNoise, NeighborTable, Problem, Threshold, Vote, VoteProfile, breast_cancer, checkerboard, risk
from knnviz.problems import Resolution, gaussians, plateau, waves

NOISE = LabelNoise(0.1, 0.3)
KNOWN = Threshold.from_rates(0.1, 0.3)


def some(**changes):
    """A small curve over k on the checkerboard."""
    setting = {"over": {"k": [1, 9, 40]}, "n": 60, "noise": NOISE, "repeats": 4, "flips": 2, "resolution": 12}
    return risk.curve(checkerboard(), {"vote": Vote(), "known": KNOWN}, **setting | changes)


def test_a_cell_of_a_curve_is_the_risk_of_its_own_sample():
    """Streams: spawned from the seed for each repeat, the first flip by the sample's v, the next ones after it."""
    curve = some()
    problem, cells = checkerboard(), checkerboard().measure(12)
    for repeat, source in enumerate(np.random.SeedSequence(0).spawn(4)):
        rng = np.random.default_rng(source)
        sample = problem.sample(60, rng)
        for flip, v in enumerate((sample.v, rng.random(60))):
            table = NeighborTable.build(sample.X, cells.points, 9)
            labels = KNOWN.predict(VoteProfile.count(table, NOISE.flip(sample.y, v), 2), 9)
            expected = risk.exact(labels, problem.eta(cells.points), cells.weights)
            assert curve.risks[repeat, flip, 1, 1] == pytest.approx(expected, abs=1e-12)


def test_a_curve_over_n_draws_anew_for_each_n():
    problem = plateau(0.1, 0.3)
    curve = risk.curve(problem, Vote(), over={"n": [50, 20]}, k=lambda n: n // 10, repeats=2, seed=3)
    assert curve.values.tolist() == [50, 20]
    stream = np.random.SeedSequence(3).spawn(2)[1].spawn(2)[0]
    single = problem.sample(50, np.random.default_rng(stream))
    cells = problem.measure(20_000)
    votes = VoteProfile.count(NeighborTable.build(single.X, cells.points, 5), single.y, 2)
    expected = risk.exact(Vote().predict(votes, 5), problem.eta(cells.points), cells.weights)
    assert curve.risks[1, 0, 0, 0] == pytest.approx(expected, abs=5e-4)


def test_attributes_of_a_curve():
    curve = some()
    assert (curve.over, curve.names, curve.values.tolist()) == ("k", ("vote", "known"), [1, 9, 40])
    assert curve.risks.shape == (4, 2, 2, 3)
    assert (curve.done, curve.pieces) == (4, 4)
    assert np.allclose(curve.mean, curve.risks.mean(axis=(0, 1)))
    assert np.allclose(curve.standard_error, curve.risks.mean(axis=1).std(axis=0, ddof=1) / 2)
    assert curve.bayes_risk == pytest.approx(checkerboard().bayes_risk(12), abs=1e-12)
    assert curve.bayes_risk <= curve.risks.min() < curve.risks.max() < 1


def test_with_a_single_repeat_the_error_is_over_its_flips():
    curve = some(repeats=1, flips=5)
    assert np.allclose(curve.standard_error, curve.risks[0].std(axis=0, ddof=1) / np.sqrt(5))
    assert np.isnan(some(repeats=1, flips=1).standard_error).all()


@pytest.mark.parametrize("over", ["k", "n"])
def test_pieces_fill_the_curve_in(over):
    """Over n all sizes of the first repeat come first, ascending; no step warns of what is not there yet."""
    axes = {"over": {"k": [1, 3]}, "n": 30} if over == "k" else {"over": {"n": [30, 10, 20]}, "k": 3}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        curves = list(
            risk.stream(checkerboard(), Vote(), repeats=2, resolution=Resolution(integral_cells=(5, 5)), **axes)
        )
        means = [(curve.mean, curve.standard_error) for curve in curves]
    assert [curve.done for curve in curves] == list(range(1, curves[0].pieces + 1))
    assert curves[0].pieces == (2 if over == "k" else 6)
    known = [np.isfinite(mean[0]).tolist() for mean, _ in means]
    if over == "n":
        assert known[:3] == [[False, True, False], [False, True, True], [True, True, True]]
    assert np.isnan(means[0][1]).all()
    assert np.isfinite(means[-1][1]).all()
    assert np.isnan(curves[0].risks).any(), "a curve once given does not change"


def test_rules_by_name_alone_or_in_a_row():
    row = {"over": {"k": [9]}, "n": 60, "repeats": 1, "resolution": 5}
    assert risk.curve(checkerboard(), Vote(), **row).names == ("Vote()",)
    several = risk.curve(checkerboard(), [Vote(), Threshold(0.4)], **row)
    assert several.names == ("Vote()", "Threshold(threshold=0.4)")


def test_several_classes_without_noise():
    for problem in (waves(), gaussians(5, dimension=2)):
        curve = risk.curve(
            problem,
            Vote(),
            over={"n": [50, 800]},
            k=lambda n: n // 25,
            repeats=6,
            resolution=Resolution(integral_cells=(50, 50)),
        )
        assert curve.bayes_risk < curve.mean[0, 1] < curve.mean[0, 0]


@dataclass(frozen=True, eq=False)
class Rounded(Problem):
    """A problem whose points coincide."""

    def points(self, n, rng):
        return np.round(super().points(n, rng), 1)


def test_points_that_coincide_on_a_line_are_measured_on_the_grid():
    line = plateau(0.1, 0.3)
    problem, cells = Rounded("rounded", line.eta, line.box), line.measure(300)
    curve = risk.curve(
        problem,
        [Vote(), Midrange()],
        over={"k": [3, 15]},
        n=40,
        repeats=2,
        resolution=Resolution(integral_cells=(300, 300)),
    )
    sample = problem.sample(40, np.random.default_rng(np.random.SeedSequence(0).spawn(2)[1]))
    draws = [(sample.y, [Vote(), Midrange()])]
    expected = risk.sweep(sample.X, cells.points, line.eta(cells.points), draws, [3, 15], weights=cells.weights)
    assert np.array_equal(curve.risks[1], expected)


def test_a_distribution_on_finitely_many_points_is_measured_there():
    """Also where a sample happens to hold each point at most once."""
    line = np.linspace(0, 1, 5)[:, None]
    problem = Problem.from_atoms(line, np.full(5, 0.2), plateau(0.1, 0.3).eta(line))
    curve = risk.curve(problem, Vote(), over={"n": [2, 4]}, k=1, repeats=1)
    sample = problem.sample(4, np.random.default_rng(np.random.SeedSequence(0).spawn(1)[0].spawn(2)[1]))
    expected = risk.sweep(sample.X, line, problem.eta(line), [(sample.y, [Vote()])], [1])
    assert curve.risks[0, 0, 0, 1] == pytest.approx(expected[0, 0, 0], abs=1e-12)
    refuses("needs a density on a line, which atoms does not have", risk.Antiderivative.of, problem)


def test_real_data_are_split_anew_and_measured_on_the_test_part():
    dataset = breast_cancer()
    curve = risk.curve(dataset, Vote(), over={"n": [100, 300]}, k=9, noise=LabelNoise(0.1, 0.1), repeats=3, flips=2)
    seeds = [int(source.generate_state(1)[0]) for source in np.random.SeedSequence(0).spawn(3)]
    for repeat, seed in enumerate(seeds):
        split = dataset.with_seed(seed)
        for j, n in enumerate((100, 300)):
            sample = split.sample(n)
            votes = VoteProfile.count(
                NeighborTable.build(sample.X, split.X_test, 9), LabelNoise(0.1, 0.1).flip(sample.y, sample.v), 2
            )
            expected = risk.held_out(Vote().predict(votes, 9), split.y_test)
            assert curve.risks[repeat, 0, 0, j] == pytest.approx(expected, abs=1e-12)
    assert curve.bayes_risk is None
    assert len(np.unique(curve.risks)) > 3
    over_k = risk.curve(dataset, Vote(), over={"k": [9]}, n=100, noise=LabelNoise(0.1, 0.1), repeats=3)
    assert np.array_equal(over_k.risks[:, 0, 0, 0], curve.risks[:, 0, 0, 0])


WHERE = {"two threads": {"n_jobs": 2}, "all": {"n_jobs": -1}, "processes": {"backend": "loky", "n_jobs": 2}}


@pytest.mark.parametrize("where", list(WHERE))
def test_the_numbers_do_not_depend_on_where_they_are_computed(where):
    rules = {"vote": Vote(), "estimated": Midrange()}
    setting = {"over": {"n": [300, 40]}, "k": 7, "noise": NOISE, "repeats": 3, "flips": 2, "seed": 5}
    for problem in (checkerboard(), plateau(0.1, 0.3)):
        with parallel_config(**WHERE[where]):
            elsewhere = risk.curve(problem, rules, **setting).risks
        assert np.array_equal(elsewhere, risk.curve(problem, rules, **setting, n_jobs=1).risks)


def test_a_cluster_of_dask_gives_the_same_numbers(tmp_path):
    setting = {"over": {"n": [300, 40]}, "k": 7, "noise": NOISE, "repeats": 3}
    rules = {"vote": Vote(), "known": KNOWN, "signed": Signed(str(tmp_path))}
    options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": ":0", "silence_logs": "ERROR"}
    with LocalCluster(**options) as cluster, Client(cluster) as client:
        with parallel_config("dask"):
            elsewhere = risk.curve(plateau(0.1, 0.3), rules, **setting)
        workers = {str(pid) for pid in client.run(os.getpid).values()}
        ran = {path.name for path in tmp_path.iterdir()}
    assert ran
    assert ran <= workers
    assert np.array_equal(elsewhere.risks, risk.curve(plateau(0.1, 0.3), rules, **setting).risks)


class Plain(ThreadingBackend):
    """A back-end that cannot hand over results one by one."""

    supports_return_generator = False


def test_a_back_end_without_generators_gives_all_at_the_end():
    register_parallel_backend("plain", Plain)
    with parallel_config("plain", n_jobs=2):
        elsewhere = list(
            risk.stream(
                checkerboard(),
                Vote(),
                over={"k": [1, 9]},
                n=60,
                repeats=3,
                resolution=Resolution(integral_cells=(5, 5)),
            )
        )
    here = risk.curve(
        checkerboard(), Vote(), over={"k": [1, 9]}, n=60, repeats=3, resolution=Resolution(integral_cells=(5, 5))
    )
    assert len(elsewhere) == 3
    assert np.array_equal(elsewhere[-1].risks, here.risks)


class Slow(Always):
    """A rule that takes its time."""

    def predict(self, profile, k):
        time.sleep(0.02)
        return super().predict(profile, k)


@pytest.mark.parametrize("n_jobs", [None, 1, 2])
def test_closing_a_stream_ends_the_work(n_jobs):
    rule, threads = Slow(), threading.active_count()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        curves = risk.stream(
            checkerboard(),
            rule,
            over={"k": [1]},
            n=10,
            repeats=200,
            resolution=Resolution(integral_cells=(2, 2)),
            n_jobs=n_jobs,
        )
        assert next(curves).done == 1
        curves.close()
        asked = rule.asked
        time.sleep(0.2)
    # What two threads had begun may end; two more pieces may have been handed over for each.
    assert asked <= 1 + 3 * (n_jobs or 1)
    assert rule.asked - asked <= 2
    # Threads of earlier tests may have ended meanwhile.
    assert threading.active_count() <= threads


def test_a_stream_works_only_when_it_is_asked():
    rule = Always()
    curves = risk.stream(
        checkerboard(), rule, over={"k": [1]}, n=10, repeats=5, resolution=Resolution(integral_cells=(2, 2))
    )
    assert rule.asked == 0
    next(curves)
    assert rule.asked == 1
    curves.close()


@pytest.mark.parametrize("n_jobs", [None, 2])
def test_a_callback_sees_the_curve_grow_and_may_end_it(n_jobs):
    seen, rule = [], Slow()

    def callback(curve):
        seen.append(curve.done)
        return len(seen) < 3

    curve = risk.curve(
        checkerboard(),
        rule,
        over={"k": [1, 2]},
        n=10,
        repeats=60,
        resolution=Resolution(integral_cells=(2, 2)),
        n_jobs=n_jobs,
        callback=callback,
    )
    assert seen == [1, 2, 3]
    assert (curve.done, curve.pieces) == (3, 60)
    assert rule.asked < 40
    assert np.isfinite(curve.mean).all()
    assert some(callback=lambda curve: None).done == 4


def test_an_error_in_a_rule_is_raised():
    class Broken(Always):
        def predict(self, profile, k):
            raise ZeroDivisionError("broken")

    for n_jobs in (None, 2):
        with pytest.raises(ZeroDivisionError, match="broken"):
            risk.curve(
                checkerboard(),
                Broken(),
                over={"k": [1]},
                n=10,
                resolution=Resolution(integral_cells=(2, 2)),
                n_jobs=n_jobs,
            )


def test_progress(capsys):
    some()
    some(progress=False)
    some(callback=lambda curve: True)
    assert capsys.readouterr().err == ""
    some(progress=True)
    assert "risk over k: 100%" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"over": {"x": [1]}}, r"over must be {'k': values} or {'n': values}, got {'x': \[1\]}"),
        ({"over": [1, 2]}, "over must be {'k': values}"),
        ({"over": {"k": [1], "n": [2]}}, "over must be {'k': values}"),
        ({"over": {"k": []}}, r"values of k must be a sequence of whole numbers, got \[\]"),
        ({"over": {"k": 3}}, "values of k must be a sequence of whole numbers, got 3"),
        ({"over": {"k": [1.5]}}, "each value of k must be a whole number, got 1.5"),
        ({"over": {"k": [0]}}, "each value of k must be at least 1, got 0"),
        ({"over": {"k": [3, 3]}}, r"values of k must differ from each other, got \[3, 3\]"),
        ({"over": {"k": [1, 61]}}, "k must not exceed the number of points, got k = 61 with n = 60"),
        ({"k": 3}, "k is what the curve runs over, so it cannot be given as well"),
        ({"n": None}, "a curve over k needs a sample size n"),
        ({"n": 0}, "n must be at least 1, got 0"),
        ({"over": {"n": [10]}}, "n is what the curve runs over"),
        ({"over": {"n": [10]}, "n": None}, "a curve over n needs k"),
        ({"over": {"n": [10, 20]}, "n": None, "k": [1]}, "one number or one for each of 2 values of n, got 1"),
        ({"over": {"n": [10]}, "n": None, "k": 11}, "k must not exceed the number of points, got k = 11 with n = 10"),
        ({"over": {"n": [10]}, "n": None, "k": lambda n: n / 2}, r"k for n = 10 must be a whole number, got 5\.0"),
        ({"over": {"n": [10]}, "n": None, "k": [1.0]}, r"each k must be a whole number, got 1\.0"),
        ({"repeats": 0}, "repeats must be at least 1, got 0"),
        ({"flips": 1.5}, r"flips must be a whole number, got 1\.5"),
        ({"seed": -1}, "seed must be at least 0, got -1"),
        ({"resolution": 0}, "resolution must be at least 1, got 0"),
        ({"noise": 0.1}, r"noise must be a LabelNoise, got 0\.1"),
    ],
)
def test_refusals_come_at_once(changes, message):
    refuses(message, risk.stream, checkerboard(), Vote(), **{"over": {"k": [1]}, "n": 60} | changes)


@pytest.mark.parametrize(
    ("problem", "rules", "changes", "message"),
    [
        (waves(), Vote(), {"noise": LabelNoise(0.1, 0)}, "flips between two classes, but the problem has 3"),
        (breast_cancer(), Vote(), {"n": 500}, "n must be between 1 and 398, got 500"),
        (breast_cancer(), Vote(), {"resolution": 9}, "resolution needs a known distribution, but breast_cancer is"),
        (checkerboard(), [], {}, r"rules must be a rule, a sequence of rules or a mapping of names to rules, got \[\]"),
        (checkerboard(), 3, {}, "rules must be a rule"),
        (checkerboard(), [Vote(), Vote()], {}, "rules must differ from each other"),
        (checkerboard(), {"a": 3}, {}, "rules must have fit and predict, but a is 3"),
    ],
)
def test_refusals_of_what_cannot_go_together(problem, rules, changes, message):
    refuses(message, risk.stream, problem, rules, **{"over": {"k": [1]}, "n": 60} | changes)
