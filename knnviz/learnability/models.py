"""Seven models of partial labels in the literature: the conditions of each as a test, and draws
that meet them.

A new model is an entry of ``MODELS``: a draw that meets its conditions, and the conditions as a
predicate of M and eta at one point. A process with a name is an entry of ``EXAMPLES`` in
``knnviz/learnability/examples.py``. ``tests/learnability/`` has the conditions once more in plain
code, what a model implies and a counterexample for what it does not.
"""

from collections.abc import Callable, Iterable
from itertools import product
from typing import NamedTuple

import numpy as np

from knnviz.bags import BagProcess
from knnviz.checks import Seed, check_int, check_seed
from knnviz.learnability.conditions import (
    SCORE_TOL,
    agree_closely,
    best,
    is_label_aligned,
    rank,
)
from knnviz.learnability.matrix import (
    World,
    bag_distribution,
    check_process,
    check_world,
    cooccurrence,
    every_bag,
    process_matrix,
    process_of,
    uniform_weights,
)


class BagModel(NamedTuple):
    """What a model of the literature assumes of bags at one point x.

    ``draw`` makes a world that meets the assumptions, from the number of labels and a generator;
    ``holds`` tells whether M (2^C, C) and eta (C,) do. The distribution of the draws is ours.
    """

    draw: Callable[[int, np.random.Generator], World]
    holds: Callable[[np.ndarray, np.ndarray], bool]


def dominates(process: np.ndarray, eta: np.ndarray) -> bool:
    """Whether every bag is more likely with a best label than with another in its place.

    That is P(s + i | x) > P(s + j | x) for each best label i and each other label j of eta (C,),
    and each bag s that holds neither; relative differences up to 1e-9 count as none. If one label
    is best this implies alignment: P(S_i | x) - P(S_j | x) is the sum of these differences. Bags
    that never occur fail the test, so with three or more labels bags of one label do not pass.
    Source: Errandonea et al., appendix A.2 (Cour et al.), where i has the largest P(S_y | x) and j
    has not, which is the same if bags are aligned.
    """
    process, eta = check_world(process, eta)
    probability = bag_distribution(process, eta)
    bags = every_bag(len(eta)).T
    is_best = best(eta)
    for i, j in product(np.flatnonzero(is_best), np.flatnonzero(~is_best)):
        # Bags with i and without j are in the same order as those with j and without i.
        with_best = probability[bags[i] & ~bags[j]]
        with_other = probability[bags[j] & ~bags[i]]
        if not (with_best > with_other * (1 + SCORE_TOL)).all():
            return False
    return True


def split_frequency(process: np.ndarray) -> np.ndarray:
    """Mean votes (C, C) if a bag splits one vote among its labels: at [y, i] those of y if the true
    label is i.

    The sum of P(s | i) / ``|s|`` over bags s of M (2^C, C) that hold y. With a whole vote for each
    label of a bag it would be ``cooccurrence``. Source: Errandonea et al., appendix A.7 (Lv et
    al.).
    """
    process = check_process(process)
    votes = uniform_weights(every_bag(process.shape[1]))
    return votes.T @ process


def feng_process(n_classes: int) -> np.ndarray:
    """M (2^C, C) where all bags with the true label are equally likely; the bag of all labels never
    occurs.

    As printed the bag of all labels has the same probability, and probabilities sum to 2^(C-1) /
    (2^(C-1) - 1). P(S_y | x) is 2^(C-2) / (2^(C-1) - 1) times eta_y(x), plus a constant. Source:
    Errandonea et al., appendix A.4 (Feng et al.).
    """
    process = every_bag(n_classes) / (2 ** (n_classes - 1) - 1)
    process[-1] = 0
    return process


def lv_counterexample(label: int) -> World:
    """A world of three labels where alignment and the noisy model of Lv et al. differ.

    The bags of the true label ``label`` are {0} with probability 0.1, {2} with 0.4 and {0, 1} with
    0.5; other labels, which do not occur here, would come alone. Bags hold label 0 most often, but
    label 2 gets most if each splits one vote. So with true label 0 bags are aligned and not of the
    model, with true label 2 of the model and not aligned. Source: Errandonea et al., appendix A.7.
    """
    columns: list[dict[Iterable[int], float]] = [{(each,): 1} for each in range(3)]
    columns[check_int("label", label, 0, 2)] = {(0,): 0.1, (2,): 0.4, (0, 1): 0.5}
    return World(process_matrix(columns), np.eye(3)[label])


