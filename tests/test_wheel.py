"""The release: a wheel in an empty environment opens a lab and passes scikit-learn's checks."""

import pickle
import subprocess
import sys
import zipfile
from importlib import metadata
from pathlib import Path

import pytest
from estimators.test_every_estimator import CHECKED

ROOT = Path(__file__).parents[1]

#: What runs outside of the repository, in the environment of the wheel.
USED = """
import pickle
from pathlib import Path

import knnviz, knnviz_papers
from knnviz.labs import NeighborLab
from knnviz.lessons import load, published
from sklearn.utils.estimator_checks import check_estimator

assert "site-packages" in knnviz.__file__ and "site-packages" in knnviz_papers.__file__
lab = NeighborLab(n=200, k=9)
assert lab.widget.frames.whole()["layers"]
assert "knnviz.take" in lab.record({"k": [1, 9]}).page()
for estimator in pickle.loads(Path("estimators").read_bytes()):
    check_estimator(estimator)
assert load("looseness").results and published("khim")
print(knnviz.__version__, round(lab.readout()["risk"], 4))
"""

pytestmark = pytest.mark.full


def test_a_wheel_works_in_an_empty_environment(tmp_path):
    def run(*command):
        return subprocess.check_output(command, cwd=tmp_path, encoding="utf-8")

    run(sys.executable, "-m", "build", "--outdir", tmp_path, ROOT)
    [wheel] = tmp_path.glob("*.whl")
    [_] = tmp_path.glob("*.tar.gz")

    names = zipfile.ZipFile(wheel).namelist()
    tracked = run("git", "-C", ROOT, "ls-files", "knnviz", "knnviz_papers").split()
    assert set(tracked) <= set(names), "the wheel has every file of the library"
    assert not [name for name in names if not name.startswith("knnviz")]

    run(sys.executable, "-m", "venv", "empty")
    python = tmp_path / "empty" / "bin" / "python"
    run(python, "-I", "-m", "pip", "install", "--quiet", "--no-compile", wheel)
    (tmp_path / "estimators").write_bytes(pickle.dumps(CHECKED))
    version, risk = run(python, "-I", "-c", USED).split()
    assert version == metadata.version("knnviz")
    assert 0.29 < float(risk) < 0.5
