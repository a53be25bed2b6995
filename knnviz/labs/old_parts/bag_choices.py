"""Options of menus of labs on bags, and their names in the library."""

from typing import Literal

from knnviz.bags import Kind

#: Kinds of bag noise: the true label becomes one of all labels, becomes another one, or leaves its bag.
KINDS: dict[str, Kind] = {"confusion": "confusion", "another label": "other", "removal": "removal"}

#: How a rule predicts if several labels are not eliminated after T, the largest number of neighbors.
FALLBACKS: dict[str, Literal["lead", "majority"]] = {"largest lead": "lead", "majority": "majority"}
