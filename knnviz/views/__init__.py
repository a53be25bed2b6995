"""Functions that turn plain objects into layers, and a painter that draws layers with matplotlib."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from knnviz.views.accuracy import plot_accuracies
    from knnviz.views.parts import plot_parts
    from knnviz.views.plot import plot_map
    from knnviz.views.sizes import plot_over_n
    from knnviz.views.slopes import plot_slopes

__all__ = ["plot_accuracies", "plot_map", "plot_over_n", "plot_parts", "plot_slopes"]

#: The file of each function that draws a figure, loaded on first use: layers alone need no matplotlib.
FILES = {
    "plot_accuracies": "accuracy",
    "plot_map": "plot",
    "plot_over_n": "sizes",
    "plot_parts": "parts",
    "plot_slopes": "slopes",
}


def __getattr__(name: str) -> Any:
    if name in FILES:
        return getattr(import_module(f"{__name__}.{FILES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
