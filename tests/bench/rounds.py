"""Two rounds of labels: a sample of the scheme, and the estimator beside scikit-learn's on a map."""

import numpy as np
from rows import Row, median_ms, must_agree
from sklearn.neighbors import KNeighborsClassifier

from knnviz import wave2d
from knnviz.active import Scheme, two_stage_sample
from knnviz.estimators import TwoStageKNeighborsClassifier
from knnviz.problems import bump

K, RESOLUTION = 100, 200


def rows(quick: bool) -> list[Row]:
    """The narrow bump (experiment A), then the wave in the square (experiment G)."""
    return [sample_row(10 if quick else 50), *map_rows(3 if quick else 9)]


def sample_row(repeats: int) -> Row:
    """1000 labels, H and H+ on 1000 cells, and 1000 labels more; a seed each."""
    problem = bump(0.022, 0.98, 0.02)
    return Row.timed(
        "two rounds of 1000 labels on a narrow bump",
        lambda seed: two_stage_sample(problem, 1000, 1000, Scheme(K, 0.1), seed),
        range(repeats),
    )


def map_rows(repeats: int) -> list[Row]:
    """4000 labels on a 200 x 200 map, strict and inclusive; the peer is the plain vote."""
    problem = wave2d()
    cells, sample = problem.grid(RESOLUTION).points, two_stage_sample(problem, 2000, 2000, Scheme(K, 0.1), 0)
    peer = KNeighborsClassifier(K).fit(sample.X, sample.y)
    fitted = {
        voters: TwoStageKNeighborsClassifier(K, voters=voters).fit(
            sample.X, sample.y, sample.stage, augmented=sample.first.region
        )
        for voters in ("strict", "inclusive")
    }
    hard = fitted["inclusive"].hard(cells)
    inclusive, plain = (each.predict_proba(cells[hard])[:, 1] > 0.5 for each in (fitted["inclusive"], peer))
    must_agree(np.array_equal(inclusive, plain), "labels where all around are in H+")
    theirs = median_ms(lambda _: peer.predict(cells), range(repeats))
    beside = {"peer": theirs, "peer_name": "scikit-learn predict, the plain vote"}
    return [
        Row.timed(
            f"predict after two rounds, {voters} voters, a map of 200 x 200",
            lambda _, two=two: two.predict(cells),
            range(repeats),
            **beside,
        )
        for voters, two in fitted.items()
    ]
