"""The rivals in NoiseLab beside plain fits, when they are computed, and rules that cannot be fitted."""

import threading
import warnings

import numpy as np
import pytest
from random_moves import all_by_name, page, until
from sklearn.linear_model import LogisticRegression
from sklearn.svm import SVC

from knnviz import LabelNoise, NeighborTable, breast_cancer, checkerboard, noise
from knnviz.estimators import (
    AROWClassifier,
    ImportanceReweightedClassifier,
    LabelDependentCostsClassifier,
    NHERDClassifier,
    UnbiasedLogisticRegression,
)
from knnviz.labs import NoiseLab
from knnviz.labs.engine.jobs import Job
from knnviz.labs.noise import rivals
from knnviz.labs.noise.rules import RATES
from knnviz.labs.parts import sizes

pytestmark = pytest.mark.usefixtures("small")

START = {"n": 200, "k": 21, "k_noise": 30, "seed": 2}
P0, P1 = 0.1, 0.3

#: Seconds to wait for background jobs, which take long beside busy processes.
PATIENCE = 120


def made(**values):
    return NoiseLab(panels=["rivals"], **(START | values))


@pytest.fixture
def lab():
    return made()


def plain_fits(p0, p1):
    """The rivals by the box that they stand in, with the cells a side at which they predict."""
    use = {"noise_rates": (float(p0), float(p1))}
    slow, quick = rivals.CELLS, sizes.MAP_CELLS[2]
    return {
        2: (ImportanceReweightedClassifier(SVC(), **use), slow),
        3: (LabelDependentCostsClassifier(SVC(), **use), slow),
        4: (ImportanceReweightedClassifier(LogisticRegression(), **use), quick),
        5: (UnbiasedLogisticRegression(**use), quick),
        6: (AROWClassifier(r=10.0), quick),
        7: (NHERDClassifier(C=0.1), quick),
    }


def codes(lab):
    """Class codes of the cells, by box."""
    drawn = all_by_name(lab)
    return {box: drawn[f"regions{box}"].codes.ravel() for box in range(8) if f"regions{box}" in drawn}


def texts(lab, name):
    return all_by_name(lab)[name].texts


@pytest.mark.parametrize("choice", RATES)
def test_regions_and_risks_are_those_of_plain_fits(choice):
    lab, problem = made(rates=choice), checkerboard()
    sample = problem.sample(200, 2)
    observed = LabelNoise(P0, P1).flip(sample.y, sample.v)
    k_noise = 20 if choice == RATES[1] else 30
    estimated = noise.estimate(NeighborTable.build(sample.X, None, 31), observed, k_noise)
    found, risks = codes(lab), texts(lab, "risks")
    for box, (estimator, side) in plain_fits(*((P0, P1) if choice == "known" else estimated)).items():
        cells = problem.measure(side)
        labels = estimator.fit(sample.X, observed).predict(cells.points)
        assert np.array_equal(found[box], labels), rivals.NAMES[box]
        eta = problem.eta(cells.points)
        assert risks[box] == f"risk {cells.weights @ np.where(labels == 1, eta[:, 0], eta[:, 1]):.3f}"
    assert np.array_equal(found[0], lab.point_set.plain)
    assert np.array_equal(found[1], lab.point_set.robust)
    read = lab.readout()
    assert risks[:2] == tuple(f"risk {read[name]:.3f}" for name in ("plain_risk", "robust_risk"))
    assert texts(lab, "notes") == ()


def test_on_data_risks_are_held_out(lab):
    source = breast_cancer().with_seed(2)
    sample = source.sample(200, 2)
    observed = LabelNoise(P0, P1).flip(sample.y, sample.v)
    lab.set(problem="breast cancer", n=200, rates="known")
    found, risks, read = codes(lab), texts(lab, "risks"), lab.readout()
    for box, (estimator, side) in plain_fits(P0, P1).items():
        fitted = estimator.fit(sample.X, observed)
        assert np.array_equal(found[box], fitted.predict(breast_cancer().grid(side).points)), "cells of the map"
        assert risks[box] == f"held out {np.mean(fitted.predict(source.X_test) != source.y_test):.3f}"
    held_out = (read["held_out_plain_risk"], read["held_out_robust_risk"])
    assert risks[:2] == tuple(f"held out {each:.3f}" for each in held_out)
    assert "held-out risks: kNN" in lab.alt


def test_names_and_title_tell_which_rules_use_which_rates(lab):
    names = ("kNN", "robust kNN*", "IR-KSVM*", "LD-KSVM*", "IR-LLog*", "UE-LLog*", "AROW", "NHERD")
    assert texts(lab, "names") == names
    for choice, which in zip(RATES, ("estimated flip rates",) * 2 + ("the true flip rates",), strict=True):
        lab.rates = choice
        assert lab.picture.panels[0].axes.title == f"Eight rules (* uses {which})"
        assert f"robust kNN, IR-KSVM, LD-KSVM, IR-LLog, UE-LLog use {which}." in lab.alt
        for name, risk in zip(rivals.NAMES, texts(lab, "risks"), strict=True):
            said = float(lab.alt.split(f"{name} ")[1].split()[0].rstrip(",;"))
            assert float(risk.removeprefix("risk ")) == pytest.approx(said, abs=0.00056)