def _is_certain(eta: np.ndarray) -> bool:
    return bool(eta.max() >= 1 - SCORE_TOL)


def _holds_liu(process: np.ndarray, eta: np.ndarray) -> bool:
    # In appendix A.1 the last condition is one on the bags of the certain label alone; here, as in
    # A.6, on all columns.
    is_always_in = cooccurrence(process) >= 1 - SCORE_TOL
    return _is_certain(eta) and np.array_equal(is_always_in, np.eye(len(eta)))


def _holds_cour(process: np.ndarray, eta: np.ndarray) -> bool:
    return bool(is_label_aligned(process, eta)) and dominates(process, eta)


def _holds_cabannes(process: np.ndarray, eta: np.ndarray) -> bool:
    occurs = bag_distribution(process, eta) > 0
    common = every_bag(len(eta))[occurs].all(axis=0)
    return bool(common.sum() == 1 and np.array_equal(common, best(eta)))


def _holds_feng(process: np.ndarray, eta: np.ndarray) -> bool:
    return agree_closely(process, feng_process(len(eta)))


def _holds_wen(process: np.ndarray, eta: np.ndarray) -> bool:
    if not _holds_liu(process, eta):
        return False
    # By rounding, sums of probabilities may exceed 1.
    together = np.minimum(cooccurrence(process), 1)
    return agree_closely(process, process_of(BagProcess(together.T)))


def _holds_lv_noisy(process: np.ndarray, eta: np.ndarray) -> bool:
    return _is_certain(eta) and bool(_gets_most_split_votes(process).all())


def _gets_most_split_votes(process: np.ndarray) -> np.ndarray:
    """Whether each true label (C,) alone gets most votes, if bags split one among their labels."""
    gets_most = best(split_frequency(process).T)
    return (gets_most == np.eye(len(gets_most))).all(axis=1)


