"""What Gao, Niu & Zhou show: robust kNN under random label noise, in figures and in tables.

``figure_1`` and ``substitutes`` (for Figures 2 to 4) stand on the same ``draws``, where eta is known;
``figures_2_to_4`` and ``tables`` on real sets.
"""

from knnviz.reproduce.gao import figure_1, figures_2_to_4, substitutes, tables, validation

__all__ = ["figure_1", "figures_2_to_4", "substitutes", "tables", "validation"]
