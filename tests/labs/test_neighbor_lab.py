"""NeighborLab: numbers and layers beside plain Python, closed forms and papers; its ranges."""

import numpy as np
import pytest
from random_moves import layers, votes_of
from reference_implementations import sorted_neighbors
from refusals import refuses
from small import SMALL

from knnviz import LabelNoise, Problem, Threshold, Vote, from_data, regions, risk
from knnviz.labs import NeighborLab, neighbors
from knnviz.labs.parts import sources
from knnviz.labs.parts.sources import named
from knnviz.problems import plateau
from knnviz.profiles import BallProfile

SIDE = SMALL.map_cells[1]


def small(*given, **values):
    return NeighborLab(*given, **{"n": 400, "resolution": SMALL} | values)


def test_numbers_are_those_of_plain_python():
    lab = small(problem="moons", n=700, seed=3, p0=0.1, p1=0.3, k=31, x1=0.7, x2=0.2)
    problem = named("moons")
    noise = LabelNoise(0.1, 0.3)
    sample = problem.sample(700, 3)
    observed = noise.flip(sample.y, sample.v)

    cells = problem.measure(SIDE)
    votes = votes_of(sample.X, observed, cells.points, 31)
    error = risk.exact(problem.eta(cells.points), Vote().predict(votes, 31), weights=cells.weights)
    bayes_risk = problem.bayes_risk(2 * SIDE)
    limit = risk.vote_limit(problem, noise, n_cells=2 * SIDE)
    at_x = votes_of(sample.X, observed, np.array([[0.7, 0.2]]), 31)
    of_class_0, of_class_1 = at_x.at(31)[0].tolist()
    eta_at_x = problem.eta(np.array([[0.7, 0.2]]))

    assert lab.readout() == {
        "risk": round(error, 6),
        "Bayes risk": round(bayes_risk, 6),
        "limit of kNN": round(limit, 6),
        "votes at x": {"class 0": of_class_0, "class 1": of_class_1},
        "decision at x": f"class {Vote().predict(at_x, 31)[0]}",
        "labels flipped": int((observed != sample.y).sum()),
        neighbors.LABELS_AT_X: {
            when: round(100 * fractions[0, 1])
            for when, fractions in (("true", eta_at_x), ("after flips", noise.corrupt(eta_at_x)))
        },
    }


def test_masses_of_sets_are_those_of_closed_forms_and_papers():
    lab = NeighborLab(n=50, p0=0.1, p1=0.4, overlay="misled points", panels=["votes"])
    assert lab.readout()["misled mass"] == pytest.approx(0.3572, abs=2e-3)
    assert lab.set(q1=0.65).readout()["misled mass"] == 0
    mass = NeighborLab(panels=["votes"], **neighbors.BUMP).readout()["boundary mass"]
    assert mass == pytest.approx(2 * 0.108479 * 0.223448 / 0.4, abs=2e-3)


@pytest.mark.parametrize("name", ["bump", "waves"])
def test_on_a_line_the_risk_is_an_area(name):
    lab = small(problem=name, k=5)
    problem = named(name)
    measure, eta = problem.cells(SMALL.map_cells[0])
    area = {}
    for layer in lab.panel("area").layers:
        if layer.name in ("bayes_area", "excess_area"):
            area[layer.name] = (layer.upper - layer.lower).mean() * np.ptp(problem.box)
    assert area["bayes_area"] == pytest.approx(problem.bayes_risk(), abs=2e-3)
    sample = problem.sample(400, 0)
    votes = votes_of(sample.X, sample.y, measure.points, 5, problem.n_classes)
    error = risk.exact(eta, Vote().predict(votes, 5), weights=measure.weights)
    assert sum(area.values()) == pytest.approx(error, abs=1e-6)


def test_the_effective_boundary_is_where_the_smallest_margin_is_below_delta():
    sets = {"overlay": "effective boundary", "mass": 0.15, "margin": 0.2}
    lab = small(problem="rare class", p0=0.1, p1=0.2, q1=0.6, **sets)
    measure, eta = named("rare class").cells(SMALL.map_cells[0])
    noisy = LabelNoise(0.1, 0.2).corrupt(eta)
    balls = BallProfile.build(measure, noisy, masses=[0.15], q=[0.4, 0.6])
    expected = regions.effective_boundary(balls, 0.15, 0.2)
    drawn = layers(lab, "map", "margins")
    assert np.array_equal(drawn["set"].cells[0], expected)
    assert np.array_equal(drawn["below"].cells[0], expected)
    smallest = balls.smallest_margin(0.15, [0.4, 0.6])
    assert drawn["margins"].y == pytest.approx(smallest, abs=1e-5)
    assert 0 < expected.mean() < 1


