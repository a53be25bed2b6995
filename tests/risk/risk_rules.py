"""Rules for tests of risks."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np

from knnviz import VoteProfile
from knnviz.neighbors import Windows
from knnviz.noise import extremes_on_line


@dataclass(frozen=True)
class Midrange:
    """Class 1 iff twice its votes reach the sum of fewest and most at a training point (Reeve & Kaban, Algorithm 2)."""

    estimates: ClassVar[bool] = True

    extremes: int | None = None

    def neighbors_needed(self, k):
        return k

    def fit(self, train, observed, k, n_classes):
        if isinstance(train, Windows):
            return Midrange(extremes_on_line(train, observed, [k]).sum())
        votes = train if isinstance(train, VoteProfile) else VoteProfile.count(train, observed, n_classes)
        ones = votes.at(k)[:, 1].astype(int)
        return Midrange(ones.min() + ones.max())

    def predict(self, profile, k):
        return (2 * profile.at(k)[:, 1].astype(int) >= self.extremes).astype(np.uint8)


class Always:
    """The same class everywhere; counts how often it predicts, and keeps what ``fit`` was given."""

    estimates = False

    def __init__(self, label=0):
        self.label, self.asked, self.trains = label, 0, []

    def fit(self, train, observed, k, n_classes):
        self.trains.append(train)
        return self

    def predict(self, profile, k):
        self.asked += 1
        return np.full(len(profile.at(k)), self.label, np.uint8)


@dataclass(frozen=True)
class Signed:
    """Class 0 everywhere; leaves a file named by its process in a folder."""

    estimates: ClassVar[bool] = False

    folder: str

    def fit(self, train, observed, k, n_classes):
        return self

    def predict(self, profile, k):
        (Path(self.folder) / str(os.getpid())).touch()
        return np.zeros(len(profile.at(k)), np.uint8)
