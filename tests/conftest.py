"""Settings of all tests: the same examples on every run, no deadline; labs that are quick."""

from collections.abc import Iterator

import pytest
from hypothesis import settings

settings.register_profile("knnviz", derandomize=True, deadline=None, print_blob=False)
settings.load_profile("knnviz")


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Labs that are quick: few cells, few weights, short curves."""
    from small import forget, shrink

    shrink(monkeypatch)
    forget()
    yield
    forget()
