"""Data that scikit-learn ships, by name, and sources made again from their specs."""

import json
import re

import numpy as np
import pytest
from refusals import refuses
from sklearn.datasets import load_digits, load_iris, load_wine
from sklearn.decomposition import PCA
from sklearn.preprocessing import StandardScaler
from test_named import EVERY

from knnviz import breast_cancer, bundled, from_data
from knnviz.problems import from_spec
from knnviz.problems.bundled import BUNDLED
from knnviz.problems.specs import NAMED


@pytest.mark.parametrize(
    ("name", "features", "classes", "rows"),
    [
        ("iris", ("petal length (cm)", "petal width (cm)"), ("setosa", "versicolor", "virginica"), 150),
        ("wine", ("flavanoids", "color_intensity"), ("class_0", "class_1", "class_2"), 178),
        ("breast_cancer", ("mean radius", "mean texture"), ("malignant", "benign"), 569),
        ("digits", ("component 1", "component 2"), tuple("0123456789"), 1797),
        ("digits 0 to 4", ("component 1", "component 2"), tuple("01234"), 901),
        ("digits 3 against 8", ("component 1", "component 2"), ("3", "8"), 357),
    ],
)
def test_what_each_bundled_set_shows(name, features, classes, rows):
    dataset = bundled(name)
    assert (dataset.name, dataset.feature_names, dataset.class_names) == (name, features, classes)
    assert len(dataset.y_train) + len(dataset.y_test) == rows
    assert dataset.X_train.shape == (dataset.max_size, 2)
    assert set(dataset.y_train) == set(range(len(classes)))


def test_bundled_numbers_are_those_of_scikit_learn():
    for name, load, columns in (("iris", load_iris, (2, 3)), ("wine", load_wine, (6, 9))):
        bunch, table = load(), bundled(name).table
        assert np.array_equal(table.X, bunch.data[:, columns])
        assert np.array_equal(table.y, bunch.target)


def test_digits_are_projected_on_components_of_their_training_part():
    dataset, digits = bundled("digits 3 against 8", seed=4), load_digits()
    kept = np.isin(digits.target, (3, 8))
    assert np.array_equal(dataset.table.X, digits.data[kept])
    assert np.array_equal(dataset.table.y, digits.target[kept] == 8)
    scaler = StandardScaler().fit(whole := training_rows(dataset))
    wanted = PCA(2, svd_solver="full").fit(scaler.transform(whole)).transform(scaler.transform(whole))
    assert dataset.X_train == pytest.approx(wanted)
    assert dataset.X_train.mean(axis=0) == pytest.approx([0, 0], abs=1e-12)
    assert dataset.X_train[:, 0].std() > dataset.X_train[:, 1].std()


def training_rows(dataset):
    """The raw rows of the training part, found again by a split of their numbers."""
    raw = from_data(np.arange(len(dataset.table.y))[:, None] * [1, 1], dataset.table.y, scale=None, seed=dataset.seed)
    return dataset.table.X[raw.X_train[:, 0].astype(int)]


def test_other_features_than_the_usual_ones():
    assert bundled("iris", (0, 1)).feature_names == ("sepal length (cm)", "sepal width (cm)")
    assert bundled("digits", ("pixel_2_3", 30), scale=None).feature_names == ("pixel_2_3", "pixel_3_6")
    assert bundled("wine", "pca", "minmax").table.X.shape == (178, 13)
    assert np.array_equal(breast_cancer(seed=2).X_train, bundled("breast_cancer", seed=2).X_train)


def test_an_unknown_set_is_refused_with_the_list():
    known = "breast_cancer, digits, digits 0 to 4, digits 3 against 8, iris, wine"
    refuses(f"^there is no bundled set 'irises'; there are {known}$", bundled, "irises")


def through_json(source):
    return from_spec(json.loads(json.dumps(source.spec())))


@pytest.mark.parametrize("problem", EVERY, ids=lambda problem: f"{problem.name}{problem.dimension}")
def test_every_named_problem_is_made_again(problem):
    again = through_json(problem)
    assert (again.name, again.box, again.n_classes) == (problem.name, problem.box, problem.n_classes)
    cells, wanted, got = problem.grid(50).points, problem.sample(200, 11), again.sample(200, 11)
    assert np.array_equal(again.eta(cells), problem.eta(cells))
    for part in ("X", "y", "u", "v"):
        assert np.array_equal(getattr(got, part), getattr(wanted, part))


def test_the_list_holds_every_named_problem():
    assert {problem.name for problem in EVERY} == set(NAMED)


@pytest.mark.parametrize("name", BUNDLED)
def test_every_bundled_set_is_made_again(name):
    dataset = bundled(name, scale="minmax", test_size=0.4, seed=3)
    again = through_json(dataset)
    assert again.spec() == dataset.spec()
    assert np.array_equal(again.X_train, dataset.X_train)
    assert np.array_equal(again.sample(50).y, dataset.sample(50).y)
    assert again.class_names == dataset.class_names


OWN = from_data(np.arange(24.0).reshape(12, 2), [0, 1] * 6, name="mine")


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ({"name": "waxes", "parameters": {}}, f"there is no problem 'waxes'; there are {', '.join(NAMED)}"),
        (
            {"name": "jump", "parameters": {"b": 1}},
            "the parameters of 'jump' do not fit: got an unexpected keyword argument 'b'",
        ),
        ({"name": "plateau"}, "the parameters of 'plateau' do not fit: missing a required argument: 'p0'"),
        ({"name": "jump", "parameters": {"a": 2}}, "a must be between 0 and 0.5, got 2"),
        ("jump", "a spec must hold a name and parameters, got 'jump'"),
        ({"parameters": {}}, "a spec must hold a name and parameters, got {'parameters': {}}"),
        (
            OWN.spec(),
            f"'mine' is data of your own (checksum {OWN.table.checksum}): make it by from_data",
        ),
        (
            bundled("iris").spec() | {"checksum": "0123456789abcdef"},
            "'iris' is data of your own (checksum 0123456789abcdef): make it by from_data",
        ),
    ],
)
def test_specs_that_describe_nothing_are_refused(spec, message):
    refuses(f"^{re.escape(message)}$", from_spec, spec)
