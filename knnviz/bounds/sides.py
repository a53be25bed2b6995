"""What a lemma holds against what."""

from typing import NamedTuple


class Sides(NamedTuple):
    """What a lemma says is at most what: ``left`` <= ``right``."""

    left: float
    right: float

    @property
    def holds(self) -> bool:
        """Whether it is."""
        return self.left <= self.right
