"""What any lab needs besides neighbors and votes: parameters, a memo for its recipe, background work, widgets.

Terms. A recipe is a function of the values of the parameters; it returns panels, whose layers are points, lines or
regions, and numbers. A memo keeps what a recipe has computed for as long as it computes the same. The picture of a lab
lies on a sheet: panels in rows and columns. Pages show the widget of a lab in a browser; a frame is a message to them.
A preset is a named setting, a scene the saved state of a lab, and a recording all that a page shows without Python.
"""

from types import SimpleNamespace as Values

from knnviz.labs.engine.lab import Click, Lab, Preset, Shown
from knnviz.labs.engine.layout import Cell, aligned, columns, rows
from knnviz.labs.engine.memo import Memo
from knnviz.labs.engine.parameters import DECIMALS, Choice, Float, Int, LogInt, Parameter, Range, Seed, within
from knnviz.labs.engine.steps import Step
from knnviz.labs.engine.words import Count
from knnviz.views.layers import Panel

__all__ = [
    "Cell",
    "Click",
    "Count",
    "Lab",
    "Memo",
    "Panel",
    "Preset",
    "Shown",
    "Step",
    "Values",
    "aligned",
    "columns",
    "rows",
]
__all__ += ["DECIMALS", "Choice", "Float", "Int", "LogInt", "Parameter", "Range", "Seed", "within"]
