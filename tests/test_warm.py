"""``python -m knnviz warm`` leaves nothing for a compiler to do when a lab is used, nor at a
session of Binder.
"""

import os
import shutil
import subprocess
import sys
import sysconfig

import pytest
from test_setup import ROOT

#: Every lab at each of its presets and at each option of its menus, on few cells.
USE = """
from small import QUICK, STARTS
from knnviz.labs import NeighborLab
for kind, start in STARTS.items():
    lab, quick = kind(**start), QUICK.get(kind, {})
    for preset in lab.presets:
        lab.reset().show_preset(preset.name).set(**quick).picture
    menus = [name for name, parameter in lab.parameters.items() if parameter.kind == "menu"]
    for name in menus:
        for option in lab.reset().setting.ends[name]:
            lab.reset().set(**{name: option}).picture
NeighborLab(**STARTS[NeighborLab], problem="wave2d", overlay="advantage", p0=0.1, p1=0.2).picture
"""

#: How many kernels ``warm`` compiles, and which of those that labs use it leaves out.
COMPARE = f"""
import importlib, pkgutil
from knnviz import kernels
from knnviz.warm import warm

def compiled():
    names = [each.name for each in pkgutil.iter_modules(kernels.__path__)]
    modules = [importlib.import_module(f"knnviz.kernels.{{name}}") for name in names]
    found = [(name, each) for module in modules for name, each in vars(module).items()]
    jitted = [(name, each) for name, each in found if hasattr(each, "nopython_signatures")]
    return {{(name, str(one)) for name, each in jitted for one in each.nopython_signatures}}

warm()
warmed = compiled()

{USE}
print(len(warmed), compiled() - warmed)
"""


def test_warm_compiles_all_that_labs_use():
    variables = os.environ | {"PYTHONPATH": str(ROOT / "tests")}
    command = [sys.executable, "-c", COMPARE]
    told = subprocess.check_output(command, cwd=ROOT, env=variables, encoding="utf-8")
    count, left_out = told.split(" ", 1)
    assert int(count) >= 30
    assert left_out == "set()\n"


@pytest.fixture(scope="module")
def image(tmp_path_factory):
    """A copy of the project in an environment that postBuild has put it into, and the variables to
    find both.
    """
    home = tmp_path_factory.mktemp("image")
    project = home / "project"
    caches = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "knnviz", project / "knnviz", ignore=caches)
    for name in ("pyproject.toml", "README.md", "LICENSE", "postBuild", "start"):
        shutil.copy(ROOT / name, project)

    environment = home / "environment"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", environment], check=True)
    site = next(environment.glob("lib/*/site-packages"))
    (site / "dependencies.pth").write_text(sysconfig.get_path("purelib"), "utf-8")
    pip = environment / "bin/pip"
    pip.write_text('#!/bin/sh\nexec python -m pip "$@"\n', "utf-8")
    pip.chmod(0o755)

    dropped = ("NUMBA_", "PYTHON")
    variables = {key: value for key, value in os.environ.items() if not key.startswith(dropped)}
    variables["PATH"] = f"{environment / 'bin'}{os.pathsep}{os.environ['PATH']}"
    # No network: setuptools comes from the environment that the tests run in. pip reads "no" as "no
    # isolation".
    variables |= {"PIP_NO_INDEX": "1", "PIP_NO_BUILD_ISOLATION": "no"}
    subprocess.run(["./postBuild"], cwd=project, env=variables, check=True)
    return project, variables


@pytest.mark.full
def test_a_session_finds_the_library_and_every_kernel_compiled(image, tmp_path):
    """Far from the project, and while labs are used."""
    project, variables = image

    def session(code):
        command = [project / "start", "python", "-c", code]
        given = variables | {"PYTHONPATH": str(ROOT / "tests")}
        return subprocess.check_output(command, cwd=tmp_path, env=given, encoding="utf-8")

    def compiled():
        return {path: path.stat().st_mtime_ns for path in project.rglob("*.nb[ci]")}

    built = compiled()
    assert sum(path.suffix == ".nbc" for path in built) >= 15

    place = session("import knnviz; print(knnviz.__file__)")
    assert place == f"{project / 'knnviz/__init__.py'}\n"
    features = session("from numba import config; print(repr(config.CPU_FEATURES))")
    assert features == "''\n"

    session("from knnviz.warm import warm; warm()")
    session(USE)
    assert compiled() == built
