"""Stages: values that are computed when asked for, and forgotten when something they read has changed."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NoReturn


@dataclass(eq=False)
class Record:
    """The one kept result of a stage: its value, what it read, and how often it ran."""

    value: Any = None
    parameters: dict[str, Any] = field(default_factory=dict)
    stages: dict["stage", int] = field(default_factory=dict)
    runs: int = 0


class Stages(threading.local):
    """What the running stages of one lab read; each thread has its own."""

    def __init__(self) -> None:
        self.reading: list[Record] = []

    def note_parameter(self, name: str, value: Any) -> None:
        """Remember that the running stage read a parameter."""
        if self.reading:
            self.reading[-1].parameters[name] = value

    def note_stage(self, read: "stage", runs: int) -> None:
        """Remember that the running stage read another."""
        if self.reading:
            self.reading[-1].stages[read] = runs


class stage:
    """Decorate a method of a lab to make it a stage: read like an attribute, computed once for what it reads.

    A lab holds the records in ``records``. Reading waits until no other thread is at work on the lab.
    """

    def __init__(self, compute: Callable[[Any], Any]) -> None:
        self.compute, self.__doc__ = compute, compute.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, lab: Any, owner: type | None = None) -> Any:
        if lab is None:
            return self
        if lab.latest.inside:
            return self._read(lab)
        with lab.latest.alone():
            return self._read(lab)

    def __set__(self, lab: Any, value: Any) -> NoReturn:
        raise AttributeError(f"{self.name} is computed; set the parameters that it follows from")

    def _read(self, lab: Any) -> Any:
        """The fresh value, noted for the stage that asks."""
        record = self._fresh_record(lab)
        lab.stages.note_stage(self, record.runs)
        return record.value

    def _fresh_record(self, lab: Any) -> Record:
        record = lab.records.get(self)
        return record if record is not None and self._stands(lab, record) else self._run(lab)

    def _stands(self, lab: Any, record: Record) -> bool:
        """Whether all that a record read is still as it was."""
        if any(lab.values[name] != value for name, value in record.parameters.items()):
            return False
        return all(read._fresh_record(lab).runs == runs for read, runs in record.stages.items())

    def _run(self, lab: Any) -> Record:
        """Compute anew; what was held stays if that fails."""
        before = lab.records.get(self)
        record = Record(runs=(before.runs if before else 0) + 1)
        lab.stages.reading.append(record)
        try:
            record.value = self.compute(lab)
        finally:
            lab.stages.reading.pop()
        lab.records[self] = record
        return record
