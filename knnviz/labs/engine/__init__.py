"""What any lab needs besides neighbors and votes: parameters, a memo for its recipe, background
work, widgets.

Terms. A recipe is a function of the values of the parameters; it returns panels, whose layers are
points, lines or regions, and numbers. A memo keeps what a recipe has computed for as long as it
computes the same. The picture of a lab lies on a sheet: panels in rows and columns. Pages show the
widget of a lab in a browser; a frame is a message to them. A preset is a named setting, a scene the
saved state of a lab, and a recording all that a page shows without Python.

A page sends steps, one message at a time, and the kernel answers with a frame: values, ranges,
numbers, and the layers that have changed. While a hand is on a control, the kernel also sends what
its other values would show, and the page draws a move at once (``knnviz/labs/engine/ahead.py``).
Where there is no kernel, ``knnviz/labs/engine/replay.js`` answers from a recording.

How a lab is added; CONTRIBUTING.md has the smallest, ``knnviz/labs/neighbors.py`` is one with a
map:

- The table has parameters and the headings above their controls. ``when={"overlay":
  ("advantage",)}`` hides a control under other options; ``play=500`` adds Play, 500 ms a
  step or less. A new symbol goes into ``knnviz/lessons/notation.csv``.
- The recipe is plain code, which only computes: it also runs for values that the lab does not have,
  in another thread. ``p`` has all values, ``p.display`` (how large letters are) and
  ``p.resolution`` (how finely to compute).
- ``memo(function, *arguments)`` compares plain values, tuples and frozen dataclasses by value,
  arrays and other objects by identity: an array that the recipe itself makes is new in each run,
  and so are all calls with it. ``memo.refine`` gives a coarse value first, ``memo.stream`` the
  newest value of a long computation; never call these two in a memoized function.
- ``ranges(values)`` returns the ranges that depend on other values, with a reason as a clause. A
  value that is set must be in its range; others move into theirs, and a note says so. One value, or
  None, hides the control. ``adjust(values, changes, before)`` changes values that follow from those
  set. What is no parameter is a frozen dataclass ``state``.
- Numbers have the names that the reader sees; alternative text holds them, so a new one needs
  ``make notebooks``.
- A panel is a function that returns ``Panel(axes, layers, click, says)``, lowest layer first,
  called while it is on show. Memoize it with the values and arrays that it draws, never with ``p``.
  ``click`` takes a position or a dragged mark and returns values. Alternative text follows from
  layers with a label; ``says`` adds what they do not say.
- With ``own_data = OWN`` a lab takes a reader's data; else it refuses them. Presets that a text
  names have their source.
- The mathematics of a lab has a file in ``tests/labs/``: numbers beside closed forms, what follows
  which control, and each control that ``when`` hides at the start. ``python tests/bench/controls.py
  MajorityLab`` times its controls: 16 ms to the first frame, 60 to a preview. Look at it at 1400 x
  900, also on the projector, with every slider at both ends.
"""

from types import SimpleNamespace as Values

from knnviz.labs.engine.lab import Click, Lab, Preset, Shown
from knnviz.labs.engine.layout import Cell, aligned, columns, rows
from knnviz.labs.engine.memo import Memo
from knnviz.labs.engine.parameters import (
    DECIMALS,
    ByName,
    Choice,
    Float,
    Int,
    LogInt,
    Parameter,
    Range,
    Seed,
    within,
)
from knnviz.labs.engine.words import TO_COME, Count
from knnviz.views.layers import Panel

__all__ = [
    "TO_COME",
    "ByName",
    "Cell",
    "Click",
    "Count",
    "Lab",
    "Memo",
    "Panel",
    "Preset",
    "Shown",
    "Values",
    "aligned",
    "columns",
    "rows",
]
__all__ += ["DECIMALS", "Choice", "Float", "Int", "LogInt", "Parameter", "Range", "Seed", "within"]
