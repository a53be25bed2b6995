"""Monte Carlo sweeps: Figure 1(a) of Gao et al., and risk against n to 10^6."""

import time

import numpy as np
from rows import Row, median_ms, must_agree, timed
from sklearn.neighbors import KNeighborsClassifier, NearestNeighbors

from knnviz import LabelNoise, Robust, Threshold, Vote, risk
from knnviz.neighbors import Windows
from knnviz.problems import plateau
from knnviz_papers.gao.figure_1 import draw_figure_1, risks
from knnviz_papers.reeve_kaban.comparison import theorem_k

#: Noise settings, and twenty values of k from 1 to 800.
RATES = [(0.2, 0.1), (0.1, 0.3), (0.1, 0.4)]
KS = np.unique(np.geomspace(1, 800, 21).round().astype(int)).tolist()
#: Sample sizes from 10^3 to 10^6.
NS = np.geomspace(1e3, 1e6, 7).round().astype(int).tolist()
#: What is compared on the plateau at flip rates (0.1, 0.3); the second is Algorithm 2 of Reeve & Kaban.
RULES = {"vote": Vote(), "robust": Robust(votes="order"), "known": Threshold.from_rates(0.1, 0.3)}


def rows(quick: bool) -> list[Row]:
    """The figure beside its peers, which take a minute and are left out when it must be quick; then the curve."""
    return [*(() if quick else figure_rows()), *curve_rows()]


def figure_rows() -> list[Row]:
    """All of the figure in ours and in scikit-learn used well; fit and predict projected from a few of them."""
    if len(KS) != 20:
        raise AssertionError(f"the figure has 20 values of k, not {len(KS)}")
    found = our_figure()
    ours = median_ms(lambda _: our_figure(), range(6)) / 1000
    well, theirs = timed(figure_used_well)
    projected, some = projected_peer()
    must_agree(np.allclose(found, theirs, atol=1e-9), "risks")
    must_agree(np.allclose(found[0, :, list(some)], [*some.values()], atol=0.02), "risks")
    what = "3 noises x 20 flips x 20 k; plain, rates known, rates estimated"
    return [
        Row(f"Figure 1(a): {what}", ours, "s", None, projected, "scikit-learn fit, predict, projected"),
        Row("Figure 1(a), times faster than scikit-learn fit, predict", projected / ours, "x", 200, more=True),
        Row("Figure 1(a)", ours, "s", None, well, "scikit-learn used well"),
    ]


def our_figure() -> np.ndarray:
    """Mean risks (3, 3, 20): plain, rates known, rates estimated; the draws of the data are timed with them."""
    found = risks(draw_figure_1(), RATES, [[Vote(), Robust(rates), Robust()] for rates in RATES], KS)
    return found.mean(axis=1)


def figure_used_well() -> np.ndarray:
    """The same from one kneighbors of the test and one of the training points, and NumPy's cumulative votes."""
    data, ks, means = draw_figure_1(), np.array(KS), []
    search = NearestNeighbors().fit(data.X)
    test, train = (search.kneighbors(each, max(KS), return_distance=False) for each in (data.X_test, data.X))
    around = np.maximum(ks, 2)
    for pair in RATES:
        known = np.array([Robust(pair).threshold * k for k in KS])
        sums = np.zeros((3, len(KS)))
        for labels in data.flipped(*pair):
            ones = np.cumsum(labels[test], axis=1, dtype=np.uint16)[:, ks - 1]
            smoothed = np.cumsum(labels[train], axis=1, dtype=np.uint16)[:, around - 1]
            fewest, most = smoothed.min(axis=0).astype(int), smoothed.max(axis=0).astype(int)
            twice = np.where(fewest == most, around, fewest + most)
            classes = [
                2 * ones >= ks,
                ones >= np.ceil(known.astype(float) - 1e-9),
                2 * ones.astype(int) * around >= ks * twice,
            ]
            sums += np.where(classes, data.eta[:, 0, None], data.eta[:, 1, None]).mean(axis=1)
        means.append(sums / len(data.v))
    return np.array(means)


def projected_peer() -> tuple[float, dict[int, np.ndarray]]:
    """Seconds of 3 x 20 x 20 fits with predictions at test and training points, from every fourth k once.

    And the risks of these, by the place of k: of a single draw of flips, so that they are only near the means.
    """
    data = draw_figure_1()
    labels, threshold = data.flipped(*RATES[0])[0], float(Robust(RATES[0]).threshold)

    def single(k: int) -> np.ndarray:
        classifier = KNeighborsClassifier(k).fit(data.X, labels)
        fractions, smoothed = (classifier.predict_proba(each)[:, 1] for each in (data.X_test, data.X))
        thresholds = 0.5, threshold, (smoothed.min() + smoothed.max()) / 2
        return np.array([np.where(fractions >= each, *data.eta.T).mean() for each in thresholds])

    single(1)
    places = [*range(1, len(KS), 4), len(KS) - 1]
    runs = [timed(lambda k=KS[place]: single(k)) for place in places]
    seconds = np.interp(KS, [KS[place] for place in places], [each for each, _ in runs])
    return 3 * 20 * float(seconds.sum()), {place: found for place, (_, found) in zip(places, runs, strict=True)}


def curve_rows() -> list[Row]:
    """kNN, Algorithm 2 and the true threshold on the plateau at the theorem's k, five samples of each size."""
    setting = {"over": {"n": NS}, "k": theorem_k, "noise": LabelNoise(0.1, 0.3), "repeats": 5, "n_jobs": 2}
    risk.curve(plateau(0.1, 0.3), RULES, **setting | {"over": {"n": [1000]}})
    start, first = time.perf_counter(), None
    for _ in risk.stream(plateau(0.1, 0.3), RULES, **setting):
        first = first or time.perf_counter() - start
    whole = time.perf_counter() - start
    return [
        Row("risk against n to 10^6 on the plateau: 7 n x 5 repeats, three rules", whole, "s", 10),
        Row("the same, to the first point", first, "s", 1),
        one_sample_row(),
    ]


def one_sample_row(n: int = 16_000) -> Row:
    """The three risks of one sample: exactly from windows, and from scikit-learn's neighbors of 20,000 cells."""
    problem, k = plateau(0.1, 0.3), theorem_k(n)
    sample, (cells, eta), known = problem.sample(n, 0), problem.cells(20_000), risk.Antiderivative.from_problem(problem)
    labels = LabelNoise(0.1, 0.3).flip(sample.y, sample.v)

    def ours() -> np.ndarray:
        return risk.sweep_line(Windows.from_points(sample.X), known, [(labels, list(RULES.values()))], [k])[0, :, 0]

    def theirs() -> np.ndarray:
        classifier = KNeighborsClassifier(k).fit(sample.X, labels)
        fractions, smoothed = (classifier.predict_proba(each)[:, 1] for each in (cells.points, sample.X))
        thresholds = 0.5, (smoothed.min() + smoothed.max()) / 2, 0.4
        return np.array([np.where(fractions >= threshold - 1e-9, *eta.T).mean() for threshold in thresholds])

    seconds, wanted = timed(theirs)
    must_agree(np.allclose(ours(), wanted, atol=1e-4), "risks")
    name = "scikit-learn predict_proba at 20,000 cells and at the sample"
    ms = median_ms(lambda _: ours(), range(6))
    return Row(f"three risks of one sample, n = {n:,}", ms, "ms", None, 1000 * seconds, name)
