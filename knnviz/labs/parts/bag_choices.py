"""Options of menus of labs on bags, by the names of the library."""

from typing import Literal

from knnviz.corruption.bag_process import Kind

#: Kinds of bag noise.
KINDS: dict[str, Kind] = {"confusion": "confusion", "another label": "other", "removal": "removal"}

#: What PL A-kNN predicts if several labels are left at T, the largest number of neighbors.
FALLBACKS: dict[str, Literal["lead", "majority"]] = {"largest lead": "lead", "majority": "majority"}
