"""``python -m knnviz warm`` leaves nothing for a compiler to do when a lab is used."""

import os
import subprocess
import sys

USE = """
from knnviz.labs import NeighborLab, RatesLab, WeightLab
for preset in NeighborLab.presets:
    NeighborLab(n=100).set(**preset.values, **({} if "n" in preset.values else {"n": 300})).readout()
lab = NeighborLab(problem="wave2d", overlay="advantage", p0=0.1, p1=0.2, n=300, curve="over k")
lab.picture
lab.set(problem="waves", curve="over n", overlay="effective boundary").picture
lab.set(problem="breast cancer", k=9).picture
RatesLab(n=300).picture
for problem in ("waves", "three gaussians", "iris"):
    WeightLab(problem=problem, n=100, k=9).picture
"""


def test_labs_find_every_kernel_compiled(tmp_path):
    def compiled_by(*command):
        subprocess.run([sys.executable, *command], check=True, env=os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)})
        return sorted(path.name for path in tmp_path.rglob("*.nbc"))

    warm = compiled_by("-m", "knnviz", "warm")
    assert len(warm) >= 15
    assert compiled_by("-c", USE) == warm