def test_the_advantage_of_every_point_of_a_line():
    """The largest ball that stays on one side of the jump leads by 0.6, up to the largest mass."""
    lab = small(problem="jump", x1=0.4, overlay="advantage", mass_cap=0.25)
    curve = layers(lab, "advantages")["advantages"]
    inner = (curve.x > 0.2) & (curve.x < 0.8)
    expected = np.minimum(0.25, 2 * abs(curve.x - 0.5)) * 0.6**2
    assert curve.y[inner] == pytest.approx(expected[inner], abs=2e-3)
    bracket = layers(lab)["ball"]
    assert np.nanmax(bracket.x) == pytest.approx(0.5, abs=3e-3), "a ball of that mass"


def test_one_neighbor_decides_for_its_voronoi_cell():
    lab = small(k=1, n=100)
    drawn = layers(lab)
    corners = np.column_stack([drawn["cells"].x, drawn["cells"].y])
    middles = (corners[::3] + corners[1::3]) / 2
    seen = middles[((middles >= 0) & (middles <= 1)).all(axis=1)]
    _, squares = sorted_neighbors(named("checkerboard").sample(100, 0).X, seen, 2)
    assert len(seen) > 100
    assert squares[:, 0] == pytest.approx(squares[:, 1], abs=1e-7), "two are nearest to an outline"
    assert "cells" not in layers(lab.set(k=2))
    assert "cells" not in layers(lab.set(k=1, n=1000))


def test_many_samples_have_a_bias_a_deviation_and_errors_at_x():
    """Beside votes that are counted in samples drawn the same way."""
    lab = small(problem="bump", n=300, k=31, x1=0.45, seed=2, p1=0.2, overlay="many samples")
    bump = named("bump")
    fractions = []
    for rng in np.random.default_rng(2).spawn(SMALL.repeats):
        sample = bump.sample(300, rng)
        observed = LabelNoise(0, 0.2).flip(sample.y, sample.v)
        fractions.append(votes_of(sample.X, observed, [[0.45]], 31).at(31)[0, 1] / 31)
    at_x = np.array(fractions)
    numbers = lab.numbers
    assert numbers["bias"] == pytest.approx(at_x.mean() - 0.9)
    assert numbers["deviation"] == pytest.approx(at_x.std())
    assert numbers["error"] ** 2 == pytest.approx(((at_x - 0.9) ** 2).mean())
    assert numbers["wrong at x"] == f"{(at_x < 0.5).sum()} of {SMALL.repeats}"

    drawn = layers(lab, "spread")
    assert drawn["side_bias"].y == pytest.approx([0.9, at_x.mean()])
    assert np.ptp(drawn["side_deviation"].x) == pytest.approx(at_x.std(), abs=1e-6)
    assert drawn["dots"].codes.tolist() == (at_x >= 0.5).tolist()


def test_many_samples_need_two_classes_on_a_line():
    for name in ("waves", "checkerboard", "breast cancer"):
        assert "many samples" not in small(problem=name, n=100).setting.ends["overlay"]


@pytest.mark.parametrize("x", [0.1, 0.385, 0.39, 0.43])
@pytest.mark.parametrize(("p0", "p1"), [(0, 0), (0.05, 0.2)])
def test_the_profile_has_the_boundary_at_x(x, p0, p1):
    """A point is in the effective boundary where a stretch of its curve is not clear."""
    sets = {"overlay": "effective boundary", "mass": 0.1, "margin": 0.2}
    lab = small(problem="bump", x1=x, p0=p0, p1=p1, **sets)
    bump = named("bump")
    balls = BallProfile.build(*bump.cells(2000), np.array([[x]]), masses=[0.1])
    (inside,) = regions.effective_boundary(balls, 0.1, 0.2, noise=LabelNoise(p0, p1))
    drawn = layers(lab, "votes")
    assert np.isfinite(drawn["unclear"].y).any() == inside


def test_a_threshold_is_pulled_where_its_weight_has_a_control():
    lab = small(panels=["votes"])
    assert lab.pick("votes", 30, 0.3, "threshold") == {"q1": 0.7}
    lab.set(q1=0.7)
    assert layers(lab, "votes")["threshold"].y == pytest.approx([0.3])
    assert "threshold" not in layers(small(controls=["k"], panels=["votes"]), "votes")


