"""Settings of all tests: the same examples on every run, no deadline; labs that are quick."""

import gc

import pytest
from hypothesis import settings

settings.register_profile("knnviz", derandomize=True, deadline=None, print_blob=False)
settings.load_profile("knnviz")


def pytest_collection_finish() -> None:
    """Set aside what was imported: labs that are closed collect garbage, and would go through all of it each time."""
    gc.collect()
    gc.freeze()


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Labs that are quick: few cells, few weights, short curves."""
    from small import shrink

    shrink(monkeypatch)
