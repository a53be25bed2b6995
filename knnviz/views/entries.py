"""Bars of the confusion entries of each class: TP, FN, FP and TN."""

from collections.abc import Sequence

import numpy as np

from knnviz.views import bars
from knnviz.views.layers import Axes, Bars, Lines
from knnviz.weights import Confusion, Entries

#: Entries from the bottom of a bar to its top, those of the class itself first, and their colors.
ENTRIES = ("TP", "FN", "FP", "TN")
COLORS = ("#4D4D4D", "#F0E442", "#56B4E9", "#E3E3E3")


def category_axes(name: str, title: str, ylabel: str, names: Sequence[str]) -> Axes:
    """Axes over categories, by name, at 0, 1, 2 and so on, and values from 0 to 1."""
    xlim = (-0.5, len(names) - 0.5)
    yticks = (0.0, 0.5, 1.0)
    return Axes(name, title, "", ylabel, xlim, (0, 1), xnames=tuple(names), yticks=yticks)


def stacked(entries: Entries) -> Bars:
    """A bar for each class or rule: TP, FN, FP and TN on top of each other, which add up to 1."""
    return bars.stack("entries", _tops(entries), COLORS, ENTRIES)


def borders(entries: Entries, label: str) -> Lines:
    """The borders between the entries of another rule, as ticks across the bars."""
    tops = _tops(entries)[:3]
    return bars.ticks("entry_ticks", label, tops, 0, bars.STACK_WIDTH + 0.16)


def describe(entries: Confusion, class_names: Sequence[str], name: str) -> str:
    """The scores of a rule in words; ``name`` is that of the rule."""
    words = []
    for c, label in enumerate(class_names):
        precision = entries.precision[c]
        recall = entries.recall[c]
        f1 = entries.f1[c]
        words.append(f"{label}: precision {precision:.3f}, recall {recall:.3f}, F1 {f1:.3f}")
    words.append(f"macro F1 {entries.macro_f1:.4f}, micro F1 {entries.micro_f1:.4f}.")
    return f"{name}: {'; '.join(words)}"


def _tops(entries: Entries) -> np.ndarray:
    """Upper ends (4, bars) of the stacked entries."""
    heights = [getattr(entries, name.lower()) for name in ENTRIES]
    return np.cumsum(heights, axis=0)
