"""EliminationLab beside plain Python and the paper: rules, risks, bags, the walk, controls."""

import numpy as np
import pytest
from reference_implementations import eliminated, reference, sorted_neighbors, stood_out
from small import SMALL

from knnviz import BagDraws
from knnviz.labs import EliminationLab, elimination
from knnviz.labs.parts.sources import field, named
from knnviz.problems import Dataset

PAPER = reference("partial")

#: A small lab of each kind.
PLANE = {"n": 200, "max_neighbors": 60}
LINE = PLANE | {"problem": "thirds"}
DATA = PLANE | {"problem": "iris", "n": 105}
CROWDED = {
    "problem": "contested line",
    "bag_noise": 0.0,
    "spread": "popular label on the left",
    "seed": 2,
} | PLANE
WIDE = {"c1": 1.2, "fallback": "majority", "seed": 3}


def opened(**values):
    return EliminationLab(resolution=SMALL, **{"rules": "all"} | values)


def drawn(lab):
    """The source of a lab, its sample, bags, and the process that they are drawn from."""
    source = named(lab.problem).with_seed(lab.seed)
    drawn_by = () if isinstance(source, Dataset) else (lab.seed,)
    sample = source.sample(lab.n, *drawn_by)
    process = elimination.bag_process(source, lab.spread, lab.inclusion, lab.bag_noise)
    (stream,) = np.random.SeedSequence(lab.seed).spawn(1)
    draws = BagDraws.draw(lab.n, source.n_classes, stream)
    bags = process.draw(sample.X, sample.y, draws)
    return source, sample, bags, process


def half_width(lab, n_classes):
    """The constant of the band."""
    return lab.c1 * np.sqrt(np.log(lab.n) + np.log(n_classes / lab.delta))


def decided(lab, queries):
    """For each query what three rules predict: label, k, survivors; label, k, by itself; label."""
    source, sample, bags, _ = drawn(lab)
    n_classes = source.n_classes
    band = half_width(lab, n_classes)
    fallback = elimination.FALLBACKS[lab.fallback]
    most = min(lab.max_neighbors, lab.n)
    partial = []
    adaptive = []
    votes = []
    for row in sorted_neighbors(sample.X, queries, max(most, 10))[0]:
        walk = bags[row[:most]]
        partial.append(eliminated(walk, band, fallback))
        adaptive.append(stood_out(walk, band, 1 / n_classes))
        votes.append(int(bags[row[:10]].sum(axis=0).argmax()))
    return partial, adaptive, votes


def query(lab, source):
    """The query point, one row."""
    return np.array([[lab.x1, lab.x2][: source.dimension]])


def by_hand(lab):
    source, _, _, process = drawn(lab)
    names = source.class_names
    (mine,), (other,), (vote,) = decided(lab, query(lab, source))
    read = {
        "PL A-kNN at x": names[mine[0]],
        "PL A-kNN stops at k": mine[1],
        "constant of the band": half_width(lab, source.n_classes),
        "A-kNN at x": names[other[0]],
        "A-kNN stops at k": other[1],
        "10-NN at x": names[vote],
        "labels left at x": " ".join(names[c] for c in sorted(mine[2])),
    }

    cells = field(named(lab.problem), SMALL.map_cells[source.dimension - 1])
    on_map = decided(lab, cells.grid.points)
    mine = on_map[0]
    is_known = source.eta is not None
    weights = np.full(len(mine), 1 / len(mine))
    if is_known:
        weights = cells.measure.weights
    read["mean stopping k"] = weights @ [k for _, k, _ in mine]
    if not is_known:
        for name, predicted in labels_of(decided(lab, source.X_test)).items():
            read[f"held-out error of {name}"] = 1 - np.mean(predicted == source.y_test)
        return read
    for name, predicted in labels_of(on_map).items():
        right = cells.eta[range(len(mine)), predicted]
        read[f"risk of {name}"] = 1 - np.average(right, weights=weights)
    read["Bayes risk"] = lab.numbers["Bayes risk"]
    read["limit of PL A-kNN"] = limit_by_hand(lab, cells, process)
    return read


def labels_of(decisions):
    """The labels alone, by rule."""
    partial, adaptive, votes = decisions
    return {
        "PL A-kNN": [label for label, *_ in partial],
        "A-kNN": [label for label, *_ in adaptive],
        "10-NN": votes,
    }


def limit_by_hand(lab, cells, process):
    """The risk of the label in the most bags."""
    eta = cells.eta
    moved = (1 - lab.bag_noise) * eta + lab.bag_noise / eta.shape[1]
    inclusion = process.inclusion[process.parts(cells.grid.points)]
    frequency = np.einsum("mi,mil->ml", moved, inclusion)
    right = eta[range(len(eta)), frequency.argmax(axis=1)]
    return 1 - np.average(right, weights=cells.measure.weights)


OPENINGS = [PLANE, LINE, DATA, CROWDED, PLANE | WIDE, DATA | WIDE]


@pytest.mark.parametrize("values", OPENINGS, ids=str)
def test_numbers_are_those_of_plain_python(values):
    lab = opened(**values)
    source, sample, bags, _ = drawn(lab)
    found = lab.readout()
    near = sorted_neighbors(sample.X, query(lab, source), lab.k)[0][0]
    assert [*found.pop("bags at x").values()] == bags[near].sum(axis=0).tolist()
    found.pop("eliminated")
    assert found == pytest.approx(by_hand(lab), abs=2e-6)


def test_the_worked_walk_is_the_reference_s():
    lab = opened(problem=elimination.EXAMPLE, max_neighbors=12, x1=0.0)
    assert lab.numbers["PL A-kNN stops at k"] == PAPER["trace"]["k"]
    assert lab.numbers["A-kNN stops at k"] == 8


def test_the_limit_with_a_popular_label_is_the_paper_s():
    found = opened(**CROWDED).readout()
    assert found["limit of PL A-kNN"] - found["Bayes risk"] == pytest.approx(0.03, abs=1e-6)


def test_the_advantage_on_the_line_is_the_paper_s():
    known = PAPER["advantage_line"]
    lab = EliminationLab(**LINE, rules="10-NN", overlay="advantage", bag_noise=0.0, inclusion=0.4)
    for x, tenth, all_of_it in zip(known["x"], known["adv0p1"], known["adv1"], strict=True):
        read = lab.set(x1=x, mass_cap=0.1).readout()
        assert read["advantage at x"] == pytest.approx(tenth, rel=0.005)
        read = lab.set(mass_cap=0.25).readout()
        assert tenth <= read["advantage at x"] <= all_of_it * 1.02
