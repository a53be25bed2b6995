"""Panels in words: their titles, and for each layer with a label where it begins and ends, or how much it covers."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from knnviz.views.layers import Panel


def panel_words(panel: Panel) -> str:
    """A panel in words and numbers, ending with what it ``says`` itself."""
    words = "; ".join(text for layer in panel.layers for text in layer_words(layer, panel.axes.xlabel))
    return " ".join(filter(None, [f"{panel.axes.title}: {words}." if words else f"{panel.axes.title}.", panel.says]))


def layer_words(layer: Any, across: str) -> Iterator[str]:
    if layer.label and hasattr(layer, "cells"):
        yield f"{layer.label} on {layer.cells.mean():.1%}"
    elif layer.label and hasattr(layer, "x"):
        yield from line_words(layer.label, layer.x, getattr(layer, "y", getattr(layer, "upper", layer.x)), across)
    elif getattr(layer, "labels", ()) and getattr(layer, "codes", np.empty(0)).size:
        codes, labels = layer.codes, layer.labels
        if codes.size == 1:
            yield from line_words(labels[0], layer.x, layer.y, across)
            return
        counts = np.bincount(codes.ravel(), minlength=len(labels))
        parts = [f"{count / codes.size:.1%}" if codes.ndim == 2 else f"{count} of" for count in counts]
        yield ", ".join(f"{part} {label}" for part, label in zip(parts, labels, strict=False))


def line_words(label: str, x: np.ndarray, y: np.ndarray, across: str) -> Iterator[str]:
    """Where a line over x begins and ends, or where it stands; of a curve that turns back only its label."""
    known = np.flatnonzero(np.isfinite(y))
    if len(known) and np.ptp(y[known]) == 0:
        yield f"{label} at {y[known[0]]:.4g}"
    elif len(known) > 1 and np.ptp(x[known]) == 0:
        yield f"{label} at {across} = {x[known[0]]:.4g}"
    elif len(known) and (np.diff(x[known]) >= 0).all():
        first, last = (f"{y[i]:.4g} at {across} = {x[i]:.4g}" for i in known[[0, -1]])
        yield f"{label} from {first} to {last}"
    elif len(known):
        yield label
