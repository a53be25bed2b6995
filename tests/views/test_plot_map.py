"""plot_map: what it shows of any classifier, and what it refuses."""

import subprocess
import sys
import warnings
from io import BytesIO

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from knnviz import breast_cancer, checkerboard
from knnviz.problems import Resolution, gaussians, jump
from knnviz.views import plot, plot_map

SAMPLE = checkerboard().sample(200, 0)
X, Y = SAMPLE.X, SAMPLE.y
FRAME = pd.DataFrame(X * [10, 1] + [5, -3], columns=["height", "depth"])
KNN = KNeighborsClassifier(5).fit(X, Y)


@pytest.fixture(autouse=True)
def strict():
    """No picture warns of anything."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield
    plt.close("all")


def layers(*args, **settings):
    """The layers of a map, by name."""
    return {layer.name: layer for layer in plot.picture(*args, **settings).panels[0].layers}


def centres(raster):
    """Centres of the cells of a raster (rows, columns, 2)."""
    rows, columns = raster.codes.shape
    left, right, bottom, top = raster.extent
    x, y = np.arange(columns) + 0.5, np.arange(rows) + 0.5
    return np.stack(np.meshgrid(left + (right - left) * x / columns, bottom + (top - bottom) * y / rows), axis=-1)


LABELS = {
    "codes": [0, 1],
    "text": ["yes", "no"],
    "gaps": [7, -3],
    "truth": [False, True],
    "reals": [2.0, 1.0],
    "objects": np.array(["b", "a"], dtype=object),
}


@pytest.mark.parametrize("labels", LABELS.values(), ids=LABELS.keys())
def test_regions_are_the_predictions_at_the_centres(labels):
    y = np.asarray(labels)[Y]
    classifier = KNeighborsClassifier(5).fit(FRAME.to_numpy(), y)
    drawn = layers(classifier, FRAME.to_numpy(), y, resolution=Resolution(map_cells=(31, 31)))
    raster, points = drawn["regions"], drawn["points"]
    predicted = classifier.predict(centres(raster).reshape(-1, 2)).reshape(raster.codes.shape)
    assert np.array_equal(classifier.classes_[raster.codes], predicted)
    assert np.array_equal(classifier.classes_[points.codes], y)
    assert points.labels == tuple(map(str, classifier.classes_.tolist()))


CLASSIFIERS = [
    LogisticRegression(),
    GaussianNB(),
    SVC(),
    RandomForestClassifier(5, random_state=0),
    make_pipeline(StandardScaler(), KNeighborsClassifier(3)),
    GridSearchCV(KNeighborsClassifier(), {"n_neighbors": [1, 9]}),
]


@pytest.mark.parametrize("classifier", CLASSIFIERS, ids=lambda each: type(each).__name__)
@pytest.mark.parametrize("framed", [True, False])
def test_any_classifier_on_frames_and_arrays(classifier, framed):
    y = np.array(["low", "high"])[Y]
    classifier = clone(classifier).fit(FRAME if framed else FRAME.to_numpy(), y)
    for given in (FRAME, FRAME.to_numpy()):
        picture = plot.picture(classifier, given, y, resolution=Resolution(map_cells=(20, 20)))
        axes, raster = picture.panels[0].axes, picture.panels[0].layers[0]
        cells = centres(raster).reshape(-1, 2)
        predicted = classifier.predict(pd.DataFrame(cells, columns=FRAME.columns) if framed else cells)
        assert np.array_equal(classifier.classes_[raster.codes].ravel(), predicted)
        named = framed or given is FRAME
        assert (axes.xlabel, axes.ylabel) == (("height", "depth") if named else ("x1", "x2"))


def test_the_box_has_room_around_the_points_whatever_their_scale():
    for scale, shift in (([1, 1], [0, 0]), ([1e6, 1e-6], [-5, 3]), ([0, 1], [0, 0]), ([1, 0], [0, 2e9])):
        points = X * scale + shift
        box = np.reshape(layers(KNN, points, Y, resolution=Resolution(map_cells=(3, 3)))["regions"].extent, (2, 2))
        assert (box[:, 0] < points.min(axis=0)).all()
        assert (box[:, 1] > points.max(axis=0)).all()


def test_a_problem_gives_its_box_and_its_bayes_boundary():
    picture = plot.picture(KNN, X, Y, problem=checkerboard(), resolution=Resolution(map_cells=(20, 20)))
    regions, _, bayes = picture.panels[0].layers
    assert (regions.extent, bayes.label, len(bayes.x) > 500) == ((0, 1, 0, 1), "Bayes boundary", True)
    assert picture.alt.startswith("Map of checkerboard: predicted area class 0 ")
    assert picture.alt.endswith("; 200 of 200 points drawn.")
    without = layers(KNN, X, Y, resolution=Resolution(map_cells=(20, 20)))["bayes"]
    assert (len(without.x), without.label) == (0, None)


def test_data_give_their_box_and_names():
    data = breast_cancer()
    knn = KNeighborsClassifier(9).fit(data.X_train, data.y_train)
    picture = plot.picture(knn, data.X_train, data.y_train, problem=data, resolution=Resolution(map_cells=(20, 20)))
    axes, stack = picture.panels[0].axes, picture.panels[0].layers
    assert (axes.xlim, axes.ylim) == data.box
    assert axes.xlabel == "mean radius (standardized)"
    assert stack[1].labels == ("benign", "malignant")


def test_given_axes_are_drawn_into():
    three = gaussians(3, dimension=2)
    sample = three.sample(100, 0)
    knn = KNeighborsClassifier(3).fit(sample.X, sample.y)
    figure, axes = plt.subplots(1, 2)
    assert (
        plot_map(knn, sample.X, sample.y, problem=three, ax=axes[1], resolution=Resolution(map_cells=(10, 10)))
        is figure
    )
    assert not axes[0].images
    assert (axes[1].get_xlim(), axes[1].get_ylim()) == three.box
    texts = [text.get_text() for text in axes[1].get_legend().get_texts()]
    assert texts == ["class 0", "class 1", "class 2", "Bayes boundary"]
    figure.savefig(BytesIO(), dpi=50)


ODD_NAMES = [
    ["_private", "costs $5 or $6"],
    ["two\nlines", "a name that is much longer than a legend has room for"],
    ["x" * 300, "y" * 300],
]


def refusal(*args, **settings):
    with pytest.raises(ValueError, match=r".") as caught:
        plot_map(*args, **settings)
    return str(caught.value)


def test_classifiers_that_are_refused():
    unfitted = "classifier must be fitted and have classes_, but this {} has none"
    pipeline = make_pipeline(StandardScaler(), KNeighborsClassifier())
    for classifier in (KNeighborsClassifier(), KNeighborsRegressor().fit(X, Y), pipeline):
        assert refusal(classifier, X, Y) == unfitted.format(type(classifier).__name__)
    for points in (np.eye(200, 3), X[:, :1]):
        fitted = KNeighborsClassifier(1).fit(points, Y)
        said = f"a map needs a classifier of two features, but this one was fitted on {points.shape[1]}"
        assert refusal(fitted, X, Y) == said
    double = KNeighborsClassifier(1).fit(X, np.stack([Y, Y], axis=1))
    assert refusal(double, X, Y) == "a map shows one label for each point, but the classifier gives 2"
    crowd = KNeighborsClassifier(1).fit(np.eye(600, 2), np.arange(600) % 256)
    assert refusal(crowd, X, Y) == "a map shows at most 255 classes, got 256"


def test_data_that_are_refused():
    assert refusal(KNN, X[:, :1], Y) == "X must have 2 columns, got 1"
    assert refusal(KNN, np.eye(3), Y) == "X must have 2 columns, got 3"
    assert refusal(KNN, X[:5], Y[:4]) == "y must hold one label for each of 5 points, got shape (4,)"
    gaps = np.where(np.arange(200)[:, None] == 3, np.nan, X)
    assert refusal(KNN, gaps, Y) == "X has missing or infinite values in row 3"
    stray = np.where(np.arange(200) == 7, 5, Y)
    assert refusal(KNN, X, stray) == "y has label 5 in row 7, which is none of the classifier's classes_"
    assert refusal(KNN, X, Y.astype(str)).startswith(f"y has label '{Y[0]}' in row 0, which is none")
    for gap in (None, np.nan, pd.NA):
        assert refusal(KNN, X, [gap, *Y[1:].tolist()]) == "y has missing labels in row 0"
    fitted = KNeighborsClassifier(1).fit(FRAME, Y)
    said = "X has columns depth, height, but the classifier was fitted on height, depth"
    assert refusal(fitted, FRAME[["depth", "height"]], Y) == said


def test_problems_and_axes_that_are_refused():
    codes = "the classifier's classes_ must be the class codes 0 to {} of problem"
    assert refusal(KNN, X, Y, problem=gaussians(3, dimension=2)) == codes.format(2)
    words = np.array(["a", "b"])[Y]
    assert refusal(KNeighborsClassifier(1).fit(X, words), X, words, problem=checkerboard()) == codes.format(1)
    assert refusal(KNN, X, Y, problem=jump()) == "a map needs a problem in the plane, got one of dimension 1"
    assert refusal(KNN, X, Y, ax=plt.subplots(1, 2)[1]) == "ax must be one matplotlib Axes, got ndarray"


def test_layers_alone_import_no_matplotlib():
    probe = "import sys, knnviz.views.map, knnviz.views.layers; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", probe], check=False).returncode == 0
