"""NoiseLab: its numbers beside plain Python and closed forms, its curves, and what moves k and
k'.
"""

import numpy as np
import pytest
from random_moves import layers
from small import SMALL

from knnviz import (
    LabelNoise,
    NeighborTable,
    Robust,
    Vote,
    VoteProfile,
    breast_cancer,
    checkerboard,
    noise,
    plateau,
    risk,
)
from knnviz.labs import NoiseLab
from knnviz.labs.noise import (
    BOTH_WAYS,
    CURVES,
    FROM_K,
    GROWING_K,
    KNOWN,
    OVER_K,
    OVER_K_NOISE,
    OVER_N,
    RATES,
)

FLIPS = LabelNoise(0.1, 0.3)


def small(**values):
    return NoiseLab(**{"n": 400, "k": 21, "k_noise": 30} | values, resolution=SMALL)


def votes(X, positions, labels, k):
    return VoteProfile.count(NeighborTable.build(X, positions, k), labels, 2)


@pytest.mark.parametrize("variant", ["threshold", "gao"])
@pytest.mark.parametrize("rates", RATES)
def test_numbers_are_those_of_plain_python(rates, variant):
    lab = small(n=500, seed=3, k=20, k_noise=40, rates=rates, variant=variant, x1=0.7, x2=0.2)
    problem = checkerboard()
    fine = 2 * SMALL.map_cells[1]
    sample = problem.sample(500, 3)
    (cells, eta) = problem.cells(fine // 2)
    observed = FLIPS.flip(sample.y, sample.v)
    at_cells = votes(sample.X, cells.points, observed, 20)
    estimated = noise.estimate(
        NeighborTable.build(sample.X, None, 41), observed, 19 if rates == FROM_K else 40
    )
    robust = Robust((0.1, 0.3) if rates == KNOWN else estimated, variant=variant)
    by_vote, by_robust = (rule.predict(at_cells, 20) for rule in (Vote(), robust))
    expected = {
        "risk of kNN": risk.exact(by_vote, eta, cells.weights),
        "risk of robust kNN": risk.exact(by_robust, eta, cells.weights),
        "limit of kNN": risk.vote_limit(problem, FLIPS, n_cells=fine),
        "limit of 1-NN": risk.one_nn_limit(problem, FLIPS, n_cells=fine),
        **({} if rates == KNOWN else {"estimated p0": estimated.p0, "estimated p1": estimated.p1}),
        "threshold": float(robust.threshold),
        "rules differ on": np.mean(by_vote != by_robust),
    }
    read = lab.readout()
    at_x = votes(sample.X, np.array([[0.7, 0.2]]), observed, 20)
    assert [*read["votes at x"].values()] == at_x.at(20)[0].tolist()
    assert read["decision at x"] == f"class {robust.predict(at_x, 20)[0]}"
    assert {name: read[name] for name in expected} == pytest.approx(expected, abs=1e-6)
    assert np.array_equal(layers(lab.set(rules="kNN"), "map")["regions"].codes.ravel(), by_vote)


@pytest.mark.parametrize(("p0", "p1"), [(0.1, 0.1), (0.1, 0.3), (0.3, 0.1), (0.1, 0.4)])
def test_misled_and_hard_masses_have_closed_forms(p0, p1):
    """Of eta(x) = 0.1 + 0.8 x: kNN is misled from 1/2 to t, where noisy eta is 1/2, and its margin
    lies around t.
    """
    lab = small(problem="linear", p0=p0, p1=p1, rules="kNN", overlay="misled points", rates=KNOWN)
    off = abs((0.5 - p0) / (1 - p0 - p1) - 0.5) / 0.8
    width = lab.margin / (1 - p0 - p1) / 0.8
    assert (
        lab.readout()["misled mass"]
        == lab.set(k=99).readout()["misled mass"]
        == pytest.approx(off, abs=5e-3)
    )
    hard = pytest.approx(off + width + max(width - off, 0), abs=5e-3)
    assert lab.set(overlay="hard points").readout()["hard mass"] == hard
    assert lab.set(rules="robust kNN").readout()["hard mass"] == pytest.approx(2 * width, abs=5e-3)
    assert lab.set(overlay="misled points").readout()["misled mass"] == 0


@pytest.mark.parametrize("curve", CURVES[1:])
@pytest.mark.parametrize("rates", [BOTH_WAYS, FROM_K])
def test_curves_are_those_of_plain_python(curve, rates):
    lab = small(problem="plateau", n=1000, k=51, k_noise=60, curve=curve, rates=rates)
    lab.figure(panels=["risk"])
    names = ("plain", "estimated") if rates == FROM_K else ("plain", "known", "estimated")
    lines = [layers(lab, "risk")[f"mean {name}"] for name in names]
    at = lines[0].x.round().astype(int).tolist()
    given = {"noise": FLIPS, "repeats": 1, "resolution": SMALL, "progress": False}
    robust = {
        "known": Robust((0.1, 0.3)),
        "estimated": Robust(k_noise=None if rates == FROM_K else 60),
    }
    rules = {name: ({"plain": Vote()} | robust)[name] for name in names}
    if curve == OVER_K_NOISE:
        rules |= {f"{each}": Robust(k_noise=each) for each in at}
        found = risk.curve(plateau(0.1, 0.3), rules, over={"k": [51]}, n=1000, **given).mean
        expected = [*np.repeat(found[: len(names) - 1], len(at), axis=1), found[len(names) :, 0]]
    else:
        others = {OVER_K: {"n": 1000}, OVER_N: {"k": 51}, GROWING_K: {"k": risk.growing_neighbors}}[
            curve
        ]
        expected = risk.curve(
            plateau(0.1, 0.3), rules, over={curve[5:6]: at}, **others, **given
        ).mean
    assert np.stack([line.y for line in lines]) == pytest.approx(np.array(expected), abs=1e-6)
    lab.set(
        **{
            OVER_K: {"k": 41},
            OVER_K_NOISE: {"k_noise": 50},
            OVER_N: {"n": 900},
            GROWING_K: {"n": 900},
        }[curve]
    )
    assert layers(lab, "risk")["mean plain"].x.tolist() == lines[0].x.tolist(), "the curve stays"


def test_k_noise_moves_to_a_quarter_of_n():
    lab = small(n=8000, k=200, k_noise=400).set(problem="breast cancer")
    assert (lab.n, lab.k_noise) == (398, 99)


def test_a_click_on_the_risk_moves_the_parameter_of_its_axis():
    lab = small(n=1000, curve=OVER_K)
    assert lab.set(curve=OVER_N).pick("risk", 1030, 0.3) == {"n": 1050}
    assert lab.set(curve=OVER_K_NOISE).pick("risk", 77.7, 0.3) == {"k_noise": 78}
    assert lab.set(rates=FROM_K).pick("risk", 50.2, 0.3) == {"k": 51}, "k' is k - 1"
    assert "here_estimated" not in layers(lab.set(curve=GROWING_K), "risk"), (
        "at this n the curve has another k"
    )
    assert "here_estimated" in layers(lab.set(k=risk.growing_neighbors(1000)), "risk")


def test_data_are_judged_on_points_held_out():
    lab = small(problem="breast cancer", seed=2, n=398, k=9, k_noise=20)
    dataset = breast_cancer(seed=2)
    observed = FLIPS.flip(dataset.y_train, dataset.sample(398, 2).v)
    robust = Robust(k_noise=20).fit(NeighborTable.build(dataset.X_train, None, 21), observed, 9, 2)
    held_out = votes(dataset.X_train, dataset.X_test, observed, 9)
    wrong = [np.mean(rule.predict(held_out, 9) != dataset.y_test) for rule in (Vote(), robust)]
    assert list(lab.readout().values())[:2] == pytest.approx(wrong, abs=1e-6)
