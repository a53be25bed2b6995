"""Options of menus of labs on bags, by the names of the library."""

#: Kinds of bag noise.
KINDS = {"confusion": "confusion", "another label": "other", "removal": "removal"}

#: Rules of prediction if several labels are left at T.
FALLBACKS = {"largest lead": "lead", "majority": "majority"}
