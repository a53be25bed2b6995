"""What linear rivals did on splits of data with bags, kept from one move of a slider to the next: a fit takes long."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from time import monotonic
from typing import Self

import numpy as np

from knnviz.bag_comparison import outcome
from knnviz.labs.bag_noise.splits import NOISES, Bagged, Bagging, Where, bagged
from knnviz.linear import RIVALS, Linear

NAMES = {
    "clpl": "CLPL",
    "proden": "PRODEN",
    "lws": "LWS, beta 1",
    "lws2": "LWS, beta 2",
    "apl_mae": "APL, MAE",
    "apl_gce": "APL, GCE",
}

#: Curves by choice on the control.
MENU = {"none": (), **{name: (curve,) for curve, name in NAMES.items()}, "all": tuple(NAMES)}


class KeptErrors:
    """How often a rival errs on a split at each noise (J,), NaN where it has not been fitted yet."""

    def __init__(self, method: Linear) -> None:
        self.method, self.errors = method, np.full(len(NOISES), np.nan)

    @property
    def ready(self) -> bool:
        return bool(np.isfinite(self.errors).all())

    def fit(self, found: Bagged) -> None:
        """Find out how it does at the first noise that is not known."""
        j = int(np.isnan(self.errors).argmax())
        self.errors[j] = outcome(found.split, found.bags[j], self.method).error


@lru_cache(maxsize=2048)
def _kept(where: Where, bagging: Bagging, method: Linear) -> KeptErrors:
    return KeptErrors(method)


def kept_errors(where: Where, bagging: Bagging, method: Linear) -> KeptErrors:
    """Errors of a split, known or not; points are not made ready for neighbors here, so that it does not matter how."""
    return _kept(where._replace(preparation="raw"), bagging, method)


@dataclass(frozen=True, eq=False)
class RivalRun:
    """How rivals did on split after split, as far as it is known: ``errors`` (splits, J, rivals), NaN elsewhere."""

    wheres: tuple[Where, ...]
    bagging: Bagging
    methods: Mapping[str, Linear]
    errors: np.ndarray

    @classmethod
    def unknown(cls, wheres: Iterable[Where], bagging: Bagging, curves: Iterable[str]) -> Self:
        wheres, methods = tuple(wheres), {curve: RIVALS[NAMES[curve]] for curve in curves}
        return cls(wheres, bagging, methods, np.full((len(wheres), len(NOISES), len(methods)), np.nan))

    @property
    def done(self) -> int:
        return int(np.isfinite(self.errors).all(axis=1).sum())

    @property
    def pieces(self) -> int:
        return len(self.wheres) * len(self.methods)

    @property
    def begun(self) -> bool:
        return bool(np.isfinite(self.errors[0]).all())

    @property
    def progress(self) -> str:
        return f"{self.done} of {self.pieces}"

    def known(self) -> Self:
        """The same with what is kept by now of splits that a rival is through with."""
        found = np.full_like(self.errors, np.nan)
        for i, j, kept in self._all():
            if kept.ready:
                found[i, :, j] = kept.errors
        return replace(self, errors=found)

    def _all(self) -> Iterator[tuple[int, int, KeptErrors]]:
        for i, where in enumerate(self.wheres):
            for j, method in enumerate(self.methods.values()):
                yield i, j, kept_errors(where, self.bagging, method)

    def stream(self, splits: int, pause: float, eager: bool = False) -> Iterator[Self]:
        """What is kept at once, then rival after rival on each of the first so many splits.

        Another job waits for one fit, or for ``pause`` seconds of short ones. An ``eager`` reader waits
        for the first split, if there is one.
        """
        newest, sent = self.known(), monotonic()
        eager = eager and splits > 0
        if newest.begun or not eager:
            yield newest
        for i, _, kept in self._all():
            while i < splits and not kept.ready:
                kept.fit(bagged(self.wheres[i], self.bagging))
                newest = self.known() if kept.ready else newest
                if (kept.ready or monotonic() - sent > pause) and (newest.begun or not eager):
                    yield newest
                    sent = monotonic()
