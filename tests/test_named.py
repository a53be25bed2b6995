"""The named problems: closed forms, reference digests, and samples that come from the measure."""

import numpy as np
import pytest
from reference_implementations import reference
from refusals import refuses
from scipy.special import erf
from scipy.stats import chisquare

from knnviz import problems
from knnviz.problems import (
    bump,
    checkerboard,
    gaussians,
    jump,
    linear,
    logistic,
    moons,
    named,
    plateau,
    power,
    spirals,
    waves,
    zipf,
)

EVERY = [
    checkerboard(),
    plateau(0.1, 0.3),
    problems.terrace(0.55, 0.2, 0.9),
    problems.ramp(0.1, 0.8),
    problems.levels(),
    jump(),
    bump(),
    power(),
    problems.rare(),
    problems.segments(4, 0.6),
    problems.contested(),
    problems.constant(),
    linear(),
    logistic(),
    waves(),
    problems.one_against_rest(waves(), 1),
    problems.wave2d(),
    gaussians(),
    gaussians(4, zipf(4, 1.5), 0.15, 2),
    moons(),
    spirals(),
]


@pytest.mark.parametrize("problem", EVERY, ids=lambda problem: f"{problem.name}{problem.dimension}")
def test_what_every_problem_promises(problem):
    cells = problem.grid(50).points
    eta = problem.eta(cells)
    assert eta.shape == (len(cells), problem.n_classes)
    assert (eta >= 0).all()
    assert np.allclose(eta.sum(axis=1), 1)
    assert problem.measure(50).weights.sum() == pytest.approx(1)
    sample = problem.sample(500, 3)
    again = problem.sample(500, 3)
    assert np.array_equal(sample.X, again.X)
    for axis, (low, high) in enumerate(problem.box):
        assert sample.X[:, axis].min() >= low
        assert sample.X[:, axis].max() <= high
    assert hasattr(problems, problem.name)


@pytest.mark.parametrize("problem", EVERY, ids=lambda problem: f"{problem.name}{problem.dimension}")
def test_samples_come_from_the_measure(problem):
    """Counts in coarse cells against their masses, and the classes against eta: no p-value below 1e-4."""
    sample, fine = problem.sample(40_000, 1), problem.measure(240)
    eta = problem.eta(fine.points)
    low, high = np.array(problem.box).T
    side = 6 if problem.dimension == 2 else 24

    def cell(X):
        return np.ravel_multi_index(
            np.minimum((X - low) / (high - low) * side, side - 1).astype(int).T, (side,) * len(low)
        )

    masses = np.zeros((side ** len(low), problem.n_classes))
    np.add.at(masses, cell(fine.points), fine.weights[:, None] * eta)
    counts = np.zeros_like(masses)
    np.add.at(counts, (cell(sample.X), sample.y), 1)
    expected = masses * len(sample)
    large = expected > 20
    observed = np.append(counts[large], counts[~large].sum())
    wanted = np.append(expected[large], expected[~large].sum())
    keep = wanted > 5
    assert chisquare(observed[keep], wanted[keep] * observed[keep].sum() / wanted[keep].sum()).pvalue > 1e-4


def test_bayes_risks_in_closed_form():
    assert jump(0.3).bayes_risk() == pytest.approx(0.2)
    assert jump(0.17).bayes_risk() == pytest.approx(0.33)
    assert linear(0.8).bayes_risk() == pytest.approx(0.5 - 0.8 / 4, abs=1e-6)
    assert bump(0.2, 0.9, 0.1).bayes_risk() == pytest.approx(0.1)
    assert power(2).bayes_risk() == pytest.approx(0.5 - 1 / 6, abs=1e-6)


