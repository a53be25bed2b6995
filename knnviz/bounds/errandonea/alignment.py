"""How much bag noise leaves the true label in more bags than any other.

A bag is made for the true label. With probability nu, the bag noise, that label is replaced by one of all C
("confusion") or of the others ("other"), or is removed from its bag ("removal"). The inclusion of a label is the
probability that another one enters a bag made for it.
"""

from math import inf

from knnviz import checks
from knnviz.corruption.bag_process import Kind, check_kind


def largest_noise(n_classes: int, largest_inclusion: float, kind: Kind = "confusion") -> float:
    """nu*: with less bag noise the true label is in more bags than any other, for inclusions up to the largest.

    ``largest_inclusion`` is a in [0, 1]. nu* is (1 - a) / (1 - a + a / C) for "confusion", (1 - a) / (1 - a + 1 / (C -
    1)) for "other", and 1 - a for "removal". In the worst case the true label has the inclusion a, and one
    other has 0.

    Source: Errandonea et al., section 4.1; the formulas are ours.

    Examples
    --------
    >>> from knnviz.bounds.errandonea import largest_noise
    >>> round(largest_noise(n_classes=10, largest_inclusion=0.8), 4)
    0.7143
    >>> largest_noise(n_classes=10, largest_inclusion=0.75, kind="removal")
    0.25
    """
    C, a = _check_arguments(n_classes, largest_inclusion, kind)
    if kind == "removal":
        return 1 - a
    rival = a / C if kind == "confusion" else 1 / (C - 1)
    return (1 - a) / (1 - a + rival)


def aligned_fraction(n_classes: int, bag_noise: float, largest_inclusion: float, kind: Kind = "confusion") -> float:
    """Probability that C inclusions, uniform on [0, a], leave each true label in more bags than any other.

    The inclusion of label i is alpha_i for all others. All labels are aligned iff the largest inclusion M and the
    smallest, m, have M < s + r m. s is (1 - nu) / (1 - nu + nu / C) for confusion, 1 - nu / ((C - 1) (1 -
    nu)) for another label, and r = 1 - s; for removal s is 1 - nu, and r = 0. M and m are the ends of C uniform draws.
    nu is in [0, 1]. Exact; 1 up to ``largest_noise``.

    Source: Errandonea et al., section 4.1; the formula is ours.

    Examples
    --------
    >>> from knnviz.bounds.errandonea import aligned_fraction
    >>> aligned_fraction(n_classes=2, bag_noise=0.5, largest_inclusion=1.0, kind="removal")
    0.25
    >>> aligned_fraction(n_classes=10, bag_noise=0.7, largest_inclusion=0.8)
    1.0
    >>> round(aligned_fraction(n_classes=10, bag_noise=0.8, largest_inclusion=0.8), 4)
    0.4471
    """
    C, a = _check_arguments(n_classes, largest_inclusion, kind)
    s = _inclusion_limit(C, float(checks.check_real("bag noise nu", bag_noise, 0, 1)), kind)
    if s <= 0 or s >= a:
        return float(s > 0)
    if kind == "removal":
        return (s / a) ** C
    # On the scale of a: the others lie between the smallest, w, and the smaller of 1 and s / a + (1 - s) w.
    unlimited_from = (1 - s / a) / (1 - s)
    return (1 - unlimited_from) ** C + ((s / a) ** C - (1 - unlimited_from) ** C) / s


def _inclusion_limit(n_classes: int, bag_noise: float, kind: Kind) -> float:
    """Upper limit, at most 1, of the largest inclusion if the smallest is 0; not positive if no inclusion will do."""
    kept = 1 - bag_noise
    if kind == "removal":
        return kept
    if kind == "confusion":
        return kept / (kept + bag_noise / n_classes)
    return 1 - bag_noise / ((n_classes - 1) * kept) if kept else -inf


def _check_arguments(n_classes: int, largest_inclusion: float, kind: Kind) -> tuple[int, float]:
    check_kind(kind)
    a = checks.check_real("largest inclusion", largest_inclusion, 0, 1)
    return checks.check_int("n_classes", n_classes, 2), float(a)
