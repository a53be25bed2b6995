"""Seven models of partial labels in the literature: the conditions of each as a test, and draws that meet them."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np

from knnviz import checks
from knnviz.bags import BagProcess
from knnviz.learnability.conditions import TIE_TOL, best, is_label_aligned, is_reconstructible
from knnviz.learnability.matrix import (
    MAX_CLASSES,
    World,
    bag_distribution,
    check_process,
    check_world,
    cooccurrence,
    every_bag,
    process_matrix,
    process_of,
)


@dataclass(frozen=True)
class Model:
    """What a model assumes of bags at one point x: a ``description`` in one line, a ``condition``, and a ``sampler``.

    The condition tells whether M (2^C, C) and eta (C,) meet the assumptions; the sampler draws some that do, from the
    number of labels and a random generator. ``holds`` and ``draw`` check their arguments first.

    Examples
    --------
    >>> from knnviz.learnability import MODELS
    >>> process, eta = MODELS["Wen et al."].draw(n_classes=3, rng=0)
    >>> [name for name, model in MODELS.items() if model.holds(process, eta)]
    ['Liu & Dietterich', 'Cour et al.', 'Cabannes et al.', 'Wen et al.', 'Lv et al.', 'Lv et al., noisy']
    """

    description: str
    source: str
    sampler: Callable[[int, np.random.Generator], World]
    condition: Callable[[np.ndarray, np.ndarray], bool]

    def draw(self, n_classes: int, rng: int | np.random.Generator) -> World:
        """M (2^C, C) and eta (C,) that meet the condition, C from 2 to 12; the distribution of the draws is ours."""
        return self.sampler(checks.check_int("n_classes", n_classes, 2, MAX_CLASSES), np.random.default_rng(rng))

    def holds(self, process: np.ndarray, eta: np.ndarray) -> bool:
        """Whether M (2^C, C) and eta (C,) at a point meet the condition."""
        return bool(self.condition(*check_world(process, eta)))


def dominates(process: np.ndarray, eta: np.ndarray) -> bool:
    """Whether every bag is more likely with a best label than with another in its place, at a point.

    That is P(s + i | x) > P(s + j | x) for each best label i and each other label j of eta (C,), and each bag s that
    holds neither; relative differences up to 1e-9 count as none. If one label is best this implies alignment:
    P(S_i | x) - P(S_j | x) is the sum of these differences. Bags that never occur fail the test, so with three or more
    labels bags of one label do not pass. Source: Errandonea et al., appendix A.2 (Cour et al.), where i has the largest
    P(S_y | x) and j has not, which is the same if bags are aligned.

    Examples
    --------
    >>> from knnviz.learnability import EXAMPLES, dominates
    >>> dominates(EXAMPLES["even inclusion"].process, [0.5, 0.3, 0.2])
    True
    >>> dominates(EXAMPLES["labels themselves"].process, [0.5, 0.3, 0.2])
    False
    """
    process, eta = check_world(process, eta)
    probability, is_best, bags = bag_distribution(process, eta), best(eta), every_bag(len(eta))

    def more_likely(i: int, j: int) -> bool:
        neither = np.flatnonzero(~bags[:, i] & ~bags[:, j])
        return bool((probability[neither + (1 << i)] > probability[neither + (1 << j)] * (1 + TIE_TOL)).all())

    return all(more_likely(i, j) for i in np.flatnonzero(is_best).tolist() for j in np.flatnonzero(~is_best).tolist())


def split_frequency(process: np.ndarray) -> np.ndarray:
    """Mean votes (C, C) if a bag splits one vote among its labels: at [y, i] those of y if the true label is i.

    The sum of P(s | i) / ``|s|`` over bags s of M (2^C, C) that hold y. With a whole vote for each label of a bag it
    would be ``cooccurrence``. Source: Errandonea et al., appendix A.7 (Lv et al.).

    Examples
    --------
    >>> from knnviz.learnability import process_matrix, split_frequency
    >>> process = process_matrix([{(0,): 0.6, (0, 1): 0.4}, {(1,): 1}])
    >>> split_frequency(process).round(6).tolist()
    [[0.8, 0.0], [0.2, 1.0]]
    """
    process = check_process(process)
    bags = every_bag(process.shape[1])
    return (bags / np.maximum(bags.sum(axis=1, keepdims=True), 1)).T @ process


def feng_process(n_classes: int) -> np.ndarray:
    """M (2^C, C) where all bags with the true label are equally likely, but for that of all labels, which never occurs.

    As printed the bag of all labels has the same probability, and probabilities sum to 2^(C-1) / (2^(C-1) - 1). C is
    from 2 to 12; ValueError otherwise. Source: Errandonea et al., appendix A.4 (Feng et al.).

    Examples
    --------
    >>> from knnviz.learnability import cooccurrence, feng_process
    >>> feng_process(3)[:, 0].round(4).tolist()
    [0.0, 0.3333, 0.0, 0.3333, 0.0, 0.3333, 0.0, 0.0]
    >>> cooccurrence(feng_process(3)).round(4).tolist()
    [[1.0, 0.3333, 0.3333], [0.3333, 1.0, 0.3333], [0.3333, 0.3333, 1.0]]
    """
    process = every_bag(n_classes) / (2 ** (n_classes - 1) - 1)
    process[-1] = 0
    return process


def feng_alpha(n_classes: int) -> float:
    """P(a bag of ``feng_process`` holds its true label) - P(it holds a given wrong one), for C from 2 to 1000.

    2^(C-2) / (2^(C-1) - 1): P(S_y | x) is this times eta_y(x), plus a constant. Source: as that of ``feng_process``.

    Examples
    --------
    >>> from knnviz.learnability import feng_alpha
    >>> [round(feng_alpha(n_classes), 4) for n_classes in (2, 3, 4, 10)]
    [1.0, 0.6667, 0.5714, 0.501]
    """
    n_classes = checks.check_int("n_classes", n_classes, 2, 1000)
    return 2 ** (n_classes - 2) / (2 ** (n_classes - 1) - 1)


def lv_counterexample(label: int) -> World:
    """A world of three labels where alignment and the noisy model of Lv et al. differ: M (8, 3) and eta (3,).

    The bags of the true label ``label`` are {0} with probability 0.1, {2} with 0.4 and {0, 1} with 0.5; other labels,
    which do not occur here, would come alone. Bags hold label 0 most often, but label 2 gets most if each splits one
    vote. So with true label 0 bags are aligned and not of the model, with true label 2 of the model and not aligned.
    Raises ValueError for labels other than 0, 1 and 2. Source: Errandonea et al., appendix A.7.

    Examples
    --------
    >>> from knnviz.learnability import frequency, lv_counterexample, split_frequency
    >>> process, eta = lv_counterexample(0)
    >>> frequency(process, eta).round(6).tolist()
    [0.6, 0.5, 0.4]
    >>> (split_frequency(process) @ eta).round(6).tolist()
    [0.35, 0.25, 0.4]
    """
    label = checks.check_int("label", label, 0, 2)
    columns: list[dict[Iterable[int], float]] = [{(each,): 1} for each in range(3)]
    columns[label] = {(0,): 0.1, (2,): 0.4, (0, 1): 0.5}
    return process_matrix(columns), np.eye(3)[label]


def _is_certain(eta: np.ndarray) -> bool:
    return eta.max() >= 1 - TIE_TOL


def _only_true_labels_are_always_in(process: np.ndarray) -> bool:
    matrix, diagonal = cooccurrence(process), np.eye(process.shape[1], dtype=bool)
    return matrix[diagonal].min() >= 1 - TIE_TOL and matrix[~diagonal].max() < 1 - TIE_TOL


def _meets_cour(process: np.ndarray, eta: np.ndarray) -> bool:
    return bool(is_label_aligned(process, eta)) and dominates(process, eta)


def _meets_cabannes(process: np.ndarray, eta: np.ndarray) -> bool:
    common = every_bag(len(eta))[bag_distribution(process, eta) > 0].all(axis=0)
    return common.sum() == 1 and (common == best(eta)).all()


def _meets_feng(process: np.ndarray, eta: np.ndarray) -> bool:
    return np.allclose(process, feng_process(len(eta)), rtol=0, atol=TIE_TOL)


def _meets_wen(process: np.ndarray, eta: np.ndarray) -> bool:
    if not (_is_certain(eta) and _only_true_labels_are_always_in(process)):
        return False
    # By rounding, sums of probabilities may exceed 1.
    independent = process_of(BagProcess(np.minimum(cooccurrence(process).T, 1)))
    return np.allclose(process, independent, rtol=0, atol=TIE_TOL)


def _leads(votes: np.ndarray) -> np.ndarray:
    """Votes (C,) of each true label minus the most votes of another label, from ``votes`` (C, C)."""
    diagonal = np.eye(len(votes), dtype=bool)
    return votes[diagonal] - np.where(diagonal, -1, votes).max(axis=0)


def _random_distributions(allowed: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """For each column (2^C,) of ``allowed`` a distribution on its bags, drawn uniformly from all of these."""
    process = rng.exponential(size=allowed.shape) * allowed
    return process / process.sum(axis=0)


def _random_certain_eta(n_classes: int, rng: np.random.Generator) -> np.ndarray:
    return np.eye(n_classes)[rng.integers(n_classes)]


def _random_eta(n_classes: int, rng: np.random.Generator) -> np.ndarray:
    return rng.dirichlet(np.ones(n_classes))


def _draw_liu(n_classes: int, rng: np.random.Generator) -> World:
    return _random_distributions(every_bag(n_classes), rng), _random_certain_eta(n_classes, rng)


def _draw_cour(n_classes: int, rng: np.random.Generator) -> World:
    # The same for every true label: a weight for each size of a bag, 1.5 times that with the best label in it.
    bags, eta = every_bag(n_classes), _random_eta(n_classes, rng)
    weights = rng.exponential(size=n_classes + 1)[bags.sum(axis=1)] * np.where(bags[:, eta.argmax()], 1.5, 1)
    return np.tile(weights[:, None] / weights.sum(), n_classes), eta


def _draw_cabannes(n_classes: int, rng: np.random.Generator) -> World:
    bags, eta = every_bag(n_classes), _random_eta(n_classes, rng)
    best_label, occurs = eta.argmax(), np.zeros(len(bags), bool)
    while not occurs.any() or bags[occurs].all(axis=0).sum() > 1:
        occurs = bags[:, best_label] & (rng.random(len(bags)) < 0.5)
    return _random_distributions(np.tile(occurs[:, None], n_classes), rng), eta


def _draw_wen(n_classes: int, rng: np.random.Generator) -> World:
    return process_of(BagProcess(rng.random((n_classes, n_classes)))), _random_certain_eta(n_classes, rng)


def _draw_lv_noisy(n_classes: int, rng: np.random.Generator) -> World:
    # Any distributions of bags that are not empty, drawn again for true labels that do not get most votes.
    not_empty = np.tile(every_bag(n_classes).any(axis=1, keepdims=True), n_classes)
    process = _random_distributions(not_empty, rng)
    while len(behind := np.flatnonzero(_leads(split_frequency(process)) <= TIE_TOL)):
        process[:, behind] = _random_distributions(not_empty, rng)[:, behind]
    return process, _random_certain_eta(n_classes, rng)


# In appendix A.1 the last condition is one on the bags of the certain label alone; here, as in A.6, on all columns.
_LIU = Model(
    "One label is certain; bags hold their true label, and no wrong label is in all bags of another.",
    "Errandonea et al., appendix A.1 (Liu & Dietterich)",
    _draw_liu,
    lambda process, eta: _is_certain(eta) and _only_true_labels_are_always_in(process),
)

#: The models by name. At one point, the model of Lv et al. without noise is that of Liu & Dietterich. Both models of
#: Lv et al. also assume one process for all points, which a single point cannot show.
MODELS: Mapping[str, Model] = MappingProxyType(
    {
        "Liu & Dietterich": _LIU,
        "Cour et al.": Model(
            "The labels in most bags are the best ones, and any bag is likelier with a best label than with another.",
            "Errandonea et al., appendix A.2 (Cour et al.)",
            _draw_cour,
            _meets_cour,
        ),
        "Cabannes et al.": Model(
            "All bags that occur have one label in common, the best one.",
            "Errandonea et al., appendix A.3 (Cabannes et al.)",
            _draw_cabannes,
            _meets_cabannes,
        ),
        "Feng et al.": Model(
            "Of the bags that hold the true label, all but that of all labels are equally likely.",
            "Errandonea et al., appendix A.4 (Feng et al.)",
            lambda n_classes, rng: (feng_process(n_classes), _random_eta(n_classes, rng)),
            _meets_feng,
        ),
        "Wen et al.": Model(
            "One label is certain; wrong labels join its bags independently, none of them always.",
            "Errandonea et al., appendix A.5 (Wen et al.)",
            _draw_wen,
            _meets_wen,
        ),
        "Lv et al.": replace(_LIU, source="Errandonea et al., appendix A.6 (Lv et al., without noise)"),
        "Lv et al., noisy": Model(
            "One label is certain; if each bag splits one vote among its labels, the true label gets most.",
            "Errandonea et al., appendix A.7 (Lv et al., with noise)",
            _draw_lv_noisy,
            lambda process, eta: _is_certain(eta) and _leads(split_frequency(process)).min() > TIE_TOL,
        ),
    }
)


def model_fractions(n_classes: int, n_draws: int, rng: int | np.random.Generator) -> dict[str, dict[str, float]]:
    """How the models nest and what follows from them: fractions of the draws of each that have some property.

    Returns for each of ``MODELS`` the fraction, in [0, 1], of its draws that meet the condition of each of ``MODELS``.
    Then follow "domination", "aligned" (at their eta), "aligned process", "full rank", and "aligned at a random eta",
    uniform on the simplex. A fraction below 1 disproves an implication; a fraction of 1 proves none. Raises
    ValueError for fewer than one draw, and for numbers of labels other than 2 to 12.

    Examples
    --------
    >>> from knnviz.learnability import model_fractions
    >>> fractions = model_fractions(n_classes=3, n_draws=10, rng=0)
    >>> [fractions["Feng et al."][fact] for fact in ("aligned process", "full rank")]
    [1.0, 1.0]
    >>> [fractions["Wen et al."][fact] for fact in ("Liu & Dietterich", "aligned", "aligned process")]
    [1.0, 1.0, 0.0]
    """
    n_draws, rng = checks.check_int("n_draws", n_draws, 1), np.random.default_rng(rng)
    table = {}
    for name, model in MODELS.items():
        rows = [_properties(*model.draw(n_classes, rng), _random_eta(n_classes, rng)) for _ in range(n_draws)]
        table[name] = {key: sum(row[key] for row in rows) / n_draws for key in rows[0]}
    return table


def _properties(process: np.ndarray, eta: np.ndarray, random_eta: np.ndarray) -> dict[str, bool]:
    return {name: model.holds(process, eta) for name, model in MODELS.items()} | {
        "domination": dominates(process, eta),
        "aligned": bool(is_label_aligned(process, eta)),
        "aligned process": bool(is_label_aligned(process)),
        "full rank": is_reconstructible(process),
        "aligned at a random eta": bool(is_label_aligned(process, random_eta)),
    }
