"""What Rittler & Chaudhuri claim of labels bought in two rounds, and what happens.

The paper has no experiments and prints no number; all of these are ours. ``experiments`` holds the two-round scheme
beside a passive learner with as many labels, ``draws`` what fraction of the labels is passive, ``containment``
whether the hard region holds the effective boundary, and ``condition`` the exponents with the condition that they need.
``consistency`` lets the second round grow as in Theorem 7; ``measured_rates`` fits exponents beside the theorems'.
Theorem 3 itself is that of Chaudhuri & Dasgupta, see ``chaudhuri_dasgupta``.
"""

from knnviz.reproduce.rittler import condition, consistency, containment, draws, experiments, measured_rates

__all__ = ["condition", "consistency", "containment", "draws", "experiments", "measured_rates"]
