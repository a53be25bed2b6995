"""The inequality of a lemma, as numbers."""

from typing import NamedTuple


class Sides(NamedTuple):
    """Both sides of the inequality of a lemma, ``left`` <= ``right``."""

    left: float
    right: float

    @property
    def holds(self) -> bool:
        return self.left <= self.right
