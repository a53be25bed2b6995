"""Pure functions from plain objects to layers, and the painter that draws layers with matplotlib."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from knnviz.views.plot import plot_map

__all__ = ["plot_map"]


def __getattr__(name: str) -> Any:
    """``plot_map`` when it is first asked for, so that layers alone need no matplotlib."""
    if name == "plot_map":
        from knnviz.views.plot import plot_map

        return plot_map
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
