"""What menus of labs on bags offer, by the names of the library."""

#: How the label of a bag may be wrong.
KINDS = {"confusion": "confusion", "another label": "other", "removal": "removal"}

#: Who wins if several labels are left at T.
FALLBACKS = {"largest lead": "lead", "majority": "majority"}
