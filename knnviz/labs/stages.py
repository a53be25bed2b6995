"""Stages: values that are computed when asked for, and forgotten when something they read has changed."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NoReturn, Self

from knnviz.labs.jobs import Job


@dataclass(eq=False)
class Record:
    """The one kept result of a stage: its value, what it read, how often it changed, and who still works on it.

    A record whose work was given up is ``spoiled``, and never stands again; ``failure`` is the error that ended it.
    ``checked`` is the lab's count of changes at which it was last found to stand.
    """

    value: Any = None
    parameters: dict[str, Any] = field(default_factory=dict)
    stages: dict["stage", int] = field(default_factory=dict)
    runs: int = 0
    job: Job | None = None
    spoiled: bool = False
    failure: Exception | None = None
    checked: int = -1


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
    ``steady`` stages count as changed only if their value is another one. A ``background`` stage is a generator: it
    reads all that it needs before its first yield, which gives a value at once; each later one, from a worker thread,
    takes its place. A lab that is not on show draws them all at once, and keeps the last. A ``streaming`` stage is one
    of these that may take long: a lab opens without waiting for it.
    """

    def __init__(
        self,
        compute: Callable[[Any], Any] | None = None,
        *,
        steady: bool = False,
        background: bool = False,
        streaming: bool = False,
    ) -> None:
        self.compute, self.steady = compute, steady
        self.background, self.streaming = background or streaming, streaming
        self.__doc__ = compute.__doc__ if compute else None

    def __call__(self, compute: Callable[[Any], Any]) -> Self:
        """Take the method, after options were given."""
        self.__init__(compute, steady=self.steady, background=self.background, streaming=self.streaming)
        return self

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
        if record.spoiled or record.checked == lab.changes:
            return not record.spoiled
        stands = all(lab.values[name] == value for name, value in record.parameters.items()) and all(
            read._fresh_record(lab).runs == runs for read, runs in record.stages.items()
        )
        if stands:
            record.checked = lab.changes
        return stands

    def wanted(self, lab: Any, record: Record) -> bool:
        """Whether a record is the newest and nothing that it read has moved, without computing anything."""
        if lab.records.get(self) is not record or record.spoiled:
            return False
        if any(lab.values[name] != value for name, value in record.parameters.items()):
            return False
        read = ((other, lab.records.get(other), runs) for other, runs in record.stages.items())
        return all(held is not None and held.runs == runs and other.wanted(lab, held) for other, held, runs in read)

    def _run(self, lab: Any) -> Record:
        """Compute anew; what was held stays if that fails."""
        before = lab.records.get(self)
        record = Record()
        lab.stages.reading.append(record)
        try:
            computed = self.compute(lab)
            record.value = next(computed) if self.background else computed
        finally:
            lab.stages.reading.pop()
        same = self.steady and before is not None and before.value == record.value
        record.runs = (before.runs if before else 0) + (not same)
        record.checked, lab.records[self] = lab.changes, record
        if self.background:
            lab.carry_on(self, record, computed)
        return record
