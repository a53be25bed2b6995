"""PoolLab: its dots beside scikit-learn, and what a click chooses."""

import numpy as np
import pytest
from random_moves import layers
from sklearn.neighbors import KNeighborsClassifier

from knnviz import breast_cancer, labs


def errors(split, m, k):
    """Held-out errors of the passive and of the active learner."""
    pool = breast_cancer(seed=split)
    order = np.random.default_rng(split).permutation(len(pool.X_train))
    first = KNeighborsClassifier(15).fit(pool.X_train[order[:100]], pool.y_train[order[:100]])
    votes = 15 * first.predict_proba(pool.X_train[order[100:]])[:, 1]
    close = order[100:][(votes > 3.5) & (votes < 11.5)]
    for second in (order[100:], close):
        bought = np.append(order[:100], second[:m])
        rule = KNeighborsClassifier(k).fit(pool.X_train[bought], pool.y_train[bought])
        yield int((rule.predict(pool.X_test) != pool.y_test).sum())


@pytest.mark.parametrize(("m", "k"), [(20, 15), (50, 35)])
def test_a_dot_for_each_split_at_its_gain(m, k):
    lab = labs.PoolLab(m=m, k=k)
    found = [tuple(errors(split, m, k)) for split in range(20)]
    gains = [passive - active for passive, active in found]
    dots = layers(lab, "gains")["dots"]
    assert dots.x.tolist() == gains
    assert len({*zip(dots.x, dots.y, strict=True)}) == 20, "no dot hides another"

    read = lab.readout()
    assert read["mean gain"] == pytest.approx(np.mean(gains))
    assert read["active ahead"].part == sum(gain > 0 for gain in gains)
    assert read["passive ahead"].part == sum(gain < 0 for gain in gains)
    for split, of_split in enumerate(found):
        lab.set(**lab.pick("gains", dots.x[split], dots.y[split] + 0.3))
        read = lab.readout()
        names = ("passive errors", "active errors")
        assert tuple(read[name].part for name in names) == of_split
        assert layers(lab, "gains")["dots"].ringed.nonzero()[0].tolist() == [split]
