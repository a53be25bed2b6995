"""What every refusal is: a ValueError, in a sentence."""

from collections.abc import Callable
from typing import Any

import pytest


def refuses(sentence: str, call: Callable[..., Any], *given: Any, **options: Any) -> None:
    """Fail unless the call is refused; ``sentence`` is a regular expression."""
    with pytest.raises(ValueError, match=sentence):
        call(*given, **options)