def test_bars_at_x_have_the_labels_before_and_after_the_flips():
    lab = small(x1=0.25, x2=0.532, p1=0.4)
    bars = [layer for name, layer in layers(lab, "flips").items() if name.startswith("labels")]
    ends = [layer.x.tolist() for layer in bars if hasattr(layer, "upper")]
    wanted = [[0, 60], [60, 100], [0, 36], [36, 36], [36, 60], [60, 100]]
    assert np.allclose(ends, wanted, atol=0.1)


def test_the_curve_is_over_samples_as_noisy_as_the_one_in_hand_and_its_lowest_point_has_its_k():
    lab = small(problem="bump", n=300, p0=0.05, p1=0.1, curve="over k", panels=["risk"])
    lab.figure()
    drawn = layers(lab, "risk")
    curve = drawn["mean kNN"]
    expected = risk.curve(
        named("bump"),
        {"kNN": Threshold(0.5)},
        over={"k": curve.x.astype(int).tolist()},
        noise=LabelNoise(0.05, 0.1),
        n=300,
        repeats=SMALL.repeats,
        progress=False,
    )
    assert curve.y == pytest.approx(expected.mean[0], abs=1e-6)
    least = curve.x[curve.y.argmin()]
    assert drawn["lowest"].label == f"lowest: k = {least:.0f}"
    assert drawn["lowest"].y[1] == curve.y.min()
    lab.set(curve="over n").figure()
    assert "lowest" not in layers(lab, "risk")


def test_a_click_at_an_edge_is_x():
    lab = small(problem="wine", n=100)
    lab.set(**lab.pick("map", 99, 99))
    again = NeighborLab.from_scene(lab.scene())
    assert again.values == lab.values, "an edge has more decimals than a parameter"


def test_n_k_and_x_follow_the_problem():
    lab = small(n=8000, k=200).set(problem="breast cancer")
    assert (lab.n, lab.k) == (398, 200)
    lab.set(n=100, p0=0.1, q1=0.7).set(problem="waves")
    assert (lab.k, lab.p0, lab.q1, lab.x1) == (100, 0, 0.5, 0.3)

    sixty = from_data(np.arange(120).reshape(60, 2), np.arange(60) % 2)
    assert small(sixty, n=42).setting.ends["n"] == (21, 42)

    many = from_data(np.arange(2e6 + 2).reshape(-1, 2), np.arange(1_000_001) % 2)
    sentence = "^a lab takes at most 1,000,000 rows, got 1,000,001: give it a sample of them"
    refuses(sentence, NeighborLab, many)


# Sources of a reader's own.


def test_a_problem_of_ones_own_is_recognized_by_identity():
    """Edited and opened again, it is another of this name; what a spec describes is the same."""

    def constant(p):
        def eta(X):
            return np.tile([1 - p, p], (len(X), 1))

        return Problem("constant of mine", eta)

    first = constant(0.9)
    assert small(first).readout()["Bayes risk"] == pytest.approx(0.1)
    assert small(constant(0.6)).readout()["Bayes risk"] == pytest.approx(0.4)
    assert small(first).problem == "constant of mine"
    assert small(plateau(0.2, 0.4)).problem == small(plateau(0.2, 0.4)).problem

    X = np.random.default_rng(0).random((200, 2))
    y = np.arange(200) % 2

    def animals(*names):
        lab = small(from_data(X, y, name="animals", class_names=[*names]), n=100)
        assert lab.readout()["votes at x"].keys() == {*names}
        return lab.problem

    pets = animals("cat", "dog")
    assert animals("healthy", "ill") == animals("healthy", "ill") != pets


@pytest.mark.parametrize("size", [1e-9, 1e6])
def test_places_are_as_fine_as_the_box(size):
    X = np.random.default_rng(0).random((300, 2)) * size
    y = X[:, 0] > size / 2
    lab = small(from_data(X, y, scale=None, name=f"box of {size}"), n=100, k=5)
    for place in (0.2 * size, 0.4444 * size):
        picked = lab.pick("map", place, place)
        close = pytest.approx(place, abs=1e-3 * size)
        assert picked["x1"] == close
        assert lab.set(**picked).x1 == close


def test_a_menu_knows_how_many_classes_a_source_has():
    for name, offered in sources.ALL_SOURCES.items():
        assert sources.named(name).n_classes == offered.n_classes
