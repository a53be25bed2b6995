"""What Errandonea et al. claim of adaptive neighbors among bags of labels, and what happens.

The paper prints no number; all of these are ours, some beside those of a second program. ``digits`` compares the rules
as bags grow noisier, ``images`` does so on a reader's table, and ``linear`` the rivals on the bags of the digits,
tuned and not. ``comparison`` is the protocol for real data, for bags of a reader's own, and ``removal`` what it finds
on the digits. ``examples`` holds two sets of fractions in which rules stop at different k, and walks step by step.
``line`` has risks that fall to their limit, ``promises`` guarantees at all points and for each label, ``rate``
how fast the excess risk falls, and ``clusters`` how many stay aligned under noise.
"""

from knnviz.reproduce.errandonea import clusters, digits, examples, images, line, linear, promises, rate, removal

__all__ = ["clusters", "digits", "examples", "images", "line", "linear", "promises", "rate", "removal"]