@pytest.mark.parametrize(("digest", "n"), [("digest_n50_k18", 50), ("digest_n1000_k49", 1000)])
def test_waves_are_those_of_the_reference_run(digest, n):
    known, sample = reference("khim")[digest], waves().sample(n, 0)
    assert sample.X[:5, 0] == pytest.approx(known["x[:5]"])
    assert sample.y[:10].tolist() == known["y[:10]"]
    assert np.bincount(sample.y).tolist() == known["label_counts"]
    measure = waves().measure(20_000)
    assert measure.weights @ waves().eta(measure.points) == pytest.approx(reference("khim")["marginals"]["p"], abs=1e-7)


@pytest.mark.parametrize(("height", "width"), [(0.4, 0.08), (0.9, 0.3), (1.0, 0.01)])
def test_the_rare_class_has_the_prior_of_its_closed_form(height, width):
    problem = problems.rare(height, width)
    measure, eta = problem.cells(20_000)
    expected = height * width * np.sqrt(np.pi) * erf(1 / (2 * width))
    assert measure.weights @ eta == pytest.approx([1 - expected, expected], abs=1e-9)
    assert problem.eta(np.array([[0.5]]))[0, 1] == height
    assert problem.bayes(measure.points).any() == (height >= 0.5)
    if problem.spec() == problems.rare().spec():
        assert expected == pytest.approx(reference("khim_metrics")["rare_class"]["prevalence"], abs=1e-9)


@pytest.mark.parametrize("whole", [waves(), gaussians(4, zipf(4, 1.5), 0.15, 2)], ids=["waves", "gaussians"])
def test_one_class_against_the_rest_keeps_the_points(whole):
    for c in range(whole.n_classes):
        problem = problems.one_against_rest(whole, c)
        sample, before = problem.sample(300, 5), whole.sample(300, 5)
        assert np.array_equal(sample.X, before.X)
        assert np.array_equal(problem.eta(sample.X)[:, 1], whole.eta(sample.X)[:, c])
        assert c > 0 or np.array_equal(sample.y, before.y == 0)
        assert np.array_equal(problem.measure(30).weights, whole.measure(30).weights)
    refuses("c must be between 0 and", problems.one_against_rest, whole, whole.n_classes)


def test_zipf_prior():
    assert zipf(3, 1) == pytest.approx((6 / 11, 3 / 11, 2 / 11))
    assert zipf(4, 0) == pytest.approx((0.25,) * 4)
    problem = gaussians(3, zipf(3, 1), 0.05)
    measure = problem.measure(20_000)
    assert measure.weights @ problem.eta(measure.points) == pytest.approx(zipf(3, 1), abs=1e-6)


def test_two_gaussians_meet_in_the_middle():
    problem = gaussians(2, None, 0.2)
    x = np.array([[0.3], [0.5], [0.9]])
    log_odds = ((x[:, 0] - 0.25) ** 2 - (x[:, 0] - 0.75) ** 2) / (2 * 0.2**2)
    assert problem.eta(x)[:, 1] == pytest.approx(1 / (1 + np.exp(-log_odds)))


def test_eta_far_from_all_curves_is_still_a_probability():
    eta = moons(0.05).eta(np.array([[-1.5, -1.75], [2.5, 2.25]]))
    assert np.allclose(eta.sum(axis=1), 1)


@pytest.mark.parametrize("make", [moons, spirals])
def test_the_quadrature_along_a_curve_has_converged(make, monkeypatch):
    X = make(0.1).grid(30).points
    eta, density = make(0.1).eta(X), make(0.1).density(X)
    nodes = named.quadrature_nodes
    monkeypatch.setattr(named, "quadrature_nodes", lambda length, scale: nodes(4 * length, scale))
    assert make(0.1).eta(X) == pytest.approx(eta, abs=1e-6)
    assert make(0.1).density(X) == pytest.approx(density, rel=1e-6)


