"""What Errandonea et al. claim of adaptive neighbors with bags (candidate label sets), and what happens.

The ball of neighbors around a point grows. PL A-kNN, for partial labels, eliminates labels that lag by a band Delta(k);
A-kNN stops once a label is above a baseline by it. c1 is the constant of the band, T the largest k; a point whose ball
ends at T is undecided. nu is the bag noise. Bags are aligned at a point where its most probable label is in them most.

The paper prints no number; all of these are ours, some beside a reference run by a second program. ``digits`` compares
the rules as bags grow noisier, ``images`` does so on a reader's table, and ``linear`` compares the linear rivals, tuned
and not. ``comparison`` is the protocol for real data with a reader's own bags, ``removal`` its results on the digits.
``examples`` holds fractions of labels at which the rules stop at different k, and balls that grow step by step.
``line`` has risks that fall to their limit, ``promises`` guarantees at all points and for each label, ``rate``
how fast the excess risk falls, and ``clusters`` how many clusters stay aligned under noise.
"""

from knnviz.reproduce.errandonea import clusters, digits, examples, images, line, linear, promises, rate, removal

__all__ = ["clusters", "digits", "examples", "images", "line", "linear", "promises", "rate", "removal"]
