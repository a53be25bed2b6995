"""The README's moving picture has a frame for each position of its slider."""

from animation import STEPS, TARGET
from PIL import Image


def test_frames():
    with Image.open(TARGET) as picture:
        assert picture.n_frames == len(STEPS)
        assert picture.size == (920, 543)
    assert TARGET.stat().st_size < 700_000
