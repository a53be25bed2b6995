"""What Khim, Xu & Singh print, and what happens: class weights on their example of three classes.

``table`` is their Table 1, ``figures`` their Figures 1 and 2 with the numbers behind them. ``bounds`` and
``corollaries`` set theorems beside samples, ``parts`` splits an error as the proof of Theorem 5 does, and
``f1_thresholds`` is about two classes, of which one is rare. ``searches`` are Figures 3 and 4, ``landscapes`` shows how
high F1 can be. ``table_2`` is their Table 2 on any table, ``comparison`` on a reader's files.

The example is ``problems.waves``. The weighted Bayes rule predicts the class of the largest q_c eta_c; eta-hat are
fractions of votes. Classes are 0 to C - 1: the paper's class 1 is class 0. At a point of the effective boundary, its
weighted Bayes class leads by less than Delta in some ball of mass at most p.
"""

from knnviz.reproduce.khim import (
    bounds,
    comparison,
    corollaries,
    f1_thresholds,
    figures,
    landscapes,
    parts,
    searches,
    table,
    table_2,
)

__all__ = [
    "bounds",
    "comparison",
    "corollaries",
    "f1_thresholds",
    "figures",
    "landscapes",
    "parts",
    "searches",
    "table",
    "table_2",
]
