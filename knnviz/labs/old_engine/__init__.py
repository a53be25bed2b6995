"""What any lab needs besides neighbors and votes: parameters, stages, background work, widgets.

Terms. A stage is a cached value of a holder: a lab or one of its components. A background stage has several values. The
first is there at once, and a job, a thread, computes the others. A streaming stage is one that takes long, such as a
curve that fills in. The picture of a lab lies on a sheet: panels in rows and columns, whose layers are points, lines or
regions. Pages show the widget of a lab in a browser; a frame is a message to them. A preset is a named setting, a scene
the saved state of a lab, and a recording all that a page shows without Python.
"""

from knnviz.labs.engine.layout import PROJECTOR, SCREEN, Cell, Columns, Rows, aligned, columns, rows
from knnviz.labs.old_engine.components import Component, Input, default_limits
from knnviz.labs.old_engine.lab import Lab
from knnviz.labs.old_engine.panels import Panel
from knnviz.labs.old_engine.parameters import DECIMALS, Choice, Float, Int, LogInt, Seed, within
from knnviz.labs.old_engine.scenes import Preset
from knnviz.labs.old_engine.stages import stage

__all__ = ["Component", "Input", "Lab", "Panel", "Preset", "default_limits", "stage"]
__all__ += ["DECIMALS", "Choice", "Float", "Int", "LogInt", "Seed", "within"]
__all__ += ["PROJECTOR", "SCREEN", "Cell", "Columns", "Rows", "aligned", "columns", "rows"]
