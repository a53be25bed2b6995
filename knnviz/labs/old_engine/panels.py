"""Panels: components that draw one part of the picture, describe it in words, and respond to clicks."""

from collections.abc import Callable, Iterable
from itertools import chain
from typing import Any

from knnviz.labs.old_engine.components import Component
from knnviz.labs.old_engine.stages import stage
from knnviz.views.layers import Axes, Layer
from knnviz.views.layers import Panel as DrawnPanel

#: Calls of views whose layers a panel keeps.
MAX_CALLS = 40

#: Types of arguments that are compared by value; others by identity.
PLAIN_TYPES = frozenset((str, int, float, bool, type(None)))


class LayerCache:
    """Calls views, functions that make layers, and keeps the results of the last calls.

    The same arguments give the same objects, and only new objects are sent to a page.
    """

    def __init__(self) -> None:
        self.results: dict[tuple, tuple[Any, Any]] = {}

    def __call__(self, view: Callable[..., Any], *arguments: Any) -> Any:
        """The layers of a view for these arguments."""
        key = view, key_of(arguments)
        if key not in self.results:
            # The arguments are kept with the layers, so that no other object gets their id.
            self.results[key] = arguments, view(*arguments)
        # The newest call is the last.
        self.results[key] = self.results.pop(key)
        if len(self.results) > MAX_CALLS:
            del self.results[next(iter(self.results))]
        return self.results[key][1]


def key_of(value: Any) -> Any:
    """A key for an object, its id, or for a tuple: the plain values in it, and keys for the others."""
    if isinstance(value, tuple):
        return tuple([each if type(each) in PLAIN_TYPES else key_of(each) for each in value])
    return id(value)


class Panel(Component):
    """A component that draws one panel: its axes, its layers, its alternative text, and what a click there does."""

    @property
    def on_show(self) -> bool:
        """Whether the panel is in the picture."""
        return True

    def axes(self) -> Axes:
        """The axes, without the rectangle, which follows from the layout."""
        raise NotImplementedError

    def layers(self) -> Iterable[Layer | Iterable[Layer]]:
        """The layers, lowest first."""
        raise NotImplementedError

    def alt_text(self) -> str:
        """The panel in words and numbers."""
        return ""

    def pick(self, x: float, y: float, mark: str | None, index: int) -> dict[str, Any]:
        """Parameters to set after a click at (x, y), or a drag of marker ``index`` of the layer ``mark`` to there."""
        return {}

    @stage
    def draw(self) -> LayerCache:
        """Call it with a view and its arguments."""
        return LayerCache()

    @stage
    def drawn(self) -> DrawnPanel:
        layers = [each if isinstance(each, (tuple, list)) else (each,) for each in self.layers()]
        return DrawnPanel(self.axes(), tuple(chain(*layers)))
