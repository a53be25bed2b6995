"""Monte Carlo sweeps: Figure 1(a) of Gao et al., and risk against n to 10^6."""

import time

import numpy as np
from rows import Row, median_ms, must_agree, timed
from sklearn.neighbors import KNeighborsClassifier

from knnviz import LabelNoise, Robust, Threshold, Vote, risk
from knnviz.problems import plateau
from knnviz_papers.gao.figure_1 import draw_figure_1, risks
from knnviz_papers.reeve_kaban.comparison import theorem_k

#: Noise settings, and twenty values of k from 1 to 800.
RATES = [(0.2, 0.1), (0.1, 0.3), (0.1, 0.4)]
KS = np.unique(np.geomspace(1, 800, 21).round().astype(int)).tolist()
#: Sample sizes from 10^3 to 10^6.
NS = np.geomspace(1e3, 1e6, 7).round().astype(int).tolist()
#: What is compared on the plateau at flip rates (0.1, 0.3); the second is Algorithm 2 of Reeve &
#: Kaban.
RULES = {"vote": Vote(), "robust": Robust(votes="order"), "known": Threshold.from_rates(0.1, 0.3)}


def rows(quick: bool) -> list[Row]:
    """The figure beside its peer, which takes a minute and is left out when it must be quick; then
    the curve.
    """
    if quick:
        return curve_rows()
    return figure_rows() + curve_rows()


def figure_rows() -> list[Row]:
    """All of the figure in ours; fit and predict projected from a few of them."""
    found = our_figure()
    ours = median_ms(lambda _: our_figure(), range(6)) / 1000
    projected, some = projected_peer()
    same = np.allclose(found[0, :, list(some)], [*some.values()], atol=0.02)
    must_agree(same, "risks")

    what = "Figure 1(a): 3 noises x 20 flips x 20 k; plain, rates known, rates estimated"
    peer = "scikit-learn fit, predict"
    faster = f"Figure 1(a), times faster than {peer}"
    return [
        Row(what, ours, "s", None, projected, f"{peer}, projected"),
        Row(faster, projected / ours, "x", 200, more=True),
    ]


def our_figure() -> np.ndarray:
    """Mean risks (3, 3, 20): plain, rates known, rates estimated; the draws of the data are timed
    with them.
    """
    rules = [[Vote(), Robust(rates), Robust()] for rates in RATES]
    return risks(draw_figure_1(), RATES, rules, KS).mean(axis=1)


def projected_peer() -> tuple[float, dict[int, np.ndarray]]:
    """Seconds of 3 x 20 x 20 fits with predictions at test and training points, from every fourth k
    once.

    And the risks of these, by the place of k: of a single draw of flips, so that they are only near
    the means.
    """
    data = draw_figure_1()
    labels = data.flipped(*RATES[0])[0]
    threshold = float(Robust(RATES[0]).threshold)

    def single(k: int) -> np.ndarray:
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


def curve_rows() -> list[Row]:
    """kNN, Algorithm 2 and the true threshold on the plateau at the theorem's k, five samples of
    each size.
    """
    noise = LabelNoise(0.1, 0.3)
    setting = {"k": theorem_k, "noise": noise, "repeats": 5, "n_jobs": 2}
    risk.curve(plateau(0.1, 0.3), RULES, over={"n": [1000]}, **setting)

    start = time.perf_counter()
    first = None
    for _ in risk.stream(plateau(0.1, 0.3), RULES, over={"n": NS}, **setting):
        first = first or time.perf_counter() - start
    whole = time.perf_counter() - start
    return [
        Row("risk against n to 10^6 on the plateau: 7 n x 5 repeats, three rules", whole, "s", 10),
        Row("the same, to the first point", first, "s", 1),
    ]
