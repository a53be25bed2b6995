"""The files that set the project up agree with each other, and name nothing that they should not."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import knnviz

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
CONDA_NAMES = {"matplotlib": "matplotlib-base"}


def test_conda_environment_has_the_same_bounds():
    wanted = {
        re.sub(r"^[a-z-]+", lambda name: CONDA_NAMES.get(name[0], name[0]), bound) for bound in PROJECT["dependencies"]
    }
    lines = re.findall(r"^  - (.+)$", (ROOT / "environment.yml").read_text(), re.MULTILINE)
    assert {line for line in lines if not line.startswith(("python=", "conda-forge"))} == wanted


def test_version_is_said_once():
    assert knnviz.__version__ == PROJECT["version"]


def test_the_lock_holds_every_dependency_with_hashes_and_no_address():
    lock = (ROOT / "requirements.lock").read_text()
    locked = set(re.findall(r"^([a-z0-9._-]+)==", lock, re.MULTILINE))
    names = {
        re.match(r"[a-z-]+", bound)[0] for bound in PROJECT["dependencies"] + PROJECT["optional-dependencies"]["dev"]
    }
    assert names <= locked
    assert lock.count("--hash=sha256:") > len(locked)
    assert "://" not in lock


def tracked():
    listing = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False).stdout.split()
    return [ROOT / name for name in listing]


@pytest.mark.skipif(not tracked(), reason="not a git checkout")
def test_no_file_names_a_package_registry_or_a_machine():
    forbidden = re.compile(
        "|".join(("py" + "pi.org", "python" + "hosted", "/ro" + "ot/", "/ho" + "me/", "/wo" + "rk/"))
    )
    for path in tracked():
        if path.suffix not in (".png",):
            assert not forbidden.search(path.read_text()), path


def test_the_library_alone_imports_no_widget_and_no_matplotlib():
    probe = "import sys, knnviz; sys.exit(any(m in sys.modules for m in ('ipywidgets', 'matplotlib', 'anywidget')))"
    assert subprocess.run([sys.executable, "-c", probe], check=False).returncode == 0
