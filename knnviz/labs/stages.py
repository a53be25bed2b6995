"""Stages: values that are computed when asked for, and forgotten when something they read has changed."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any


@dataclass(eq=False)
class Record:
    """The one kept result of a stage: its value, what it read, and how often it ran."""

    value: Any = None
    parameters: dict[str, Any] = field(default_factory=dict)
    stages: dict[str, int] = field(default_factory=dict)
    runs: int = 0


class Stages:
    """What the stages of one lab hold, and who is reading right now.

    Not safe for threads by itself: a lab reads its stages under its lock.
    """

    def __init__(self) -> None:
        self.records: dict[str, Record] = {}
        self.reading: list[Record] = []

    def note_parameter(self, name: str, value: Any) -> None:
        """Remember that the running stage read a parameter."""
        if self.reading:
            self.reading[-1].parameters[name] = value

    def value(self, lab: Any, name: str, compute: Callable[[Any], Any]) -> Any:
        """The fresh value of a stage, remembered as read by the stage that asks."""
        record = self.records.get(name)
        if record is None or not self._fresh(lab, record):
            record = self._run(lab, name, compute)
        if self.reading:
            self.reading[-1].stages[name] = record.runs
        return record.value

    def _fresh(self, lab: Any, record: Record) -> bool:
        """Whether all that a record read still stands."""
        if any(lab.values[name] != value for name, value in record.parameters.items()):
            return False
        return all(self._runs(lab, name) == runs for name, runs in record.stages.items())

    def _runs(self, lab: Any, name: str) -> int:
        """Runs of a stage, brought up to date; unseen by the stage that is reading."""
        reading, self.reading = self.reading, []
        try:
            getattr(lab, name)
        finally:
            self.reading = reading
        return self.records[name].runs

    def _run(self, lab: Any, name: str, compute: Callable[[Any], Any]) -> Record:
        """Compute a stage anew; what it held stays if that fails."""
        before = self.records.get(name)
        record = Record(runs=(before.runs if before else 0) + 1)
        self.reading.append(record)
        try:
            record.value = compute(lab)
        finally:
            self.reading.pop()
        self.records[name] = record
        return record


class stage:
    """Decorate a method of a lab to make it a stage: read like an attribute, computed once for what it reads."""

    def __init__(self, compute: Callable[[Any], Any]) -> None:
        self.compute, self.__doc__ = compute, compute.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, lab: Any, owner: type | None = None) -> Any:
        return self if lab is None else lab.stages.value(lab, self.name, self.compute)
