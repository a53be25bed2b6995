"""The environment for conda says the same as pyproject.toml, and the package index can fulfil it."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from test_setup import PROJECT, ROOT

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


def test_the_bounds_can_be_fulfilled():
    command = [Path(sys.executable).with_name("uv"), "pip", "compile", "--quiet", "--python-version", "3.12"]
    command += ["--no-python-downloads", "--no-build", "--no-header", "--no-annotate", "-"]
    answer = subprocess.run(command, input="\n".join(sorted(bounds())), capture_output=True, text=True, check=False)
    assert "No solution found" not in answer.stderr, answer.stderr
    if answer.returncode:
        pytest.skip(f"the package index does not answer: {' '.join(answer.stderr.split())}")
    versions = dict(re.findall(r"^([\w.-]+)==(\S+)", answer.stdout, re.MULTILINE))
    for wanted in map(Requirement, bounds()):
        assert versions[wanted.name] in wanted.specifier, wanted
