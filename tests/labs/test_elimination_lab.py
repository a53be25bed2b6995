"""EliminationLab beside the library's rules: labels, stops, risks, bags, the limit."""

import numpy as np
import pytest
from small import SMALL

from knnviz import BagDraws, NeighborTable, PartialAdaptive, risk
from knnviz.labs import EliminationLab, elimination
from knnviz.labs.parts.sources import field, named
from knnviz.problems import Dataset
from knnviz.rules import Adaptive

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
OPENINGS = [PLANE, LINE, DATA, CROWDED, PLANE | WIDE, DATA | WIDE]


@pytest.mark.parametrize("values", OPENINGS, ids=str)
def test_numbers_are_those_of_the_library(values):
    """Neighbors are from a table for all queries at once here, on a line from windows there."""
    lab = EliminationLab(resolution=SMALL, rules="all", **values)
    source = named(lab.problem).with_seed(lab.seed)
    is_data = isinstance(source, Dataset)
    sample = source.sample(lab.n) if is_data else source.sample(lab.n, lab.seed)
    names = source.class_names
    n_classes = source.n_classes
    process = elimination.bag_process(source, lab.spread, lab.inclusion, lab.bag_noise)
    (stream,) = np.random.SeedSequence(lab.seed).spawn(1)
    bags = process.draw(sample.X, sample.y, BagDraws.draw(lab.n, n_classes, stream))
    band = {"c1": lab.c1, "delta": lab.delta, "max_neighbors": lab.max_neighbors}
    rule = PartialAdaptive(**band, fallback=elimination.FALLBACKS[lab.fallback])

    def scans(queries):
        """Bags of the neighbors, scans of both rules, and labels by all three."""
        table = NeighborTable.build(sample.X, queries, 60)
        near = bags[table.indices]
        partial = rule.scan(table, bags, n_classes)
        adaptive = Adaptive(**band).scan(table, bags, n_classes)
        votes = near[:, :10].sum(axis=1).argmax(axis=1)
        labels = {"PL A-kNN": partial.labels, "A-kNN": adaptive.labels, "10-NN": votes}
        return near, partial, adaptive, labels

    near, partial, adaptive, labels = scans(np.array([[lab.x1, lab.x2][: source.dimension]]))
    expected = {
        "PL A-kNN stops at k": partial.stop_k[0],
        "A-kNN stops at k": adaptive.stop_k[0],
        "constant of the band": rule.band_constant(lab.n, n_classes),
        "labels left at x": " ".join(np.array(names)[partial.alive[0]]),
    }
    expected |= {f"{name} at x": names[label] for name, (label,) in labels.items()}

    cells = field(named(lab.problem), SMALL.map_cells[source.dimension - 1])
    _, partial, _, labels = scans(cells.grid.points)
    weights = None if is_data else cells.measure.weights
    expected["mean stopping k"] = np.average(partial.stop_k, weights=weights)
    if is_data:
        *_, labels = scans(source.X_test)
        for name, predicted in labels.items():
            expected[f"held-out error of {name}"] = np.mean(predicted != source.y_test)
    else:
        in_most = process.frequency(cells.grid.points, cells.eta).argmax(axis=1)
        expected["Bayes risk"] = lab.numbers["Bayes risk"]
        expected["limit of PL A-kNN"] = risk.exact(cells.eta, in_most, weights=weights)
        for name, predicted in labels.items():
            expected[f"risk of {name}"] = risk.exact(cells.eta, predicted, weights=weights)

    found = lab.readout()
    del found["eliminated"]
    in_bags = near[0, : lab.k].sum(axis=0)
    assert [*found.pop("bags at x").values()] == in_bags.tolist()
    assert found == pytest.approx(expected, abs=2e-6)
