"""What Binder runs: ``postBuild`` once for an image, ``start`` at each session."""

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SCRIPTS = ("postBuild", "start")
CAPS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS", "LOKY_MAX_CPU_COUNT")


@pytest.mark.parametrize("name", SCRIPTS)
def test_scripts_can_be_run(name):
    assert (ROOT / name).stat().st_mode & 0o111 == 0o111
    subprocess.run(["bash", "-n", ROOT / name], check=True)


@pytest.mark.parametrize("folder", ["binder", ".binder"])
def test_nothing_hides_the_files_at_the_root(folder):
    assert not (ROOT / folder).exists(), "Binder then ignores environment.yml, postBuild and start"


def test_both_compile_for_the_same_processor():
    names = [re.search(r"NUMBA_CPU_NAME=(\S+)", (ROOT / name).read_text())[1] for name in SCRIPTS]
    assert names[0] == names[1]


def test_start_becomes_the_command_it_is_given():
    probe = "import json, os, sys; print(json.dumps([os.getpid(), sys.argv[1:], dict(os.environ)])); sys.exit(7)"
    words = ["two words", "*", "$HOME"]
    with subprocess.Popen(
        [ROOT / "start", sys.executable, "-c", probe, *words],
        env=os.environ | {"OMP_NUM_THREADS": "64", "KEPT": "a b"},
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        pid, arguments, environment = json.loads(process.communicate()[0])
    assert process.returncode == 7
    assert pid == process.pid, "a shell that stays in between would swallow signals"
    assert arguments == words
    assert environment["KEPT"] == "a b"
    assert [environment[cap] for cap in CAPS] == ["1"] * len(CAPS)


def script(path, line):
    path.write_text(f"#!/bin/sh\n{line}\n")
    path.chmod(0o755)


@pytest.fixture(scope="module")
def image(tmp_path_factory):
    """A copy of the project in an environment without it, and the variables under which commands find both."""
    home = tmp_path_factory.mktemp("image")
    project, environment = home / "project", home / "environment"
    shutil.copytree(ROOT / "knnviz", project / "knnviz", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE", *SCRIPTS):
        shutil.copy(ROOT / name, project)
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", environment], check=True)
    site = next(environment.glob("lib/*/site-packages"))
    (site / "dependencies.pth").write_text(sysconfig.get_path("purelib"))
    script(environment / "bin/pip", 'exec python -m pip "$@"')
    mine = {key: value for key, value in os.environ.items() if not key.startswith(("NUMBA_", "PYTHON"))}
    # No network: setuptools comes from the environment that the tests run in. pip reads "no" as "no isolation".
    offline = {"PIP_NO_INDEX": "1", "PIP_NO_BUILD_ISOLATION": "no"}
    return project, mine | offline | {"PATH": f"{environment / 'bin'}{os.pathsep}{os.environ['PATH']}"}


def test_a_session_finds_the_library_and_every_kernel_compiled(image, tmp_path):
    project, variables = image
    subprocess.run(["./postBuild"], cwd=project, env=variables, check=True)

    def cache():
        return {path: path.stat().st_mtime_ns for path in project.rglob("*.nb[ci]")}

    def session(*command):
        result = subprocess.run(
            [project / "start", *command], cwd=tmp_path, env=variables, check=True, capture_output=True, text=True
        )
        return result.stdout.strip()

    built = cache()
    assert sum(path.suffix == ".nbc" for path in built) >= 15
    assert session("python", "-c", "import knnviz; print(knnviz.__file__)") == str(project / "knnviz/__init__.py")
    assert session("python", "-c", "from numba import config; print(repr(config.CPU_FEATURES))") == "''"
    session("python", "-m", "knnviz", "warm")
    assert cache() == built


def test_a_failing_step_of_post_build_fails_the_build(image, tmp_path):
    project, variables = image
    script(tmp_path / "pip", 'echo "$@"; exit 3')
    variables = variables | {"PATH": f"{tmp_path}{os.pathsep}{variables['PATH']}"}
    result = subprocess.run(["./postBuild"], cwd=project, env=variables, check=False, capture_output=True, text=True)
    assert result.returncode == 3
    assert result.stdout.split() == ["install", "--no-deps", "-e", "."], "what conda has solved stays as it is"
