"""What Gao, Niu & Zhou show: robust kNN under random label noise, in figures and in tables.

``figure_1`` and ``substitutes`` (in place of Figures 2 to 4) use the ``draws`` on the checkerboard, where eta is known.
``figures_2_to_4`` and ``tables`` use real data sets, by the paper's ``protocol``; ``comparison`` does so on a reader's
tables. ``validation`` shows what cross-validation on noisy labels picks. A column ``reference`` holds what a second
program gave on the same draws, at the full settings.

RkNN is robust kNN: k neighbors vote, and k' others smooth the training labels to estimate the flip rates. A setting of
noise is a pair of flip rates (p0, p1). Scored labels are those that an inner fold of cross-validation is scored on:
noisy, as a learner has them, or clean. A ``Variant`` is how RkNN breaks ties: moved threshold, or as printed. Its
rivals are IR-KSVM and IR-LLog (importance-reweighted kernel SVM and logistic regression), LD-KSVM (kernel SVM with
label-dependent costs), UE-LLog (logistic regression with an unbiased loss), AROW and NHERD (online linear rules).
"""

from knnviz.reproduce.gao import figure_1, figures_2_to_4, substitutes, tables, validation

__all__ = ["figure_1", "figures_2_to_4", "substitutes", "tables", "validation"]
