"""What Khim, Xu & Singh print, and what happens: class weights on their example of three classes.

``table`` is their Table 1, ``figures`` their Figures 1 and 2 with the numbers behind them. ``bounds`` holds theorems
against samples, ``f1_thresholds`` is about two classes, of which one is rare. ``searches`` are Figures 3 and 4, and
``landscapes`` what there is to be found. ``table_2`` is their Table 2 on any table, ``comparison`` on a reader's files.
Classes are 0 to C - 1: the paper's class 1 is class 0.
"""

from knnviz.reproduce.khim import bounds, comparison, f1_thresholds, figures, landscapes, searches, table, table_2

__all__ = ["bounds", "comparison", "f1_thresholds", "figures", "landscapes", "searches", "table", "table_2"]
