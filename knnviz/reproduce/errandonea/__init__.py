"""What Errandonea et al. claim of adaptive neighbors among bags of labels, and what happens.

The paper prints no number; all of these are ours, beside those of a second program. ``digits`` compares the rules as
bags grow noisier, ``linear`` the rivals on the same bags, ``examples`` holds two sets of fractions in which they stop
at different k, and walks step by step, ``line`` risks that fall to their limit beside what is promised, and
``clusters`` how many stay aligned under noise. ``comparison`` is the protocol for real data, for bags of a reader's
own, and ``removal`` what it finds on the digits.
"""

from knnviz.reproduce.errandonea import clusters, digits, examples, line, linear, removal

__all__ = ["clusters", "digits", "examples", "line", "linear", "removal"]
