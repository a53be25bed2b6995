"""What Errandonea et al. claim of adaptive neighbors among bags of labels, and what happens.

The paper prints no number; all of these are ours, beside those of a second program. ``digits`` compares the rules as
bags grow noisier, ``linear`` the rivals on the same bags, ``examples`` holds two sets of fractions in which they stop
at different k, and walks step by step, ``line`` risks that fall to their limit beside what is promised, and
``clusters`` how many stay aligned under noise.
"""

from knnviz.reproduce.errandonea import clusters, digits, examples, images, line, linear, promises, rate

__all__ = ["clusters", "digits", "examples", "images", "line", "linear", "promises", "rate"]
