"""How far the nearest neighbor can be from the Bayes rule (Cover & Hart 1967)."""

from knnviz import checks


def interval(bayes_risk: float, n_classes: int = 2) -> tuple[float, float]:
    """Least and largest limit of the risk of 1-NN: R* and R* (2 - C R* / (C - 1)), or 2 R* (1 - R*) for two classes.

    The limit itself is ``risk.one_nn_limit``. It meets the lower end if all classes that can occur at a point tie
    there. It meets the upper end if 1 - max eta_c is the same everywhere and shared equally by the other classes.

    R* is at most (C - 1) / C, the most that C classes can have, and C at most 255.

    Source: Cover & Hart 1967, "Nearest neighbor pattern classification", Theorem 2.

    Examples
    --------
    >>> from knnviz.bounds.cover_hart import interval
    >>> interval(0.25), interval(0.5, n_classes=3)
    ((0.25, 0.375), (0.5, 0.625))
    """
    n_classes = checks.check_int("n_classes", n_classes, 2, 255)
    most = (n_classes - 1) / n_classes
    bayes_risk = checks.check_real("bayes_risk", bayes_risk, 0, most)
    return bayes_risk, bayes_risk * (2 - bayes_risk / most)