def test_nothing_of_it_is_computed_unless_it_is_named():
    lab = NoiseLab(**START)
    lab.readout()
    assert [panel.axes.name for panel in lab.picture.panels] == ["map", "votes", "extremes", "risk"]
    assert not [name for name in lab.runs() if name.startswith("rivals.")]
    assert [ax.get_title(loc="left") for ax in lab.figure(panels=["rivals"]).axes] == [
        "Eight rules (* uses estimated flip rates)"
    ]
    assert lab.runs()["rivals.fitted"] == 1
    assert list(NoiseLab(panels=["rivals"]).parameters()) == list(lab.parameters()), "it needs no control of its own"


def test_rivals_follow_the_sample_and_its_rates_and_no_other_choice(lab):
    _ = lab.picture
    for changes, runs in (
        ({"shown": "kNN", "overlay": "regions only", "x1": 0.7, "curve": "over k"}, 0),
        ({"k": 31, "k_noise": 40, "rates": "known"}, 1),
        ({"k": 41, "k_noise": 20}, 0),
        ({"p1": 0.2}, 1),
        ({"seed": 3}, 1),
    ):
        before = lab.runs()["rivals.fitted"]
        _ = lab.set(**changes).picture
        assert lab.runs()["rivals.fitted"] == before + runs, changes


def test_a_line_has_no_regions_to_compare(lab):
    lab.set(problem="jump")
    said = "Decision regions need two features, but jump has one."
    assert list(all_by_name(lab)) == ["sentence"]
    assert texts(lab, "sentence") == (said,)
    assert lab.alt.startswith(said)
    assert "rivals.fitted" not in lab.runs()


def test_without_information_on_the_noise_no_rates_are_used():
    lab = made(n=60, k=60, rates=RATES[1])
    assert lab.rules.estimated_rates.degenerate
    assert lab.rivals.flip_rates == (0, 0)
    assert texts(lab, "notes") == ()


def some_labels():
    sample = checkerboard().sample(100, 0)
    return sample.X, sample.y


def test_a_rule_that_predicts_one_class_everywhere_is_a_map_of_it_without_a_warning():
    X, y = some_labels()
    rule = UnbiasedLogisticRegression(noise_rates=(0.7, 0.2))
    with pytest.warns(UserWarning, match="is predicted everywhere"):
        rule.fit(X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert rivals.predictions(rule, X, y, X).tolist() == [0] * 100
        for rule in rivals.unfitted((P0, P1)).values():
            assert rivals.predictions(rule, X, np.ones(100, int), X).tolist() == [1] * 100


def test_a_rule_that_cannot_be_fitted_has_an_empty_box(monkeypatch, lab):
    X, y = some_labels()
    rule = ImportanceReweightedClassifier(SVC(), noise_rates=(0.95, 0.0))
    with pytest.raises(ValueError, match="points of both classes must have weights above 0"):
        rule.fit(X, y)
    assert rivals.predictions(rule, X, y, X) is None
    monkeypatch.setattr(rivals, "unfitted", lambda rates: {"IR-KSVM": rule})
    assert sorted(codes(lab)) == [0, 1]
    assert texts(lab, "notes") == ("cannot be fitted", *["not fitted yet"] * 5)
    assert "IR-KSVM cannot be fitted, LD-KSVM not fitted yet" in lab.alt


class Gate:
    """Lets one fit after the other begin, and notes which."""

    def __init__(self, monkeypatch):
        self.begun, self.open, fit = [], threading.Semaphore(0), rivals.decisions

        def gated(estimator, X, observed, *rest):
            self.begun.append((type(estimator).__name__, int(observed.sum())))
            self.open.acquire(timeout=PATIENCE)
            return fit(estimator, X, observed, *rest)

        monkeypatch.setattr(rivals, "decisions", gated)


def test_fits_come_one_by_one_and_are_given_up_when_a_slider_moves(monkeypatch, drawn, lab):
    monkeypatch.setattr(Job, "_page_is_ready", lambda job: True)
    gate = Gate(monkeypatch)
    page(lab)
    assert sorted(codes(lab)) == [0, 1], "kNN and robust kNN are there at once"
    assert texts(lab, "notes") == ("not fitted yet",) * 6
    # A fit that waits at the gate holds up the other jobs, such as that of the full map: let all of them end first.
    gate.open.release(6)
    until(lambda: not lab.background.running(), PATIENCE)
    assert sorted(codes(lab)) == list(range(8))
    gate.begun.clear()
    page(lab).move(p1=0.2)
    before = lab.noise.labels.sum()
    assert sorted(codes(lab)) == [0, 1]
    gate.open.release()
    until(lambda: len(gate.begun) == 2, PATIENCE)
    assert sorted(codes(lab)) == [0, 1, 7]
    seen = len(page(lab).frames)
    gate.open.release()
    until(lambda: len(gate.begun) == 3, PATIENCE)
    assert sorted(codes(lab)) == [0, 1, 6, 7]
    sent = {name for frame in page(lab).frames[seen:] for name in frame["layers"]}
    assert sent == {f"layer_rivals_{name}" for name in ("regions6", "risks", "notes")}, "others stay"
    page(lab).move(p1=0.6)
    assert sorted(codes(lab)) == [0, 1], "what was fitted to other labels is not shown"
    quick = ("NHERDClassifier", "AROWClassifier", "UnbiasedLogisticRegression")
    assert gate.begun == [(name, before) for name in quick]
    gate.open.release(20)
    until(lambda: texts(lab, "notes") == (), PATIENCE)
    after = [labels for _, labels in gate.begun[3:]]
    assert after == [lab.noise.labels.sum()] * 6, "no rival is fitted to labels that have gone"
    lab.close()
