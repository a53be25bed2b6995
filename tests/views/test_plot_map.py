"""plot_map: what it shows of any classifier, and what it refuses."""

import warnings

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from refusals import refuses
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from knnviz import breast_cancer, checkerboard
from knnviz.problems import Resolution, gaussians, jump
from knnviz.views import plot, plot_map

SAMPLE = checkerboard().sample(200, 0)
X = SAMPLE.X
Y = SAMPLE.y
FRAME = pd.DataFrame(X * [10, 1] + [5, -3], columns=["height", "depth"])
POINTS = FRAME.to_numpy()
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
    (panel,) = plot.picture(*args, **settings).panels
    return {layer.name: layer for layer in panel.layers}


def centres(raster):
    """Centres of the cells of a raster (rows, columns, 2)."""
    rows, columns = raster.codes.shape
    left, right, bottom, top = raster.extent
    x = np.arange(columns) + 0.5
    y = np.arange(rows) + 0.5
    across = left + (right - left) * x / columns
    up = bottom + (top - bottom) * y / rows
    return np.stack(np.meshgrid(across, up), axis=-1)


#: Of two classes: codes, text, with gaps, truth values, reals, objects.
LABELS = [
    [0, 1],
    ["yes", "no"],
    [7, -3],
    [False, True],
    [2.0, 1.0],
    np.array(["b", "a"], dtype=object),
]


def cells(side):
    """A resolution of so many cells across and up."""
    return Resolution(map_cells=(side, side))


CLASSIFIERS = [
    LogisticRegression(),
    GaussianNB(),
    SVC(),
    RandomForestClassifier(5, random_state=0),
    make_pipeline(StandardScaler(), KNeighborsClassifier(3)),
    GridSearchCV(KNeighborsClassifier(), {"n_neighbors": [1, 9]}),
]


@pytest.mark.parametrize(("classifier", "labels"), zip(CLASSIFIERS, LABELS, strict=True))
@pytest.mark.parametrize("framed", [True, False])
def test_any_classifier_on_frames_and_arrays_has_its_predictions_at_the_centres(
    classifier, labels, framed
):
    y = np.asarray(labels)[Y]
    trained_on = FRAME if framed else POINTS
    classifier = clone(classifier).fit(trained_on, y)
    classes = classifier.classes_
    for given in (FRAME, POINTS):
        (panel,) = plot.picture(classifier, given, y, resolution=cells(20)).panels
        raster, points, _ = panel.layers
        queries = centres(raster).reshape(-1, 2)
        if framed:
            queries = pd.DataFrame(queries, columns=FRAME.columns)
        assert np.array_equal(classes[raster.codes].ravel(), classifier.predict(queries))
        assert np.array_equal(classes[points.codes], y)
        assert points.labels == tuple(map(str, classes.tolist()))

        named = framed or given is FRAME
        names = ("height", "depth") if named else ("x1", "x2")
        assert (panel.axes.xlabel, panel.axes.ylabel) == names


#: Factors and shifts of the two features.
UNITS = [([1, 1], [0, 0]), ([1e6, 1e-6], [-5, 3]), ([0, 1], [0, 0]), ([1, 0], [0, 2e9])]


def test_the_box_has_room_around_the_points_whatever_their_scale():
    for scale, shift in UNITS:
        points = X * scale + shift
        drawn = layers(KNN, points, Y, resolution=cells(3))
        low, high = np.reshape(drawn["regions"].extent, (2, 2)).T
        assert (low < points.min(axis=0)).all()
        assert (high > points.max(axis=0)).all()


def test_a_problem_gives_its_box_names_and_bayes_boundary():
    few = cells(20)
    picture = plot.picture(KNN, X, Y, problem=checkerboard(), resolution=few)
    regions, _, bayes = picture.panels[0].layers
    assert regions.extent == (0, 1, 0, 1)
    assert bayes.label == "Bayes boundary"
    assert len(bayes.x) > 500
    assert picture.alt.endswith("; 200 points.")

    without_problem = layers(KNN, X, Y, resolution=few)
    assert len(without_problem["bayes"].x) == 0

    data = breast_cancer()
    knn = KNeighborsClassifier(9).fit(data.X_train, data.y_train)
    (panel,) = plot.picture(knn, data.X_train, data.y_train, problem=data, resolution=few).panels
    axes = panel.axes
    assert (axes.xlim, axes.ylim) == data.box
    assert axes.xlabel == "mean radius (standardized)"
    assert panel.layers[1].labels == ("benign", "malignant")


def test_given_axes_are_drawn_into():
    three = gaussians(3, dimension=2)
    sample = three.sample(100, 0)
    figure, (beside, ax) = plt.subplots(1, 2)
    knn = KNeighborsClassifier(3).fit(sample.X, sample.y)
    few = cells(10)
    returned = plot_map(knn, sample.X, sample.y, problem=three, ax=ax, resolution=few)
    assert returned is figure
    assert not beside.images
    assert (ax.get_xlim(), ax.get_ylim()) == three.box

    texts = [text.get_text() for text in ax.get_legend().get_texts()]
    assert texts == ["class 0", "class 1", "class 2", "Bayes boundary"]


def fitted(X, y):
    return KNeighborsClassifier(1).fit(X, y)


WORDS = np.array(["a", "b"])[Y]
CODES = "the classifier's classes_ must be the class codes 0 to {} of problem"
CROWD = fitted(np.eye(600, 2), np.arange(600) % 256)
TWICE = fitted(X, np.stack([Y, Y], axis=1))
GAPS = np.where(np.arange(200)[:, None] == 3, np.nan, X)
STRAY = np.where(np.arange(200) == 7, 5, Y)
SWAPPED = FRAME[["depth", "height"]]
MISSING = [pd.NA, *Y[1:].tolist()]


UNMAPPED = [
    ("fitted .* but this KNeighborsClassifier has none", KNeighborsClassifier(), X, Y),
    ("2 features, but KNeighborsClassifier is expecting 1", fitted(X[:, :1], Y), X, Y),
    ("one label for each point, but the classifier gives 2", TWICE, X, Y),
    ("at most 255 classes, got 256", CROWD, X, Y),
    ("X must have 2 columns, got 3", KNN, np.eye(3), Y),
    (r"one label for each of 5 points, got shape \(4,\)", KNN, X[:5], Y[:4]),
    ("X has missing or infinite values in row 3", KNN, GAPS, Y),
    ("label 5 in row 7, which is none of the classifier's classes_", KNN, X, STRAY),
    (f"label '{Y[0]}' in row 0, which is none", KNN, X, Y.astype(str)),
    ("y has missing labels in row 0", KNN, X, MISSING),
    ("columns depth, height, but .* fitted on height, depth", fitted(FRAME, Y), SWAPPED, Y),
]


def test_what_cannot_be_mapped_is_refused():
    for sentence, *given in UNMAPPED:
        refuses(sentence, plot_map, *given)
    refuses(CODES.format(2), plot_map, KNN, X, Y, problem=gaussians(3, dimension=2))
    refuses(CODES.format(1), plot_map, fitted(X, WORDS), X, WORDS, problem=checkerboard())
    refuses("in the plane, got one of dimension 1", plot_map, KNN, X, Y, problem=jump())
    axes = np.empty(2, object)
    refuses("ax must be one matplotlib Axes, got ndarray", plot_map, KNN, X, Y, ax=axes)
