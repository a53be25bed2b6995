"""Errors of linear rivals on splits of data with bags, cached because a fit takes long."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from time import monotonic
from typing import Self

import numpy as np

from knnviz.bag_comparison import outcome
from knnviz.labs.bag_noise.splits import NOISES, BagSettings, SplitKey, bagged_split
from knnviz.linear import RIVALS, Linear

#: Names of the rivals in ``knnviz.linear``, which explains them, by the key of their curve.
RIVAL_NAMES = {
    "clpl": "CLPL",
    "proden": "PRODEN",
    "lws": "LWS, beta 1",
    "lws2": "LWS, beta 2",
    "apl_mae": "APL, MAE",
    "apl_gce": "APL, GCE",
}

#: Curves of rivals by the options of the control.
RIVAL_OPTIONS = {"none": (), **{name: (curve,) for curve, name in RIVAL_NAMES.items()}, "all": tuple(RIVAL_NAMES)}


@lru_cache(maxsize=2048)
def _cached(key: SplitKey, settings: BagSettings, method: Linear) -> np.ndarray:
    return np.full(len(NOISES), np.nan)


def cached_errors(key: SplitKey, settings: BagSettings, method: Linear) -> np.ndarray:
    """Errors (J,) of a rival on a split at each nu, NaN where it has not been fitted yet; filled in by ``stream``.

    They do not depend on the preparation, which is for neighbors alone.
    """
    return _cached(key._replace(preparation="raw"), settings, method)


@dataclass(frozen=True, eq=False)
class RivalRun:
    """Errors of rivals on splits: ``errors`` (splits, J, rivals), NaN where a rival is not through with a split."""

    split_keys: tuple[SplitKey, ...]
    settings: BagSettings
    methods: Mapping[str, Linear]
    errors: np.ndarray

    @classmethod
    def unknown(cls, split_keys: Iterable[SplitKey], settings: BagSettings, curves: Iterable[str]) -> Self:
        split_keys = tuple(split_keys)
        methods = {curve: RIVALS[RIVAL_NAMES[curve]] for curve in curves}
        return cls(split_keys, settings, methods, np.full((len(split_keys), len(NOISES), len(methods)), np.nan))

    @property
    def done(self) -> int:
        return int(np.isfinite(self.errors).all(axis=1).sum())

    @property
    def total(self) -> int:
        return len(self.split_keys) * len(self.methods)

    @property
    def has_first_split(self) -> bool:
        return bool(np.isfinite(self.errors[0]).all())

    @property
    def progress(self) -> str:
        return f"{self.done} of {self.total}"

    def with_cached(self) -> Self:
        """A copy with the errors that are cached by now."""
        errors = np.full_like(self.errors, np.nan)
        for i, key in enumerate(self.split_keys):
            for j, method in enumerate(self.methods.values()):
                cached = cached_errors(key, self.settings, method)
                if np.isfinite(cached).all():
                    errors[i, :, j] = cached
        return replace(self, errors=errors)

    def stream(self, splits: int, pause: float, wait_for_first: bool = False) -> Iterator[Self]:
        """A copy with the errors that are cached, then more as rivals are fitted on the first ``splits`` splits.

        One comes when a rival is through with a split, and at least each ``pause`` seconds, or after a fit that takes
        longer. If ``wait_for_first``, none comes before the first split is done, if there is one.
        """
        newest, sent = self.with_cached(), monotonic()
        wait_for_first = wait_for_first and splits > 0
        if newest.has_first_split or not wait_for_first:
            yield newest
        for key, method in product(self.split_keys[:splits], self.methods.values()):
            errors = cached_errors(key, self.settings, method)
            while np.isnan(errors).any():
                data, j = bagged_split(key, self.settings), int(np.isnan(errors).argmax())
                errors[j] = outcome(data.split, data.bags[j], method).error
                is_done = not np.isnan(errors).any()
                newest = self.with_cached() if is_done else newest
                if (is_done or monotonic() - sent > pause) and (newest.has_first_split or not wait_for_first):
                    yield newest
                    sent = monotonic()
