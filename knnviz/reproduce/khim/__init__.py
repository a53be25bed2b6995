"""What Khim, Xu & Singh print, and what happens: class weights on their example of three classes.

``table`` is their Table 1, ``figures`` their Figures 1 and 2 with the numbers behind them. ``bounds`` holds theorems
against samples, ``f1_thresholds`` is about two classes, of which one is rare. ``searches`` are Figures 3 and 4,
``landscapes`` what there is to be found, and ``labels`` what may have happened to Table 2. Classes are 0 to C - 1: the
paper's class 1 is class 0.
"""

from knnviz.reproduce.khim import bounds, f1_thresholds, figures, labels, landscapes, searches, table

__all__ = ["bounds", "f1_thresholds", "figures", "labels", "landscapes", "searches", "table"]
