"""Decision regions of eight rules on the moons, side by side in one figure."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from knnviz import risk
from knnviz.problems import moons
from knnviz.views import plot_map
from knnviz.views.static import NotebookFigure


def rival_maps(
    fitted: Mapping[str, Any], X: np.ndarray, labels: np.ndarray, taught_by: str
) -> NotebookFigure:
    """Maps of fitted classifiers, with 250 of the points X (n, 2) and their labels (n,); titles and
    alternative text have the exact risks. ``taught_by`` says what the rules were fitted to, such as
    "bags".
    """
    problem = moons()
    cells, truth = problem.cells(100)
    picture = NotebookFigure(figsize=(12, 6.8), layout="constrained")
    places = picture.subplots(2, 4, sharex=True, sharey=True).flat
    titles = []
    for ax, (name, rule) in zip(places, fitted.items(), strict=True):
        plot_map(rule, X[:250], labels[:250], problem=problem, ax=ax)
        found = risk.exact(truth, rule.predict(cells.points), weights=cells.weights)
        titles.append(f"{name}, risk {found:.3f}")
        legend = ax.get_legend()
        handles = legend.legend_handles
        legend.remove()
        ax.set(title=titles[-1], xlabel="", ylabel="")
    picture.legend(handles=handles, loc="outside lower center", ncols=3)
    picture.alt = f"Decision regions from {taught_by} on the moons: {'; '.join(titles)}."
    return picture
