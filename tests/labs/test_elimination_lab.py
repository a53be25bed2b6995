"""EliminationLab beside plain Python and the paper: rules, risks, bags, the walk, and what its
controls mean.
"""

import numpy as np
import pytest
from reference_implementations import eliminated, reference, sorted_neighbors, stood_out
from small import SMALL

from knnviz import BagDraws
from knnviz.labs import EliminationLab, elimination
from knnviz.labs.parts.sources import field, named

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
WIDE = {"c1": 1.2, "fallback": "majority", "spread": "by cluster", "seed": 3}


def opened(**values):
    return EliminationLab(resolution=SMALL, **{"rules": "all"} | values)


def drawn(lab):
    """The source of a lab, its sample, bags, and the process that they are drawn from."""
    source = named(lab.problem).with_seed(lab.seed)
    sample = source.sample(lab.n, lab.seed)
    (stream,) = np.random.SeedSequence(lab.seed).spawn(1)
    clusters = elimination.clustered(source, lab.seed) if lab.spread == "by cluster" else None
    kind = elimination.KINDS[lab.kind]
    process = elimination.bag_process(
        source, clusters, lab.spread, lab.inclusion, lab.bag_noise, kind
    )
    return (
        source,
        sample,
        process.draw(sample.X, sample.y, BagDraws.draw(lab.n, source.n_classes, stream)),
        process,
    )


def decided(lab, queries):
    """For each query what the three rules predict, step by step: label, k, survivors; label, k, by
    itself; label.
    """
    source, sample, bags, _ = drawn(lab)
    band = lab.c1 * np.sqrt(np.log(lab.n) + np.log(source.n_classes / lab.delta))
    most = min(lab.max_neighbors, lab.n)
    walks = [bags[row] for row in sorted_neighbors(sample.X, queries, max(most, 10))[0]]
    mine = [eliminated(each[:most], band, elimination.FALLBACKS[lab.fallback]) for each in walks]
    others = [stood_out(each[:most], band, 1 / source.n_classes) for each in walks]
    return band, mine, others, [int(each[:10].sum(axis=0).argmax()) for each in walks]


def by_hand(lab):
    source, _, bags, process = drawn(lab)
    names = source.class_names
    is_known = source.eta is not None
    band, (mine,), (other,), (plain,) = decided(
        lab, np.array([[lab.x1, lab.x2][: source.dimension]])
    )
    read = {
        "PL A-kNN at x": names[mine[0]],
        "PL A-kNN stops at k": mine[1],
        "constant of the band": band,
    }
    read |= {
        "A-kNN at x": names[other[0]],
        "A-kNN stops at k": other[1],
        "10-NN at x": names[plain],
    }
    read |= {
        "labels left at x": " ".join(names[c] for c in sorted(mine[2])),
        "labels in a bag": bags.sum() / lab.n,
    }
    cells = field(named(lab.problem), SMALL.map_cells[source.dimension - 1])
    _, mine, others, plain = on_map = decided(lab, cells.grid.points)
    weights = cells.measure.weights if is_known else np.full(len(mine), 1 / len(mine))
    read["mean stopping k"] = weights @ [k for _, k, _ in mine]
    read["undecided mass"] = weights @ [len(left) > 1 for _, _, left in mine]
    _, mine, others, plain = on_map if is_known else decided(lab, source.X_test)
    labels = {
        "PL A-kNN": [each[0] for each in mine],
        "A-kNN": [each[0] for each in others],
        "10-NN": plain,
    }
    for name, predicted in labels.items():
        right = cells.eta[range(len(mine)), predicted] if is_known else predicted == source.y_test
        error = "risk" if is_known else "held-out error"
        read[f"{error} of {name}"] = 1 - np.average(right, weights=weights if is_known else None)
    if is_known:
        eta = cells.eta
        read["Bayes risk"] = lab.numbers["Bayes risk"]
        moved = (1 - lab.bag_noise) * eta + lab.bag_noise / len(names)
        frequency = np.einsum(
            "mi,mil->ml", moved, process.inclusion[process.parts(cells.grid.points)]
        )
        best, most = (
            np.isclose(each, each.max(axis=1, keepdims=True), atol=1e-9)
            for each in (eta, frequency)
        )
        excess = eta.max(axis=1) - eta[range(len(eta)), frequency.argmax(axis=1)]
        read["limit of PL A-kNN"] = read["Bayes risk"] + weights @ excess
        read["misaligned mass"] = weights[(best != most).any(axis=1)].sum()
    return read


OPENINGS = [PLANE, LINE, DATA, CROWDED, PLANE | WIDE, DATA | WIDE]


@pytest.mark.parametrize("values", OPENINGS, ids=str)
def test_numbers_are_those_of_plain_python(values):
    lab = opened(**values)
    found = lab.readout()
    (source, sample, bags, _) = drawn(lab)
    near = sorted_neighbors(sample.X, np.array([[lab.x1, lab.x2][: source.dimension]]), lab.k)[0]
    assert [*found.pop("bags at x").values()] == bags[near[0]].sum(axis=0).tolist()
    assert found == pytest.approx(by_hand(lab), abs=2e-6)


def test_the_worked_walk_is_the_reference_s():
    lab = opened(problem=elimination.EXAMPLE, max_neighbors=12, x1=0.0)
    known = PAPER["trace"]
    assert [lab.numbers[f"{rule} stops at k"] for rule in ("PL A-kNN", "A-kNN")] == [known["k"], 8]


def test_misaligned_points_are_the_paper_s_and_ties_are_none():
    found = opened(**CROWDED).readout()
    assert found["limit of PL A-kNN"] - found["Bayes risk"] == pytest.approx(0.03, abs=1e-6)
    assert found["misaligned mass"] == pytest.approx(0.3)
    eta = np.array([[0.4, 0.4, 0.2]])
    frequency = np.array([[0.5, 0.5 - 1e-12, 0.4]])
    assert elimination.misalignment(eta, frequency, np.ones(1))[1:] == (0, 0)


def test_the_advantage_on_the_line_is_the_paper_s():
    wanted = PAPER["advantage_line"]
    lab = EliminationLab(**LINE, rules="10-NN", overlay="advantage", bag_noise=0.0, inclusion=0.4)
    for x, tenth, all_of_it in zip(wanted["x"], wanted["adv0p1"], wanted["adv1"], strict=True):
        assert lab.set(x1=x, mass_cap=0.1).readout()["advantage at x"] == pytest.approx(
            tenth, rel=0.005
        )
        assert tenth <= lab.set(mass_cap=0.25).readout()["advantage at x"] <= all_of_it * 1.02


def test_k_stays_at_the_end_of_the_walk():
    lab = opened(**PLANE)
    assert [lab.set(max_neighbors=most).k for most in (300, 60)] == [200, 60]
    assert [lab.set(k=30).set(max_neighbors=most).k for most in (50, 20)] == [30, 20]
    assert lab.set(problem="thirds", max_neighbors=5000, n=6000).k == 5000
    assert [lab.set(problem=problem).k for problem in ("moons", "iris")] == [400, 105]