def test_moons_and_spirals_are_symmetric():
    """A half turn around the middle exchanges the classes."""
    X = np.random.default_rng(0).uniform(-1, 1, (50, 2))
    assert spirals().eta(X)[:, 0] == pytest.approx(spirals().eta(-X)[:, 1])
    assert moons().eta(X)[:, 0] == pytest.approx(moons().eta(np.array([1, 0.5]) - X)[:, 1])


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: plateau(0.2, 0.2), "the plateau needs two different flip rates below 1/2, got 0.2 and 0.2"),
        (lambda: plateau(0.6, 0.2), "the plateau needs two different flip rates below 1/2, got 0.6 and 0.2"),
        (lambda: jump(0.6), "a must be between 0 and 0.5, got 0.6"),
        (lambda: gaussians(3, (0.5, 0.5)), r"prior must hold 3 positive fractions that sum to 1, got \(0.5, 0.5\)"),
        (lambda: gaussians(2, (0.9, 0.2)), r"prior must hold 2 positive fractions that sum to 1, got \(0.9, 0.2\)"),
        (lambda: problems.rare(1.2), "height must be between 0 and 1, got 1.2"),
        (lambda: problems.rare(0.4, 0), "width must be between 0.01 and 1, got 0"),
        (lambda: moons(0.01), "scale must be between 0.05 and 1, got 0.01"),
        (lambda: zipf(1), "n_classes must be between 2 and 255, got 1"),
        (lambda: problems.ramp(0.8, 0.2), "low must be below high, got 0.8 and 0.2"),
        (lambda: problems.levels(0.5, 0.5), "low must be below high, got 0.5 and 0.5"),
        (lambda: problems.terrace(0.2, 0.3, 0.9), "m must be between 0.3 and 0.9, got 0.2"),
        (lambda: problems.plateau_level(0.7, 0.4), r"flip rates must satisfy p0 \+ p1 < 1, got 0.70 \+ 0.40"),
    ],
)
def test_parameters_out_of_range_are_refused(make, message):
    refuses(f"^{message}$", make)


@pytest.mark.parametrize("rates", [(0.1, 0.3), (0.3, 0.1), (0.05, 0.45)])
def test_a_terrace_at_the_level_of_a_plateau_is_that_plateau(rates):
    cells = plateau(*rates).grid(997).points
    terrace = problems.terrace(problems.plateau_level(*rates))
    assert np.array_equal(terrace.eta(cells), plateau(*rates).eta(cells))


def test_a_plateau_is_at_one_half_under_symmetric_noise():
    assert problems.plateau_level(0.2, 0.2) == pytest.approx(0.5, abs=1e-15)
    assert problems.plateau_level(0.0, 0.0) == 0.5


def test_a_terrace_is_level_on_a_third_of_the_line_whatever_its_range():
    eta = problems.terrace(0.6, 0.3, 0.9).eta(problems.ramp().grid(3000).points)[:, 1]
    assert eta[0] == pytest.approx(0.3, abs=2e-4)
    assert eta[-1] == pytest.approx(0.9, abs=2e-4)
    assert np.mean(abs(eta - 0.6) < 1e-9) == pytest.approx(1 / 3, abs=1e-3)
    assert (np.diff(eta) > -1e-12).all()


def test_a_ramp_and_levels_keep_to_their_range():
    points = np.array([[0.0], [0.25], [0.5], [1.0]])
    assert problems.ramp(0.2, 0.8).eta(points)[:, 1] == pytest.approx([0.2, 0.35, 0.5, 0.8])
    assert problems.levels(0.2, 0.9).eta(points)[:, 1] == pytest.approx([0.2, 0.2, 0.9, 0.9])


def test_the_line_in_pieces():
    x = np.array([[0.1], [0.3], [0.32], [0.5], [0.9], [1.0]])
    assert problems.segments().eta(x).argmax(axis=1).tolist() == [0, 0, 0, 1, 2, 2]
    assert problems.segments().eta(x).max(axis=1) == pytest.approx(5 / 7)
    assert problems.contested().eta(x)[0] == pytest.approx([0.5, 0.4, 0.1])
    assert problems.contested().eta(x)[1:] == pytest.approx(problems.segments().eta(x)[1:])
    assert problems.constant().eta(x) == pytest.approx(np.tile([0.5, 0.49, 0.01], (6, 1)))
