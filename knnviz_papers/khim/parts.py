"""The four parts of the error of a confusion entry in the proof of Theorem 5, on samples."""

from collections.abc import Sequence
from functools import partial

import numpy as np
from tqdm import tqdm

from knnviz import regions
from knnviz.bounds import khim
from knnviz.problems import Problem, Sample, waves
from knnviz.weights import confusion
from knnviz_papers.khim.example import (
    CLASS,
    DELTA,
    LESS,
    MORE,
    RESOLUTION,
    UNIFORM_DELTA,
    Q,
    entries,
    error_on_line,
)
from knnviz_papers.simulate import Row, Tables, means_and_errors, over_samples, window_votes

#: n and k.
SIZES = ((1000, 50), (10_000, 500), (100_000, 2000), (1_000_000, 10_000))

#: The entries; those of one pair have the same band.
ENTRIES = ("tn", "fp", "fn", "tp")

#: The parts.
PARTS = ("a", "b", "c", "d")

#: How many weights the cover of the paper's section 5 has: those on the grid of hundredths that are
#: 0.1 or more.
COVER = 2556


def khim_theorem_5(
    sizes: Sequence[tuple[int, int]] = SIZES,
    repeats: int = 100,
    seed: int = 0,
    progress: bool = False,
) -> Tables:
    """The error of each confusion entry of class 0 at weights q = (0.5, 0.3, 0.2), its four parts,
    and their bounds.

    ``sizes`` are pairs of n and k. q' = (0.52, 0.29, 0.19) favors the class slightly more. Parts:
    A, at q' the estimate's decisions against those of eta, both counted on the sample; B, at q' the
    sample against the population; C and D, q against q', in the population and counted on the
    sample. The error is at most their sum.

    Tables: "parts", a row for each n and entry: means of the parts, of the error and of the sum,
    and the largest error; "bounds", what the proof allows each part, and Theorem 5 in all. There
    epsilon is the largest uniform error of all samples, and ``certified`` is the theorem with the
    one that Theorem 3 guarantees.

    Source: Khim et al., Theorem 5 and Lemmas 25 to 29.
    """
    problem = waves()
    _, eta = problem.cells(RESOLUTION)
    truth = [entries(confusion(eta, eta, q), ENTRIES) for q in (Q, MORE)]
    measures = (*PARTS, "error", "sum")
    parts = []
    limits = []
    for n, k in tqdm(sizes, "khim_theorem_5", disable=not progress):
        work = partial(measured, problem=problem, k=k, truth=truth)
        found = over_samples(work, problem, n, repeats, seed)
        for j, entry in enumerate(ENTRIES):
            row: Row = {"n": n, "k": k, "entry": entry}
            row |= means_and_errors(found[:, j, :-1], measures)
            errors = found[:, j, len(PARTS)]
            row["largest_error"] = float(errors.max())
            parts.append(row)

        epsilon = float(found[:, 0, -1].max())
        limits += _bounds(problem, k, n, epsilon)
    return {"parts": parts, "bounds": limits}


def measured(sample: Sample, problem: Problem, k: int, truth: Sequence[np.ndarray]) -> np.ndarray:
    """Parts A to D of each entry, its error, the sum of the parts, and the uniform error, (4, 7),
    on one sample.

    ``truth`` are the entries of the weighted Bayes rules of q and of q'. Each training point votes
    on itself, too.
    """
    votes = window_votes(sample, problem.n_classes)
    own = votes.at_points(sample.X[:, 0], k) / k
    counted = entries(confusion(sample.y, own, Q), ENTRIES)
    favored = entries(confusion(sample.y, own, MORE), ENTRIES)
    eta = problem.eta(sample.X)
    known = entries(confusion(sample.y, eta, MORE), ENTRIES)
    exact, exact_favored = truth

    a = favored - known
    b = known - exact_favored
    c = exact - exact_favored
    d = counted - favored
    parts = abs(np.array([a, b, c, d]))
    error = abs(counted - exact)
    uniform = np.full(len(ENTRIES), error_on_line(sample, problem, k))
    return np.column_stack([*parts, error, parts.sum(axis=0), uniform])


def _bounds(problem: Problem, k: int, n: int, epsilon: float) -> list[Row]:
    """What Lemmas 26 to 29 allow each part: the mass of the band, and an error of sampling that
    three of them have.
    """
    slope = float(khim.least_lipschitz_constants(problem).max())
    uniform = khim.theorem_3(k, n, UNIFORM_DELTA, holder_exponent=1, holder_constant=slope)
    guaranteed = min(1.0, uniform.value)

    _, eta = problem.cells(RESOLUTION)
    in_theorem = partial(khim.theorem_5, n, DELTA, n_classes=problem.n_classes, cover_size=COVER)
    without = in_theorem(tne=0.0, fne=0.0)
    errors = in_theorem(**_band_errors(eta, epsilon))
    certified = in_theorem(**_band_errors(eta, guaranteed))

    rows = []
    for entry in ENTRIES:
        sampling = float(getattr(without, entry)) / 3
        bound = float(getattr(errors, entry))
        band = bound / 3 - sampling
        both = band + sampling
        row: Row = {"n": n, "k": k, "entry": entry}
        row |= {"epsilon": epsilon, "a": both, "b": sampling, "c": band, "d": both}
        row |= {"bound": bound, "certified": float(getattr(certified, entry))}
        rows.append(row)
    return rows


def _band_errors(eta: np.ndarray, epsilon: float) -> Row:
    """The errors of the band of an epsilon, by their names in Theorem 5."""
    band = regions.error_band(eta, epsilon, MORE, LESS, CLASS)
    tne, fne = band.errors(eta, CLASS)
    return {"tne": tne, "fne": fne}
