"""What any lab needs, and nothing about neighbors: parameters, stages, background work, widgets."""

from knnviz.labs.engine.components import Component, Input, default_limits
from knnviz.labs.engine.lab import Lab
from knnviz.labs.engine.layout import PROJECTOR, SCREEN, Cell, Columns, Rows, aligned, columns, rows
from knnviz.labs.engine.panels import Panel
from knnviz.labs.engine.parameters import DECIMALS, Choice, Float, Int, LogInt, Seed, within
from knnviz.labs.engine.scenes import Preset
from knnviz.labs.engine.stages import stage

__all__ = ["Component", "Input", "Lab", "Panel", "Preset", "default_limits", "stage"]
__all__ += ["DECIMALS", "Choice", "Float", "Int", "LogInt", "Seed", "within"]
__all__ += ["PROJECTOR", "SCREEN", "Cell", "Columns", "Rows", "aligned", "columns", "rows"]
