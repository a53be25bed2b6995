"""The environment for conda says the same as pyproject.toml, and the package index can fulfil it."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.version import Version

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
ENVIRONMENT = yaml.safe_load((ROOT / "environment.yml").read_text())

#: Packages of conda that have another name in the package index.
INDEX_NAMES = {"matplotlib-base": "matplotlib"}


def bounds():
    """What the environment asks for, Python aside, by the names of the package index."""
    lines = (line for line in ENVIRONMENT["dependencies"] if not line.startswith("python="))
    return {re.sub(r"^[a-z-]+", lambda name: INDEX_NAMES.get(name[0], name[0]), line) for line in lines}


def test_it_is_python_and_the_bounds_of_the_project():
    assert ENVIRONMENT["channels"] == ["conda-forge"]
    assert ENVIRONMENT["dependencies"][0] == "python=3.12", "Binder reads the version in no other form"
    assert bounds() == set(PROJECT["dependencies"])
    assert "3.12" in Requirement(f"python{PROJECT['requires-python']}").specifier


def resolved(requirements):
    """Versions that fulfil some requirements under Python 3.12, or what is in the way."""
    command = [Path(sys.executable).with_name("uv"), "pip", "compile", "--quiet", "--python-version", "3.12"]
    command += ["--no-python-downloads", "--no-build", "--no-header", "--no-annotate", "-"]
    result = subprocess.run(command, input="\n".join(requirements), capture_output=True, text=True, check=False)
    if "client error (Connect)" in result.stderr:
        pytest.skip("no package index answers")
    assert result.returncode == 0, result.stderr
    return {name: Version(version) for name, version in re.findall(r"^([\w.-]+)==(\S+)", result.stdout, re.MULTILINE)}


def test_the_bounds_can_be_fulfilled():
    versions = resolved(sorted(bounds()))
    for wanted in map(Requirement, bounds()):
        assert versions[wanted.name] in wanted.specifier, wanted


def test_bounds_that_nothing_fulfils_are_noticed():
    with pytest.raises(AssertionError, match="unsatisfiable"):
        resolved(sorted(bounds()) + ["numpy<1"])
