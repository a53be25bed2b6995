"""ImbalanceLab: its numbers beside the reference and plain Python, and what is drawn of them."""

import numpy as np
import pytest
from random_moves import layers
from reference_implementations import reference
from small import SMALL

from knnviz import Weighted
from knnviz.labs import ImbalanceLab
from knnviz.labs.imbalance import LABELS, LOOKS
from knnviz.problems import gaussians, zipf
from knnviz.weights import confusion

KHIM = reference("khim_metrics")["zipf"]
SCORES = ("accuracy", "macro_f1", "balanced_accuracy")


@pytest.mark.parametrize("s", ["0", "1", "2"])
def test_scores_are_those_of_the_reference(s):
    lab = ImbalanceLab(exponent=float(s))
    for a, name in ((0.0, "uniform"), (0.5, "inverse_sqrt_prior"), (1.0, "inverse_prior")):
        known = KHIM[s][name]
        read = lab.set(a=a).readout()
        scores = [read[label] for label in LABELS.values()]
        assert scores == pytest.approx([known[score] for score in SCORES], abs=1e-6)
        predicted = layers(lab)["predicted"].heights ** 2
        assert (predicted > 1e-4).sum() == known["classes_with_predicted_mass_over_1e-4"]


def plain(lab):
    """Entries of the rule, and predictions at the drawn cells, by the library's own functions."""
    prior = zipf(lab.classes, lab.exponent)
    problem = gaussians(lab.classes, prior, lab.scale)
    measure, eta = problem.cells(SMALL.integral_cells[0])
    rule = Weighted(np.array(prior) ** -lab.a)
    one_hot = np.eye(lab.classes)[rule.decide(eta)]
    found = confusion(eta, one_hot, weights=measure.weights, rule="argmax")
    return found, rule.decide(problem.cells(SMALL.map_cells[0])[1])


@pytest.mark.parametrize("classes", [2, 3, 12])
def test_numbers_are_those_of_plain_python(classes):
    lab = ImbalanceLab(classes=classes, exponent=1.3, resolution=SMALL)
    for a in (0.0, 0.37, 1.0):
        read = lab.set(a=a).readout()
        found, labels = plain(lab)
        predicted = found.tp + found.fp
        drawn = layers(lab)

        scores = [read[label] for label in LABELS.values()]
        assert scores == pytest.approx([getattr(found, score) for score in SCORES], abs=1e-6)
        assert drawn["here"].y == pytest.approx(scores[:2], abs=1e-6)
        assert drawn["predicted"].heights ** 2 == pytest.approx(predicted, abs=1e-6)
        assert np.array_equal(drawn["decisions"].codes[0], labels)

        for name in LOOKS:
            label = LABELS[name]
            curve = drawn[name].y
            assert curve[round(100 * a)] == pytest.approx(read[label], abs=1e-6)
            assert read[f"best {label}"] == pytest.approx(curve.max(), abs=1e-6)
            assert read[f"a of best {label}"] == curve.argmax() / 100, "the first of several"


def test_weights_undo_the_prior_in_part_or_in_full():
    """a = 1/2 turns s = 2 into s = 1, and a = 1 into s = 0: equal classes, where a does nothing."""
    for full, a, left in ((2.0, 0.5, 1.0), (2.0, 1.0, 0.0)):
        weighted = layers(ImbalanceLab(exponent=full, a=a))
        unweighted = layers(ImbalanceLab(exponent=left))
        agree = weighted["decisions"].codes == unweighted["decisions"].codes
        assert np.mean(agree) > 0.99
        for c in range(8):
            assert weighted[f"true{c}"].y == pytest.approx(unweighted[f"true{c}"].y, abs=1e-6)
