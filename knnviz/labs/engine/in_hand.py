"""The lab in hand: a lab that nobody is moving holds its picture, and no large values."""

from typing import Any
from weakref import WeakSet

from knnviz import memory

#: The labs that hold large values: the one that moved last.
IN_HAND: WeakSet[Any] = WeakSet()


def take_in_hand(lab: Any) -> None:
    """Have all other labs give back their large values."""
    for other in set(IN_HAND) - {lab}:
        put_down(other)
    IN_HAND.add(lab)


def put_down(lab: Any) -> None:
    """Have a lab give back its large values."""
    IN_HAND.discard(lab)
    with lab.lock:
        for entry in lab.background.entries():
            entry.give_back()
    memory.give_back()
