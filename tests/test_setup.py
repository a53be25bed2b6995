"""The files that set the project up agree with each other, and name nothing that they should not."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def test_the_lock_holds_every_dependency_with_hashes_and_no_address():
    lock = (ROOT / "requirements.lock").read_text()
    locked = set(re.findall(r"^([a-z0-9._-]+)==", lock, re.MULTILINE))
    bounds = PROJECT["dependencies"] + PROJECT["optional-dependencies"]["dev"]
    assert {Requirement(bound).name for bound in bounds} <= locked
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
        if path.suffix not in (".png", ".gif", ".npz"):
            assert not forbidden.search(path.read_text()), path


#: Packages and modules of the library from the ground up: each imports only from those on floors below.
FLOORS = [
    ["kernels", "checks", "threads", "outputs"],
    ["neighbors", "problems", "bags", "repeats"],
    ["profiles", "noise"],
    ["rules", "regions", "weights", "bounds"],
    ["risk", "learnability", "active", "views"],
    ["estimators", "lessons", "warm"],
    ["labs"],
    ["classroom"],
]


def test_an_import_only_points_down():
    height = {package: floor for floor, packages in enumerate(FLOORS) for package in packages}
    library = ROOT / "knnviz"
    for path in library.rglob("*.py"):
        package = path.relative_to(library).parts[0].removesuffix(".py")
        if package.startswith("__"):
            continue
        for line in path.read_text().splitlines():
            assert not re.match(r"\s*(from|import) knnviz_papers", line), f"{path}: {line}"
            found = re.match(r"\s*from knnviz(?:\.(\w+))?\S* import (.+)", line)
            names = [] if not found else [found[1]] if found[1] else re.findall(r"\w+", found[2])
            for name in names:
                assert name == package or height[name] < height[package], f"{path}: {line}"


@pytest.mark.parametrize(
    ("name", "packages"),
    [("matplotlib", {"views", "lessons"}), ("anywidget", {"labs", "lessons"}), ("ipywidgets", {"labs"})],
)
def test_matplotlib_and_widgets_are_imported_where_they_belong(name, packages):
    for path in (ROOT / "knnviz").rglob("*.py"):
        package = path.relative_to(ROOT / "knnviz").parts[0].removesuffix(".py")
        used = re.search(rf"^(import|from) {name}", path.read_text(), re.MULTILINE)
        assert not used or package in packages, path


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
    """Linux with every Python that the project allows, macOS, and on Windows the README's lines up to the opening."""
    jobs = yaml.safe_load((ROOT / ".github" / "workflows" / "ci.yml").read_text())["jobs"]
    machines = jobs["make"]["strategy"]["matrix"]["include"]
    allowed = SpecifierSet(PROJECT["requires-python"])
    every = [f"3.{minor}" for minor in range(30) if f"3.{minor}" in allowed]
    assert [each["python"] for each in machines if each["os"].startswith("ubuntu")] == every
    assert jobs["make"]["steps"][-1]["run"].split()[:2] == ["make", "test"]
    block = re.search(r"```\n(py -.*?)```", (ROOT / "README.md").read_text(), re.DOTALL).group(1).splitlines()
    steps = [step["run"] for step in jobs["windows"]["steps"] if "run" in step]
    assert steps[:-1] == block[:-1]


def test_an_update_keeps_notebooks_that_were_run(tmp_path):
    def run(command, cwd):
        subprocess.run(command, shell=True, check=True, cwd=cwd, capture_output=True)

    def write(text, folder, message):
        (folder / "notebooks" / "a.ipynb").write_text(text)
        run(
            f"git add -A && git -c user.name=a -c user.email=a@b commit -qm {message} && git push -q origin HEAD",
            folder,
        )

    run("git init -q --bare origin && git clone -q origin author && mkdir author/notebooks", tmp_path)
    author, reader = tmp_path / "author", tmp_path / "reader"
    run(f"cp {ROOT}/Makefile {ROOT}/.gitignore {author}", tmp_path)
    write("first", author, "first")
    run("git clone -q origin reader", tmp_path)
    (reader / "notebooks" / "a.ipynb").write_text("mine")
    write("second", author, "second")
    run("make update", reader)
    assert (reader / "notebooks" / "a.ipynb").read_text() == "second"
    assert [path.read_text() for path in reader.glob("my-notebooks/*/notebooks/a.ipynb")] == ["mine"]