def _random_distributions(allowed: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """For each column (2^C,) of ``allowed`` a distribution on its bags, drawn uniformly from all of
    these.
    """
    process = rng.exponential(size=allowed.shape) * allowed
    return process / process.sum(axis=0)


def _random_certain(n_classes: int, rng: np.random.Generator) -> np.ndarray:
    """An eta (C,) at which one label, drawn uniformly, is certain."""
    return np.eye(n_classes)[rng.integers(n_classes)]


def _random_eta(n_classes: int, rng: np.random.Generator) -> np.ndarray:
    """An eta (C,), uniform on the simplex."""
    return rng.dirichlet(np.ones(n_classes))


def _draw_liu(n_classes: int, rng: np.random.Generator) -> World:
    process = _random_distributions(every_bag(n_classes), rng)
    return World(process, _random_certain(n_classes, rng))


def _draw_cour(n_classes: int, rng: np.random.Generator) -> World:
    # The same for every true label: a weight for each size of a bag, 1.5 times that with the best
    # label in it.
    bags = every_bag(n_classes)
    eta = _random_eta(n_classes, rng)
    of_sizes = rng.exponential(size=n_classes + 1)
    holds_best = bags[:, eta.argmax()]
    weights = of_sizes[bags.sum(axis=1)] * np.where(holds_best, 1.5, 1)
    column = weights[:, None] / weights.sum()
    return World(np.tile(column, n_classes), eta)


def _draw_cabannes(n_classes: int, rng: np.random.Generator) -> World:
    bags = every_bag(n_classes)
    eta = _random_eta(n_classes, rng)
    holds_best = bags[:, eta.argmax()]
    occurs = np.zeros(len(bags), bool)
    # Drawn again until there are bags, with that label alone in common.
    while not occurs.any() or bags[occurs].all(axis=0).sum() > 1:
        occurs = holds_best & (rng.random(len(bags)) < 0.5)
    allowed = np.tile(occurs[:, None], n_classes)
    return World(_random_distributions(allowed, rng), eta)


def _draw_feng(n_classes: int, rng: np.random.Generator) -> World:
    return World(feng_process(n_classes), _random_eta(n_classes, rng))


def _draw_wen(n_classes: int, rng: np.random.Generator) -> World:
    inclusion = rng.random((n_classes, n_classes))
    process = process_of(BagProcess(inclusion))
    return World(process, _random_certain(n_classes, rng))


def _draw_lv_noisy(n_classes: int, rng: np.random.Generator) -> World:
    # Any distributions of bags that are not empty, drawn again for true labels that do not get most
    # votes.
    not_empty = np.tile(every_bag(n_classes).any(axis=1, keepdims=True), n_classes)
    process = _random_distributions(not_empty, rng)
    ahead = _gets_most_split_votes(process)
    while not ahead.all():
        again = _random_distributions(not_empty, rng)
        process[:, ~ahead] = again[:, ~ahead]
        ahead = _gets_most_split_votes(process)
    return World(process, _random_certain(n_classes, rng))


#: The models by name, of Errandonea et al., appendix A.1 to A.7. At one point, the model of Lv et
#: al. without noise is that of Liu & Dietterich. Both models of Lv et al. also assume one process
#: for all points, which a single point cannot show.
MODELS: dict[str, BagModel] = {
    # One label is certain; bags hold their true label, and no wrong label is in all bags of
    # another.
    "Liu & Dietterich": BagModel(_draw_liu, _holds_liu),
    # The labels in most bags are the best ones, and any bag is likelier with a best label than with
    # another.
    "Cour et al.": BagModel(_draw_cour, _holds_cour),
    # All bags that occur have one label in common, the best one.
    "Cabannes et al.": BagModel(_draw_cabannes, _holds_cabannes),
    # Of the bags that hold the true label, all but that of all labels are equally likely.
    "Feng et al.": BagModel(_draw_feng, _holds_feng),
    # One label is certain; wrong labels join its bags independently, none of them always.
    "Wen et al.": BagModel(_draw_wen, _holds_wen),
    "Lv et al.": BagModel(_draw_liu, _holds_liu),
    # One label is certain; if each bag splits one vote among its labels, the true label gets most.
    "Lv et al., noisy": BagModel(_draw_lv_noisy, _holds_lv_noisy),
}


def model_fractions(n_classes: int, n_draws: int, seed: Seed = 0) -> dict[str, dict[str, float]]:
    """How the models nest and what follows from them: fractions of the draws of each that have some
    property.

    Returns for each of ``MODELS`` the fraction, in [0, 1], of its draws that meet the condition of
    each of ``MODELS``. Then follow "domination" (every bag is more likely with a best label than
    with another in its place, ``dominates``), "aligned" (at their eta), "aligned process", "full
    rank" (M has rank C), and "aligned at a random eta", uniform on the simplex. A fraction below 1
    disproves an implication; a fraction of 1 proves none. Raises ValueError for fewer than one
    draw, and for numbers of labels other than 2 to 12.

    Examples
    --------
    >>> from knnviz.learnability import model_fractions
    >>> fractions = model_fractions(n_classes=3, n_draws=10, seed=0)
    >>> [fractions["Feng et al."][fact] for fact in ("aligned process", "full rank")]
    [1.0, 1.0]
    >>> [
    ...     fractions["Wen et al."][fact]
    ...     for fact in ("Liu & Dietterich", "aligned", "aligned process")
    ... ]
    [1.0, 1.0, 0.0]
    """
    n_draws = check_int("n_draws", n_draws, 1)
    rng = check_seed(seed)
    table = {}
    for name, model in MODELS.items():
        rows = []
        for _ in range(n_draws):
            world = model.draw(n_classes, rng)
            rows.append(_properties(*world, _random_eta(n_classes, rng)))
        table[name] = {key: sum(row[key] for row in rows) / n_draws for key in rows[0]}
    return table


def _properties(process: np.ndarray, eta: np.ndarray, random_eta: np.ndarray) -> dict[str, bool]:
    meets = {name: model.holds(process, eta) for name, model in MODELS.items()}
    return meets | {
        "domination": dominates(process, eta),
        "aligned": bool(is_label_aligned(process, eta)),
        "aligned process": bool(is_label_aligned(process)),
        "full rank": rank(process) == len(eta),
        "aligned at a random eta": bool(is_label_aligned(process, random_eta)),
    }
