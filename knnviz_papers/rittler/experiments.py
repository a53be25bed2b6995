"""Ten experiments, two also on coarser cells: where two rounds of labels help, and where not."""

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
from tqdm import tqdm

from knnviz.active import LEARNERS, VOTERS, Scheme, trial
from knnviz.active.sampling import CELLS
from knnviz.problems import Problem, bump, jump, wave2d
from knnviz_papers.simulate import Row, Tables, mean_and_error, means_and_errors, over_runs, title


class Experiment(NamedTuple):
    """A problem, the labels n and m of both rounds, where the second one buys, and the k that vote.

    ``n_cells`` is that of ``active.trial``, None for its own.
    """

    about: str
    problem: Problem
    n: int
    m: int
    scheme: Scheme
    ks: tuple[int, ...] = (100,)
    n_cells: int | None = None


#: A bump that is too narrow for 100 of 2000 neighbors.
NARROW = bump(0.022, 0.98, 0.02)

#: A wide bump with noisy labels.
NOISY = bump(0.1, 0.8, 0.2)

#: By letter; F500 and G30 are F and G on fewer cells, whose balls are fewer. The risks of G30 are
#: coarser, too.
EXPERIMENTS = {
    "A": Experiment("narrow bump", NARROW, 1000, 1000, Scheme(100, 0.1), (100, 10, 30, 60, 200)),
    "A2": Experiment("one coin per label", NARROW, 1000, 1000, Scheme(100, 0.1, coin="per_sample")),
    "B": Experiment("noise everywhere", jump(0.05), 1000, 1000, Scheme(100, 0.1)),
    "C": Experiment("c0 = 1", NARROW, 1000, 1000, Scheme(100, 0.1, c0=1.0)),
    "D": Experiment("passive fraction .9", NARROW, 1000, 1000, Scheme(100, 0.9)),
    "E": Experiment("first round of 250", NARROW, 250, 1750, Scheme(100, 0.1)),
    "E2": Experiment("c_plus = 1", NARROW, 1000, 1000, Scheme(100, 0.1, c_plus=1.0)),
    "E3": Experiment("c_plus = 4", NARROW, 1000, 1000, Scheme(100, 0.1, c_plus=4.0)),
    "F": Experiment("noisy bump", NOISY, 3000, 3000, Scheme(300, 0.1), (300, 30, 60, 100, 150)),
    "F500": Experiment(
        "F on 500 cells", NOISY, 3000, 3000, Scheme(300, 0.1), (300, 30, 60, 100, 150), 500
    ),
    "G": Experiment("wave in the square", wave2d(), 2000, 2000, Scheme(100, 0.1), (100, 10, 30)),
    "G30": Experiment(
        "G on 30 x 30 cells", wave2d(), 2000, 2000, Scheme(100, 0.1), (100, 10, 30), 30
    ),
}


def rittler_experiments(
    experiments: Sequence[str] = tuple(EXPERIMENTS),
    repeats: int = 100,
    seed: int = 0,
    progress: bool = False,
) -> Tables:
    """Disagreement of the two-round scheme with the Bayes rule, beside that of a passive learner
    with as many labels.

    ``experiments`` are letters of ``EXPERIMENTS``. Run r of every experiment draws from the same
    stream, so that those with the same problem and labels share their passive learner, and those
    with the same first round their hard region. Disagreements are exact on the line, and on cells
    of the square.

    Tables: "experiments", a row for each: its settings, the width of the band and k+;
    "disagreement", for each experiment and voting k: of the passive learner and of both kinds of
    voters; "gains", for each of them and kind of voters: passive minus active.

    Source: Rittler & Chaudhuri, the two-round algorithm. The paper compares bounds, each with a k
    of its own (Corollary 1), and reports no experiments.
    """
    tables: Tables = {name: [] for name in ("experiments", "disagreement", "gains")}
    for name in tqdm(experiments, "rittler_experiments", disable=not progress):
        experiment = EXPERIMENTS[name]
        tables["experiments"].append({"experiment": name} | _described(experiment))

        streams = np.random.SeedSequence(seed).spawn(repeats)
        found = np.array(over_runs(partial(disagreement, experiment), streams))
        for j, k in enumerate(experiment.ks):
            key = {"experiment": name, "k": k}
            rates = found[:, :, j]
            tables["disagreement"].append(key | means_and_errors(rates, LEARNERS))
            for column, voters in enumerate(VOTERS, 1):
                gain = mean_and_error("gain", rates[:, 0] - rates[:, column])
                tables["gains"].append(key | {"voters": voters} | gain)
    return tables


def _described(experiment: Experiment) -> Row:
    """The settings of an experiment, the width of the band and k+."""
    about, problem, n, m, scheme, _, n_cells = experiment
    row: Row = {"about": about, "problem": title(problem)}
    row |= {"n": n, "m": m, "k_hard": scheme.k_hard}
    row |= {"coin": scheme.coin, "pi": scheme.passive_fraction}
    row |= {"c0": scheme.c0, "c_plus": scheme.c_plus}

    dimension = problem.dimension
    row["cells"] = (n_cells or CELLS[dimension]) ** dimension
    row["width"] = scheme.width(n, dimension)
    row["k_plus"] = scheme.k_plus(n, dimension)
    return row


def disagreement(experiment: Experiment, stream: np.random.SeedSequence) -> np.ndarray:
    """Disagreement (3, ks) of the ``LEARNERS`` at each voting k on one sample."""
    _, problem, n, m, scheme, ks, n_cells = experiment
    found = trial(problem, ks, n, m, scheme, stream, n_cells=n_cells)
    return found.disagreement[:, 0]
