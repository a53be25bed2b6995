"""A Monte Carlo sweep: Figure 1(a) of Gao et al."""

import numpy as np
from rows import Row, median_ms, must_agree, timed
from sklearn.neighbors import KNeighborsClassifier

from knnviz import Robust, Vote
from knnviz_papers.gao.figure_1 import draw_figure_1, risks

#: Noise settings, and twenty values of k from 1 to 800.
RATES = [(0.2, 0.1), (0.1, 0.3), (0.1, 0.4)]
KS = np.unique(np.geomspace(1, 800, 21).round().astype(int)).tolist()


def rows(quick):
    """All of the figure in ours; fit and predict projected from a few of them, which takes a
    minute: so nothing is measured when it must be quick.
    """
    if quick:
        return []
    found = our_figure()
    ours = median_ms(lambda _: our_figure(), range(6)) / 1000
    projected, some = projected_peer()
    same = np.allclose(found[0, :, list(some)], [*some.values()], atol=0.02)
    must_agree(same, "risks")

    peer = "scikit-learn fit, predict"
    what = f"Figure 1(a): 3 noises x 20 flips x 20 k and 3 rules, times faster than {peer}"
    return [Row(what, projected / ours, "x", 200, more=True)]


def our_figure():
    """Mean risks (3, 3, 20): plain, rates known, rates estimated; the draws of the data are timed
    with them.
    """
    rules = [[Vote(), Robust(rates), Robust()] for rates in RATES]
    return risks(draw_figure_1(), RATES, rules, KS).mean(axis=1)


def projected_peer():
    """Seconds of 3 x 20 x 20 fits with predictions at test and training points, from every fourth k
    once.

    And the risks of these, by the place of k: of a single draw of flips, so that they are only near
    the means.
    """
    data = draw_figure_1()
    labels = data.flipped(*RATES[0])[0]
    threshold = float(Robust(RATES[0]).threshold)

    def single(k):
        classifier = KNeighborsClassifier(k).fit(data.X, labels)
        fractions = classifier.predict_proba(data.X_test)[:, 1]
        smoothed = classifier.predict_proba(data.X)[:, 1]
        estimated = (smoothed.min() + smoothed.max()) / 2
        decided = [fractions >= each for each in (0.5, threshold, estimated)]
        return np.array([np.where(ones, *data.eta.T).mean() for ones in decided])

    single(1)
    places = [*range(1, len(KS), 4), len(KS) - 1]
    found = {}
    took = []
    for place in places:
        seconds, found[place] = timed(lambda k=KS[place]: single(k))
        took.append(seconds)
    each_k = np.interp(KS, [KS[place] for place in places], took)
    return 3 * 20 * float(each_k.sum()), found
