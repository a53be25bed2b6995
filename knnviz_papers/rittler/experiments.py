"""Ten experiments, two of them also on coarser cells: where labels bought in two rounds help, and where they do not."""

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
from tqdm import tqdm

from knnviz.active import FROM_R, LEARNERS, VOTERS, Scheme, Trial, trial
from knnviz.active.sampling import CELLS
from knnviz.problems import Problem, bump, jump, wave2d
from knnviz_papers.simulate import Row, Tables, means_and_errors, over_runs, title


class Experiment(NamedTuple):
    """A problem, the labels n and m of both rounds, and where the second one buys.

    ``others`` are voting k beside ``scheme.k_hard``; ``resolution`` is that of ``active.trial``, None for its own.
    """

    about: str
    problem: Problem
    n: int
    m: int
    scheme: Scheme
    others: tuple[int, ...] = ()
    resolution: int | None = None

    @property
    def ks(self) -> tuple[int, ...]:
        """All k that vote, that of the hard region first."""
        return self.scheme.k_hard, *self.others


#: A bump that is too narrow for 100 of 2000 neighbors.
NARROW = bump(0.022, 0.98, 0.02)

#: A wide bump with noisy labels.
NOISY = bump(0.1, 0.8, 0.2)

#: By letter; F500 and G30 are F and G on fewer cells, whose balls are fewer and whose risks are coarser.
EXPERIMENTS = {
    "A": Experiment("narrow bump", NARROW, 1000, 1000, Scheme(100, 0.1), (10, 30, 60, 200)),
    "A2": Experiment("one coin per label", NARROW, 1000, 1000, Scheme(100, 0.1, coin="per_sample")),
    "B": Experiment("noise everywhere", jump(0.05), 1000, 1000, Scheme(100, 0.1)),
    "C": Experiment("c0 = 1", NARROW, 1000, 1000, Scheme(100, 0.1, c0=1.0)),
    "D": Experiment("plain fraction .9", NARROW, 1000, 1000, Scheme(100, 0.9)),
    "E": Experiment("first round of 250", NARROW, 250, 1750, Scheme(100, 0.1)),
    "E2": Experiment("c_plus = 1", NARROW, 1000, 1000, Scheme(100, 0.1, c_plus=1.0)),
    "E3": Experiment("c_plus = 4", NARROW, 1000, 1000, Scheme(100, 0.1, c_plus=4.0)),
    "F": Experiment("noisy bump", NOISY, 3000, 3000, Scheme(300, 0.1), (30, 60, 100, 150)),
    "F500": Experiment("F on 500 cells", NOISY, 3000, 3000, Scheme(300, 0.1), (30, 60, 100, 150), 500),
    "G": Experiment("wave in the square", wave2d(), 2000, 2000, Scheme(100, 0.1), (10, 30)),
    "G30": Experiment("G on 30 x 30 cells", wave2d(), 2000, 2000, Scheme(100, 0.1), (10, 30), 30),
}

#: Disagreements closer than this are equal: cells weigh more.
TIE_TOL = 1e-9

#: What is measured of the labels of a sample.
SPENT = (
    "hard_mass",
    "augmented_mass",
    "plain",
    "targeted",
    "draws",
    "passive_fraction",
    "expected_passive_fraction",
    "fallback",
)


def rittler_experiments(
    experiments: Sequence[str] = tuple(EXPERIMENTS), repeats: int = 100, seed: int = 0, progress: bool = False
) -> Tables:
    """Disagreement of the two-round scheme with the Bayes rule, beside that of a passive learner with as many labels.

    ``experiments`` are letters of ``EXPERIMENTS``. Run r of every experiment draws from the same stream, so that those
    with the same problem and labels share their passive learner, and those with the same first round their hard region.
    Masses and disagreements are on cells.

    Tables: "experiments", a row for each: its settings, the width of the band and k+; "disagreement", for each
    experiment and voting k: of the passive learner and of both kinds of voters; "gains", for each of them and kind of
    voters: passive minus active, and the fraction of samples on which the active one disagrees less (``wins``) and more
    (``losses``); "spent", for each experiment: masses of H and H+, passive labels (of both rounds) and targeted ones,
    draws of the second round, its fraction of passive labels, drawn and expected, and how often nothing was hard.

    Source: Rittler & Chaudhuri, the two-round algorithm. The paper compares bounds, each with a k of its own (Corollary
    1), and reports no experiments.
    """
    if unknown := [name for name in experiments if name not in EXPERIMENTS]:
        raise ValueError(f"no experiment is called {unknown[0]!r}; there are {', '.join(EXPERIMENTS)}")
    chosen = {name: EXPERIMENTS[name] for name in experiments}
    streams = np.random.SeedSequence(seed).spawn(repeats)
    tables: Tables = {name: [] for name in ("experiments", "disagreement", "gains", "spent")}
    for name, experiment in tqdm(chosen.items(), "rittler_experiments", disable=not progress):
        found = zip(*over_runs(partial(measured, experiment), streams), strict=True)
        rates, spent = (np.array(each) for each in found)
        key = {"experiment": name}
        tables["experiments"].append(key | _settings(experiment))
        tables["spent"].append(key | means_and_errors(spent, SPENT))
        for k, each in zip(experiment.ks, rates.transpose(2, 0, 1), strict=True):
            tables["disagreement"].append(key | {"k": k} | means_and_errors(each, LEARNERS))
            tables["gains"] += [key | {"k": k} | row for row in gains(each)]
    return tables


def _settings(experiment: Experiment) -> Row:
    about, problem, n, m, scheme, _, resolution = experiment
    row = {"about": about, "problem": title(problem), "n": n, "m": m, "k_hard": scheme.k_hard, "coin": scheme.coin}
    row |= {"pi": scheme.passive_fraction, "c0": scheme.c0, "c_plus": scheme.c_plus}
    row["cells"] = (resolution or CELLS[problem.dimension]) ** problem.dimension
    return row | {"width": scheme.width(n, problem.dimension), "k_plus": scheme.k_plus(n, problem.dimension)}


def measured(experiment: Experiment, stream: np.random.SeedSequence) -> tuple[np.ndarray, list[float]]:
    """Disagreement (3, ks) of the ``LEARNERS`` at each voting k on one sample, and what ``SPENT`` names."""
    problem, n, m, scheme = experiment.problem, experiment.n, experiment.m, experiment.scheme
    found = trial(problem, n, m, scheme, experiment.ks, stream, resolution=experiment.resolution)
    return found.disagreement[:, 0], _labels_spent(found)


def _labels_spent(found: Trial) -> list[float]:
    sample = found.sample
    targeted = int(np.sum(sample.stage == FROM_R))
    masses = [sample.first.hard_mass, sample.first.augmented_mass]
    fractions = [sample.passive_label_fraction, sample.expected_passive_fraction, float(sample.fallback)]
    return [*masses, len(sample) - targeted, targeted, sample.n_draws, *fractions]


def gains(rates: np.ndarray) -> list[Row]:
    """What buying in two rounds gains, by the disagreement (repeats, 3) of the ``LEARNERS``.

    For either kind of voters means of the gain, passive minus active, and of the fractions of samples won and lost; a
    tie is neither.
    """
    rows = []
    for voters, active in zip(VOTERS, rates.T[1:], strict=True):
        gain = rates[:, 0] - active
        # Rounding of sums over cells is no gain.
        gain[abs(gain) < TIE_TOL] = 0
        each = np.stack([gain, gain > 0, gain < 0], axis=1)
        rows.append({"voters": voters} | means_and_errors(each, ("gain", "wins", "losses")))
    return rows
