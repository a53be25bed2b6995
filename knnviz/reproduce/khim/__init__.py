"""What Khim, Xu & Singh print, and what happens: class weights on their example of three classes.

``table`` is their Table 1, ``figures`` their Figures 1 and 2 with the numbers behind them. ``bounds`` holds theorems
against samples, ``thresholds`` is about two classes, of which one is rare. Classes are 0 to C - 1: the paper's class 1
is class 0.
"""

from knnviz.reproduce.khim import bounds, figures, table, thresholds

__all__ = ["bounds", "figures", "table", "thresholds"]
