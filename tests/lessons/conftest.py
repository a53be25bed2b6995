"""What tests of lessons share: a record of their own, and what a function displays."""

import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

from knnviz.lessons import record

#: Modules that know the record.
MODULES = ("record", "card", "predictions", "quizzes", "check_ups", "download", "exercises")


@pytest.fixture
def renew(monkeypatch):
    """Put an empty record in place of the one of this kernel."""

    def put():
        empty = record.Record()
        for module in MODULES:
            monkeypatch.setattr(f"knnviz.lessons.{module}.RECORD", empty)
        return empty

    return put


@pytest.fixture
def fresh(renew):
    return renew()


@pytest.fixture
def shown():
    """Run something, and return the data of what it displays."""
    InteractiveShell.instance()

    def run(do, *arguments, **options):
        with capture_output() as captured:
            do(*arguments, **options)
        return [output.data for output in captured.outputs]

    return run
