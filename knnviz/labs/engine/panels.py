"""Panels: components that draw one part of the picture, describe it in words, and respond to clicks."""

from collections.abc import Callable, Iterable
from itertools import chain
from typing import Any

from knnviz.labs.engine.components import Component
from knnviz.labs.engine.stages import stage
from knnviz.views import layers as kinds
from knnviz.views.layers import Axes, Layer

#: Calls of views whose layers a panel keeps.
MOST_KEPT = 40

#: Values that are the same if they are equal; others are the same if they are one object.
PLAIN = frozenset((str, int, float, bool, type(None)))


class LayerCache:
    """Calls views; the same arguments give the same objects, so that only layers that changed are sent to the page."""

    def __init__(self) -> None:
        self.kept: dict[tuple, tuple[Any, Any]] = {}

    def __call__(self, view: Callable[..., Any], *given: Any) -> Any:
        """The layers of a view for these arguments."""
        key = view, identity(given)
        if key not in self.kept:
            # The arguments are kept with the layers, so that no other object gets their id.
            self.kept[key] = given, view(*given)
        # The newest call stands last.
        self.kept[key] = self.kept.pop(key)
        if len(self.kept) > MOST_KEPT:
            del self.kept[next(iter(self.kept))]
        return self.kept[key][1]


def identity(value: Any) -> Any:
    """The identity of an argument: a plain value itself, the identities in a tuple, else the id of the object."""
    if isinstance(value, tuple):
        return tuple([each if type(each) in PLAIN else identity(each) for each in value])
    return id(value)


class Panel(Component):
    """A component that draws one panel: its frame, its layers, its words, and what a click there means."""

    #: Whether a lab draws it where no panels are named.
    by_default = True

    @property
    def on_show(self) -> bool:
        """Whether the panel is in the picture."""
        return True

    def axes(self) -> Axes:
        """The frame, without its place."""
        raise NotImplementedError

    def layers(self) -> Iterable[Layer | Iterable[Layer]]:
        """The layers, lowest first."""
        raise NotImplementedError

    def alt_text(self) -> str:
        """The panel in words and numbers."""
        return ""

    def pick(self, x: float, y: float, mark: str | None, index: int) -> dict[str, Any]:
        """Parameters that follow from a point picked in the panel, or to which a mark was moved."""
        return {}

    @stage
    def draw(self) -> LayerCache:
        return LayerCache()

    @stage
    def drawn(self) -> kinds.Panel:
        stack = [each if isinstance(each, (tuple, list)) else (each,) for each in self.layers()]
        return kinds.Panel(self.axes(), tuple(chain(*stack)))
