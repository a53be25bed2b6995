"""Two-stage active learning: round two buys labels where the vote of round one is uncertain
(Rittler & Chaudhuri).

There are two classes, 0 and 1; eta-hat is the fraction of class 1 among the k nearest labeled
points. mu is the distribution of the points, and the mass of a set its probability under mu; sums
over the cells of a grid stand for it. In shapes of arrays d is the dimension of the points.

The first round labels n random points. H, the hard region, is the set of points where ``|eta-hat -
1/2|``, with k_hard neighbors, is below the width 2 Delta + Delta~. Here Delta is ``sqrt(log(2 /
delta) / k_hard)``, at most 1/2: below 1/2, the vote at one point is within Delta of its expectation
with probability at least 1 - delta. Delta~ is ``c0 * sqrt(((d + 1) * log(n) + log(1 / delta)) /
k_hard)``, for the votes at all points together. H+, the augmented hard region, adds to each hard
point the ball out to its k_plus-th nearest point of the first round: k_plus is ``c_plus * sqrt(n *
(d + 1) * log(8 / delta))``, rounded up, from 1 to n. The paper has the VC dimension of balls, d +
1, and leaves c_plus open.

The second round draws points one by one, from mu or from a pool (a finite set of unlabeled points),
and labels m of them. A coin makes a draw passive with probability pi, the passive fraction: then it
is labeled wherever it falls. A targeted draw is labeled only in H+, else it is rejected. If H+ has
no mass, all draws are passive (the fallback). The stage of a label is ROUND1 (first round), FROM_P
(passive draw) or FROM_R (targeted draw).

Finally, the k nearest voters vote: in H the points of targeted draws ("strict") or all labeled
points in H+ ("inclusive"), elsewhere all points but those of targeted draws. The passive learner,
for comparison, has n + m labels of random points, and all of them vote everywhere. A learner is one
of these three; a budget is how many labels of the second round it may use.
"""

from knnviz.active.learners import LEARNERS, trial
from knnviz.active.sampling import passive_sample, pool_sample, two_stage_sample
from knnviz.active.scheme import FROM_P, FROM_R, ROUND1, Draws, FirstRound, Scheme, TwoStageSample
from knnviz.active.voting import VOTERS, vote

__all__ = [
    "FROM_P",
    "FROM_R",
    "LEARNERS",
    "ROUND1",
    "VOTERS",
    "Draws",
    "FirstRound",
    "Scheme",
    "TwoStageSample",
    "passive_sample",
    "pool_sample",
    "trial",
    "two_stage_sample",
    "vote",
]
