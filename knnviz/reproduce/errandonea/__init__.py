"""What Errandonea et al. claim of adaptive neighbors with bags (candidate label sets), and what happens.

The ball of neighbors around a point grows. PL A-kNN, for partial labels, eliminates labels that lag by a band Delta(k);
A-kNN stops once a label is above the baseline 1 / C by it. The band constant is Delta(k) sqrt(k), c1 a factor of it. T
is the largest k; a point whose ball ends there is undecided. nu is the bag noise. Bags are aligned at a point where
its most probable label is in them most. The advantage is the largest p gamma^2, p <= A, with this label ahead by gamma
in bags of all balls up to mass p.

The paper prints no number; all of these are ours, some beside a reference run by a second program. ``digits`` compares
the rules as bags grow noisier, ``images`` does so on a reader's table, and ``linear`` compares the linear rivals, tuned
and not. ``comparison`` is the protocol for real data with a reader's own bags, ``removal`` its results on the digits.
``examples`` holds fractions of labels at which the rules stop at different k, and balls that grow step by step.
``line`` has risks that fall to their limit, ``promises`` guarantees at all points and for each label, ``rate``
how fast the excess risk falls, and ``clusters`` how many clusters stay aligned under noise.
"""

from knnviz.reproduce.errandonea import clusters, digits, examples, images, line, linear, promises, rate, removal

__all__ = ["clusters", "digits", "examples", "images", "line", "linear", "promises", "rate", "removal"]
