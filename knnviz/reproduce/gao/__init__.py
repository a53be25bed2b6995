"""What Gao, Niu & Zhou show: robust kNN under random label noise, in figures and in tables.

``figure_1`` and ``substitutes`` (for Figures 2 to 4) stand on the same ``draws``.
"""

from knnviz.reproduce.gao import figure_1, substitutes, tables, validation

__all__ = ["figure_1", "substitutes", "tables", "validation"]
