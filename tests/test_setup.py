"""The files that set the project up agree with each other, and name nothing they should not."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

import knnviz

ROOT = Path(__file__).parents[1]
TOOLS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
PROJECT = TOOLS["project"]
BOUNDS = PROJECT["dependencies"]
EXTRA = PROJECT["optional-dependencies"]["dev"]


def locked(name):
    """Names and versions in a lock; some versions are for one Python or one system."""
    text = (ROOT / name).read_text("utf-8")
    return set(re.findall(r"^([a-z0-9._-]+)==([\w.]+)", text, re.MULTILINE))


@pytest.mark.parametrize(
    ("name", "bounds"),
    [
        ("requirements.lock", BOUNDS + TOOLS["build-system"]["requires"]),
        ("requirements-dev.lock", BOUNDS + EXTRA),
    ],
)
def test_a_lock_fulfils_every_bound_with_hashes_and_no_address(name, bounds):
    pins = locked(name)
    text = (ROOT / name).read_text("utf-8")
    for bound in map(Requirement, bounds):
        versions = [version for package, version in pins if package == bound.name]
        assert versions, bound
        assert all(version in bound.specifier for version in versions), bound
    assert text.count("--hash=sha256:") > len(pins)
    assert "://" not in text


def test_what_tests_need_moves_no_version_of_the_readers():
    assert locked("requirements.lock") < locked("requirements-dev.lock")


def test_the_environment_of_conda_has_the_bounds_of_the_project_and_what_tests_notebooks():
    environment = yaml.safe_load((ROOT / "environment.yml").read_text("utf-8"))
    python, *bounds = environment["dependencies"]
    assert python == "python=3.12", "Binder reads the version in no other form"
    assert "3.12" in SpecifierSet(PROJECT["requires-python"])

    testing = ("nbval", "pytest", "pytest-timeout")
    wanted = {*BOUNDS, *(bound for bound in EXTRA if Requirement(bound).name in testing)}
    assert {bound.replace("matplotlib-base", "matplotlib") for bound in bounds} == wanted


def test_the_citation_has_the_version_of_the_project():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert knnviz.__version__ == PROJECT["version"] == citation["version"]


def tracked():
    command = ["git", "ls-files"]
    listing = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8")
    return [ROOT / name for name in listing.stdout.split()]


@pytest.mark.skipif(not tracked(), reason="not a git checkout")
def test_no_file_names_a_package_registry_or_a_machine():
    registries = ("py" + "pi.org", "python" + "hosted")
    folders = ("/ro" + "ot/", "/ho" + "me/", "/wo" + "rk/")
    forbidden = re.compile("|".join(registries + folders))
    texts = [path for path in tracked() if path.suffix not in (".png", ".gif", ".npz")]
    found = [path for path in texts if forbidden.search(path.read_text("utf-8"))]
    assert found == []


def room(path):
    """The package or module of the library that a file belongs to."""
    return path.relative_to(ROOT / "knnviz").parts[0].removesuffix(".py")


#: Every file of the library but those of the package itself.
MODULES = [path for path in (ROOT / "knnviz").rglob("*.py") if not room(path).startswith("__")]

#: A line that imports from a package or module of the library, or such a one itself.
IMPORT = r"^\s*(from knnviz(?:\.(\w+))?\S* import (.+))"


def floors():
    """Height of each package and module above the ground, by the layout in CONTRIBUTING.md."""
    guide = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    layout = re.search(r"```\nnotebooks/.*?\n(.*?)```", guide, re.DOTALL)[1]
    heights = {}
    for height, line in enumerate(reversed(layout.splitlines())):
        names = re.split(r"\s{2,}", line)[0]
        for name in names.split(", "):
            heights[re.sub(r"/|\.py$", "", name)] = height
    return heights


def test_an_import_only_points_down():
    height = floors()
    assert {room(path) for path in MODULES} == height.keys()
    for path in MODULES:
        own = room(path)
        text = path.read_text("utf-8")
        assert not re.search("(from|import) knnviz_papers", text), path
        for line, name, names in re.findall(IMPORT, text, re.MULTILINE):
            for each in [name] if name else re.findall(r"\w+", names):
                assert each == own or height[each] < height[own], f"{path}: {line}"


@pytest.mark.parametrize(
    ("package", "names"),
    [
        ("knnviz", ("ipywidgets", "matplotlib", "anywidget", "knnviz_papers")),
        # These take a second and a hundred megabytes.
        ("knnviz.labs", ("sklearn", "pandas", "scipy.stats", "knnviz_papers")),
    ],
)
def test_an_import_loads_no_package_that_it_does_not_need(package, names):
    probe = f"import sys, {package}; sys.exit(any(m in sys.modules for m in {names}))"
    assert subprocess.run([sys.executable, "-c", probe], check=False).returncode == 0


def test_other_machines_run_the_commands_of_the_readme():
    """Linux with every Python that the project allows, macOS, and on Windows the README's lines up
    to the opening.
    """
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "ci.yml").read_text("utf-8"))
    jobs = workflow["jobs"]
    machines = jobs["make"]["strategy"]["matrix"]["include"]
    allowed = SpecifierSet(PROJECT["requires-python"])
    every = [f"3.{minor}" for minor in range(30) if f"3.{minor}" in allowed]
    on_linux = [each["python"] for each in machines if each["os"].startswith("ubuntu")]
    assert on_linux == every

    readme = (ROOT / "README.md").read_text("utf-8")
    block = re.search(r"```\n(py -.*?)```", readme, re.DOTALL)[1]
    steps = [step["run"] for step in jobs["windows"]["steps"] if "run" in step]
    assert steps[:-2] == block.splitlines()[:-1]


@pytest.mark.parametrize("inside", ["", "course/"])
def test_an_update_keeps_notebooks_that_were_run(tmp_path, inside):
    """Also where the folder lies in a repository of another course, and for names beyond ASCII."""

    def run(command, cwd=tmp_path):
        subprocess.run(command, shell=True, check=True, cwd=cwd, capture_output=True)

    def publish(text):
        (author / name).write_text(text, "utf-8")
        run("git add -A", author)
        run(f"git -c user.name=a -c user.email=a@b commit -qm {text}", author)
        run("git push -q origin HEAD", author)

    name = "notebooks/Übung über k.ipynb"
    author = tmp_path / "author" / inside
    reader = tmp_path / "reader" / inside
    run("git init -q --bare origin")
    run("git clone -q origin author")
    run(f"mkdir -p author/{inside}notebooks")
    run(f"cp {ROOT}/Makefile {ROOT}/.gitignore {author}")
    publish("first")
    run("git clone -q origin reader")
    (reader / name).write_text("mine", "utf-8")
    publish("second")
    run("make update", reader)

    assert (reader / name).read_text("utf-8") == "second"
    [kept] = reader.glob(f"my-notebooks/*/{name}")
    assert kept.read_text("utf-8") == "mine"
    assert not list(reader.glob("my-notebooks/*/.*"))


def test_settings_of_pip_do_not_reach_what_make_installs():
    """``PIP_USER=1`` ends every installation into an environment."""
    command = ["make", "--silent", "--eval", "told: ; @echo $$PIP_USER", "told"]
    variables = os.environ | {"PIP_USER": "1"}
    told = subprocess.check_output(command, env=variables, cwd=ROOT, encoding="utf-8")
    assert told.strip() == "0"
