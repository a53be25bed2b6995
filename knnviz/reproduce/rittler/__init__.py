"""What Rittler & Chaudhuri claim of labels bought in two rounds, and what happens.

A first round labels n points. H, the hard region, is where votes of k_hard of them are in a band around 1/2. H+ adds a
ball of k+ of them around each point of H. c0 and c_plus are constants of the band and of k+. A second round buys m
labels: passive ones with probability pi, wherever they fall, else targeted ones in H+.
Targeted labels vote inside H: they alone if voters are strict, with all others in H+ if they are inclusive. Outside H
all labels but the targeted vote. The passive learner has as many labels of random points.

The paper has no experiments and prints no number; all of these are ours. ``experiments`` holds the two-round scheme
beside a passive learner with as many labels, ``draws`` what fraction of the labels is passive, ``containment``
whether the hard region holds the effective boundary, and ``condition`` the exponents with the condition that they need.
``consistency`` lets the second round grow as in Theorem 7; ``measured_rates`` fits exponents beside the theorems'.
Theorem 3 itself is that of Chaudhuri & Dasgupta, see ``chaudhuri_dasgupta``. In some ball of mass at most p around a
point of the effective boundary, its Bayes class exceeds 1/2 by less than Delta.
"""

from knnviz.reproduce.rittler import condition, consistency, containment, draws, experiments, measured_rates

__all__ = ["condition", "consistency", "containment", "draws", "experiments", "measured_rates"]
