"""The Map of any fitted scikit-learn classifier on two features."""

from dataclasses import replace
from typing import Any

import numpy as np
from matplotlib.axes import Axes as MatplotlibAxes
from matplotlib.figure import Figure

from knnviz import checks
from knnviz.checks import require
from knnviz.problems import FULL_RESOLUTION, Dataset, Grid, Problem, Resolution
from knnviz.views import map as map_view
from knnviz.views import sets, static
from knnviz.views.layers import Panel, Picture
from knnviz.views.margins import margins
from knnviz.views.names import class_name, feature_name

#: The rectangle of the axes, the width of the sheet, and its height without what is below the axes.
RECTANGLE = (96, 40, 440, 440)
WIDTH = 566
HEIGHT = 490

#: More points than a map of a lab has are drawn smaller, down to this size.
SMALLEST_SIZE = 3.0


def plot_map(
    classifier: Any,
    X: Any,
    y: Any,
    *,
    problem: Problem | Dataset | None = None,
    ax: MatplotlibAxes | None = None,
    resolution: Resolution = FULL_RESOLUTION,
) -> Figure:
    """Plot decision regions of a fitted classifier on two features, with points X (n, 2) and their
    labels y (n,).

    The classifier may be any of scikit-learn, or a pipeline, with labels of any type; X may be a
    data frame, whose columns name the axes. Regions are predictions at the centers of the map cells
    of ``resolution``. They cover a box around X, or that of ``problem``, whose Bayes boundary is
    then drawn if it is known; its class codes must be the classifier's labels. The map is drawn
    into ``ax``, whose figure is returned, by default into a new figure. Raises ValueError if the
    classifier is not fitted or not on two features, or if X or y do not fit it.

    Examples
    --------
    >>> from knnviz import checkerboard, views
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> sample = checkerboard().sample(200, seed=0)
    >>> model = KNeighborsClassifier(15).fit(sample.X, sample.y)
    >>> len(views.plot_map(model, sample.X, sample.y, problem=checkerboard()).axes)
    1
    """
    is_one = isinstance(ax, MatplotlibAxes | None)
    require(is_one, f"ax must be one matplotlib Axes, got {type(ax).__name__}")
    drawn = picture(classifier, X, y, problem=problem, resolution=resolution)
    if ax is None:
        return static.figure(drawn)
    return static.draw_into(ax, drawn.panels[0])


def picture(
    classifier: Any,
    X: Any,
    y: Any,
    *,
    problem: Problem | Dataset | None = None,
    resolution: Resolution = FULL_RESOLUTION,
) -> Picture:
    """The picture of ``plot_map``."""
    classes = _classes(classifier)
    names, points = _features(classifier, X)
    codes = _codes("y", y, len(points), classes)
    source: map_view.Source
    if problem is None:
        source = _box_and_names(classifier, classes, names, points)
    else:
        source = _checked(problem, classes)

    cells = Grid.from_box(source.box, resolution.map_cells[1]).points
    predicted = _predicted(classifier, cells)
    labels = _codes("the prediction", predicted, len(cells), classes)
    layer = sets.class_points(source, points, codes, codes)
    shrinking = min(1, map_view.MAX_POINTS / len(codes)) ** 0.5
    drawn = replace(layer, size=max(SMALLEST_SIZE, layer.size * shrinking))
    layers = sets.regions(source, labels), drawn, map_view.bayes_boundary(source)

    axes = replace(map_view.axes(source), title=_title(classifier), rectangle=RECTANGLE)
    if hasattr(X, "columns"):
        xlabel, ylabel = map(feature_name, names)
        axes = replace(axes, xlabel=xlabel, ylabel=ylabel)
    panel = Panel(axes, layers)
    alt = map_view.describe(source, labels, len(codes))
    return Picture((panel,), (WIDTH, HEIGHT + margins(panel).bottom), alt)


def _title(classifier: Any) -> str:
    """The class of the classifier, or of the last step of a pipeline."""
    steps = getattr(classifier, "steps", [(None, classifier)])
    return type(steps[-1][1]).__name__


def _classes(classifier: Any) -> np.ndarray:
    """Labels (C,) of a fitted classifier."""
    classes: Any = getattr(classifier, "classes_", None)
    name = type(classifier).__name__
    must = "classifier must be fitted and have classes_"
    require(classes is not None, f"{must}, but this {name} has none")
    got = f"the classifier gives {len(classes)}"
    require(not isinstance(classes, list), f"a map shows one label for each point, but {got}")
    require(len(classes) <= 255, f"a map shows at most 255 classes, got {len(classes)}")
    return np.asarray(classes)


def _features(classifier: Any, X: Any) -> tuple[tuple[str, ...], np.ndarray]:
    """Names of the two features, and the points (n, 2)."""
    points = checks.check_points("X", X, dimension=2)
    fitted = list(getattr(classifier, "feature_names_in_", []))
    names = list(map(str, getattr(X, "columns", fitted or ("x1", "x2"))))
    got = f"X has columns {', '.join(names)}"
    wanted = f"the classifier was fitted on {', '.join(fitted)}"
    require(not fitted or names == fitted, f"{got}, but {wanted}")
    return tuple(names), points


def _codes(name: str, labels: Any, n: int, classes: np.ndarray) -> np.ndarray:
    """The code of each label, its index among the classes, (n,) uint8."""
    from pandas import Index, isna

    labels = np.asarray(labels, dtype=object)
    got = f"got shape {labels.shape}"
    require(labels.shape == (n,), f"{name} must hold one label for each of {n} points, {got}")
    missing = np.flatnonzero(isna(labels))
    require(not len(missing), f"{name} has missing labels in {checks.rows_text(missing)}")
    codes = Index(classes.tolist(), dtype=object).get_indexer(labels)
    row = codes.argmin()
    got = f"{name} has label {labels[row]!r} in row {row}"
    require(codes[row] >= 0, f"{got}, which is none of the classifier's classes_")
    return codes.astype(np.uint8)


def _box_and_names(
    classifier: Any, classes: np.ndarray, names: tuple[str, ...], points: np.ndarray
) -> map_view.BoxAndNames:
    """A box around the points, with a margin of 6 % of their range, and the names of classes and
    features.
    """
    low = points.min(axis=0)
    high = points.max(axis=0)
    around_single_value = 0.5 * np.maximum(1, abs(low))
    margin = np.where(high > low, 0.06 * (high - low), around_single_value)
    return map_view.BoxAndNames(
        _title(classifier),
        tuple(zip((low - margin).tolist(), (high + margin).tolist(), strict=True)),
        tuple(map(class_name, classes.tolist())),
        tuple(map(feature_name, names)),
    )


def _checked(problem: Problem | Dataset, classes: np.ndarray) -> Problem | Dataset:
    """The problem, if it lies in the plane and its class codes are the classifier's labels."""
    got = f"got one of dimension {problem.dimension}"
    require(problem.dimension == 2, f"a map needs a problem in the plane, {got}")
    codes = list(range(problem.n_classes))
    must = f"must be the class codes 0 to {codes[-1]} of problem"
    require(classes.tolist() == codes, f"the classifier's classes_ {must}")
    return problem


def _predicted(classifier: Any, cells: Any) -> np.ndarray:
    """Predictions at cells (m, 2), as a data frame if the classifier was fitted on one."""
    names = getattr(classifier, "feature_names_in_", None)
    if names is not None:
        from pandas import DataFrame

        cells = DataFrame(cells, columns=names)
    return classifier.predict(cells)
