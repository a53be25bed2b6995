"""Named problems: closed forms, digests, samples from the measure; expected numbers of classes."""

import json

import numpy as np
import pytest
from reference_implementations import reference
from refusals import refuses
from scipy.special import erf
from scipy.stats import chisquare

from knnviz import Problem, problems
from knnviz.problems import gaussians, named, plateau, plateau_level, terrace, waves, zipf

ARGUMENTS = {
    "plateau": (0.1, 0.3),
    "terrace": (0.55, 0.2, 0.9),
    "ramp": (0.1, 0.8),
    "segments": (4, 0.6),
    "one_against_rest": (waves(), 1),
}
MANY = gaussians(4, zipf(4, 1.5), 0.15, 2)
SPOTS = [[0.0, 0.0], [1.0, 0.0], [0.0, 2.0]], [0.2, 0.3, 0.5]
ATOMS = [
    Problem.from_atoms(*SPOTS, [0, 1 / 3, 1]),
    Problem.from_atoms(*SPOTS, np.eye(3), name="corners", box=[(-1, 4)] * 2),
]
EVERY = [
    *(getattr(problems, name)(*ARGUMENTS.get(name, ())) for name in named.RANGES),
    MANY,
    *ATOMS,
]
each_problem = pytest.mark.parametrize(
    "problem", EVERY, ids=lambda problem: f"{problem.name}{problem.dimension}"
)


@each_problem
def test_samples_come_from_the_measure(problem):
    """Points lie in the box; counts in cells against masses and eta: no p-value below 1e-4."""
    sample = problem.sample(40_000, 1)
    low, high = np.array(problem.box).T
    assert np.array_equal(sample.X.clip(low, high), sample.X)

    n_edges = 7 if problem.dimension == 2 else 25
    edges = [np.linspace(*side, n_edges) for side in problem.box]

    def in_cells(X, weights):
        by_class = [np.histogramdd(X, edges, weights=each)[0].ravel() for each in weights.T]
        return np.concatenate(by_class)

    (fine, eta) = problem.cells(240)
    counts = in_cells(sample.X, np.eye(problem.n_classes)[sample.y])
    masses = in_cells(fine.points, fine.weights[:, None] * eta) * len(sample)

    large = masses > 20
    found = np.append(counts[large], counts[~large].sum())
    wanted = np.append(masses[large], masses[~large].sum() + 1e-9)
    scaled = wanted * len(sample) / wanted.sum()
    assert chisquare(found, scaled).pvalue > 1e-4


@each_problem
def test_every_problem_is_made_again_from_its_spec(problem):
    again = problems.from_spec(json.loads(json.dumps(problem.spec())))
    assert again.name == problem.name
    assert again.spec() == problem.spec()
    assert again.box == problem.box
    cells = problem.grid(50).points
    assert np.array_equal(again.eta(cells), problem.eta(cells))
    assert np.array_equal(again.sample(200, 11).X, problem.sample(200, 11).X)


@pytest.mark.parametrize(("digest", "n"), [("digest_n50_k18", 50), ("digest_n1000_k49", 1000)])
def test_waves_are_those_of_the_reference_run(digest, n):
    known = reference("khim")[digest]
    sample = waves().sample(n, 0)
    assert sample.X[:5, 0] == pytest.approx(known["x[:5]"])
    assert sample.y[:10].tolist() == known["y[:10]"]
    assert np.bincount(sample.y).tolist() == known["label_counts"]
    cells, eta = waves().cells(20_000)
    prior = reference("khim")["marginals"]["p"]
    assert cells.weights @ eta == pytest.approx(prior, abs=1e-7)


@pytest.mark.parametrize(("height", "width"), [(0.4, 0.08), (0.9, 0.3), (1.0, 0.01)])
def test_the_rare_class_has_the_prior_of_its_closed_form(height, width):
    cells, eta = problems.rare(height, width).cells(20_000)
    expected = height * width * np.sqrt(np.pi) * erf(1 / (2 * width))
    assert cells.weights @ eta == pytest.approx([1 - expected, expected], abs=1e-9)


@pytest.mark.parametrize("whole", [waves(), MANY], ids=["waves", "gaussians"])
def test_one_class_against_the_rest_keeps_the_points(whole):
    before = whole.sample(300, 5)
    for c in range(whole.n_classes):
        problem = problems.one_against_rest(whole, c)
        sample = problem.sample(300, 5)
        assert np.array_equal(sample.X, before.X)
        assert c > 0 or np.array_equal(sample.y, before.y == 0)
        assert np.array_equal(problem.eta(sample.X)[:, 1], whole.eta(sample.X)[:, c])
        assert np.array_equal(problem.measure(30).weights, whole.measure(30).weights)


@pytest.mark.parametrize(("p0", "p1"), [(0.1, 0.3), (0.3, 0.1), (0.05, 0.45)])
def test_noise_moves_a_plateau_across_one_half(p0, p1):
    problem = plateau(p0, p1)
    cells = problem.grid(997).points
    m = plateau_level(p0, p1)
    eta = problem.eta(cells)
    assert np.array_equal(terrace(m).eta(cells), eta)
    assert np.mean(eta[:, 1] == m) == pytest.approx(1 / 3, abs=2e-3)
    corrupted = p0 + (1 - p0 - p1) * m
    assert (m - 0.5) * (corrupted - 0.5) < 0
    assert plateau_level(p0, p0) == pytest.approx(0.5, abs=1e-15)


@pytest.mark.parametrize("make", [problems.moons, problems.spirals])
def test_the_quadrature_along_a_curve_has_converged(make, monkeypatch):
    X = make(0.1).grid(10).points
    eta = make(0.1).eta(X)
    density = make(0.1).density(X)
    nodes = named.quadrature_nodes
    monkeypatch.setattr(named, "quadrature_nodes", lambda length, scale: nodes(4 * length, scale))
    assert make(0.1).eta(X) == pytest.approx(eta, abs=1e-6)
    assert make(0.1).density(X) == pytest.approx(density, rel=1e-6)


def test_parameters_out_of_range_are_refused():
    refuses("0.2 and 0.2", plateau, 0.2, 0.2)
    refuses("0.6", problems.jump, 0.6)
    refuses("0.8", problems.ramp, 0.8, 0.2)
    refuses(r"\(1, 0\)", gaussians, 2, (1, 0))
    refuses("sum to 1", problems.constant, (0.9, 0.9))
    refuses("got 3", problems.one_against_rest, waves(), 3)
    refuses("got 1", zipf, 1)


# Priors of many classes.


def test_a_mixture_has_the_prior_of_zipf():
    prior = zipf(3, 1)
    cells, eta = gaussians(3, prior, 0.05).cells(20_000)
    assert cells.weights @ eta == pytest.approx(prior, abs=1e-6)


def test_a_thousand_classes_of_a_thousand_points():
    known = reference("khim_metrics")["zipf_seen"]
    prior = 1 / np.arange(1, 1001)
    prior /= prior.sum()
    for count, name in (
        (problems.expected_seen, "expected_classes_seen"),
        (problems.expected_singletons, "expected_singleton_classes"),
    ):
        assert count(prior, 1000) == pytest.approx(known[name], rel=1e-12)
