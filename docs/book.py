"""Make the book: ``make book`` puts it into build/book, to be opened from there or from any server.

Pages with labs are run once more to record these, unless that has been done with the same library.
``make book ARGS=--still`` leaves that out: the pages have the saved pictures, and are there within
half a minute. The book is for students; ``ARGS=--teacher`` adds the run sheets, with their exam
questions and all answers.
"""

import hashlib
import importlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from html import escape
from importlib.metadata import distribution
from inspect import isclass
from pathlib import Path

import nbformat
from pages import CARD, MATHJAX, page_of, pictured, text_page

from knnviz.cell_outputs import RECORDINGS, VIEW
from knnviz.labs.engine.display import COMPLETE
from knnviz.labs.engine.lab import Lab
from knnviz.labs.engine.recording import REPLAYER
from knnviz.labs.engine.widget import STYLE
from knnviz.lessons.card import CARD_STYLE, QUESTIONS_SCRIPT

HERE = Path(__file__).parent
ROOT = Path(__file__).parents[1]
INDEX = HERE / "index.md"

#: The run sheets, and their line in the list of pages.
SHEETS = HERE / "teach"
SHEETS_LISTED = "Run sheets <docs/teach/index>\n"

sys.path.insert(0, str(ROOT / "tests" / "notebooks"))

from links import about, binder, repository  # noqa: E402
from make import client, every, lessons, normalized  # noqa: E402

BOOK = ROOT / "build" / "book"
SOURCE = ROOT / "build" / "book-source"
STORED = ROOT / "build" / "book-stored"

#: The reference: by topic and package the names that readers type, in the order in which one meets
#: them; all if there are none here. They are addressed as names of knnviz itself where it has them.
TOPICS = {
    "Get data and distributions": {
        "problems": "from_data from_bags bundled breast_cancer rare_digits Dataset Problem"
        " Sample Resolution checkerboard wave2d waves gaussians bump jump plateau ramp"
        " linear rare zipf",
        "problems.answers": "archive",
    },
    "Add label noise, draw bags": {
        "noise": "LabelNoise",
        "bags": "BagProcess BagDraws read_bags",
        "learnability.matrix": "draw_bags",
    },
    "Find neighbors and vote": {
        "neighbors": "NeighborTable",
        "profiles": "VoteProfile BallProfile",
        "rules": "Vote Threshold Robust Weighted Adaptive PartialAdaptive",
    },
    "Measure risk": {
        "risk": "exact vote_labels curve one_nn_limit fitted_rate",
        "regions": "effective_boundary",
    },
    "Weight classes": {
        "weights": "confusion Thresholds WeightScorer validation_set simplex_grid grid_search"
        " SearchOptions neighbors_rule trials"
    },
    "Buy labels": {
        "active": "Scheme two_stage_sample pool_sample trial vote",
        "active.scheme": "ROUND1 FROM_P FROM_R",
    },
    "Check whether bags are enough": {
        "learnability": "process_of process_matrix every_bag cooccurrence frequency"
        " model_fractions",
        # The comment on a constant is found where it is defined.
        "learnability.examples": "EXAMPLES",
    },
    "Fit scikit-learn classifiers": {"estimators": ""},
    "Open labs": {"labs": ""},
    "Write lessons": {"lessons": ""},
    "Draw a map": {"views": "plot_map"},
    "Evaluate bounds": {
        f"bounds.{file}": ""
        for file in (
            "gao",
            "reeve_kaban",
            "khim",
            "rittler",
            "errandonea",
            "chaudhuri_dasgupta",
        )
    },
}

#: Most bytes of a page with its recordings, and of all files: a little more than there are.
MAX_PAGE = 4_500_000
MAX_BOOK = 37_000_000

#: Packages of which files go along.
BUNDLED = ("Sphinx", "pydata-sphinx-theme", "myst-nb", "django-static-mathjax")


def picture_folder() -> Path:
    """The folder of the still pictures of pages."""
    return SOURCE / "_static" / "pictures"


def main(still: bool = False, teacher: bool = False) -> int:
    """Make the book, with recorded or with still labs, for students or for their teacher; the exit
    code of Sphinx, for which a warning is an error.
    """
    shutil.rmtree(SOURCE, ignore_errors=True)
    for folder in (picture_folder(), SOURCE / "docs", STORED / "recordings"):
        folder.mkdir(parents=True, exist_ok=True)

    paths = sources()
    with ThreadPoolExecutor(2) as workers:
        notebooks = workers.map(notebook_of if still else executed, paths)
        made = dict(zip(paths, notebooks, strict=True))
    if teacher:
        write_sheets()
    else:
        for cell in made[INDEX].cells:
            cell.source = cell.source.replace(SHEETS_LISTED, "")
    write_pages(made)
    write_reference()
    write_static(made.values())

    shutil.rmtree(BOOK, ignore_errors=True)
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-j", "2"]
    command += ["-c", HERE, "-D", f"html_static_path={SOURCE / '_static'}"]
    command += ["-d", STORED / "doctrees", SOURCE, BOOK]
    code = subprocess.run(command).returncode
    # Maps of the theme's scripts and styles, 3.5 MB, serve those who change these.
    for unused in BOOK.rglob("*.map"):
        unused.unlink()
    return code or weighed()


def weighed() -> int:
    """Print the size of each page that has recordings, with them, and of the book; 1 if one is too
    large.
    """
    largest = 0
    for page in sorted(BOOK.rglob("*.html")):
        recordings = set(re.findall(r'data-source="([^"]+)"', page.read_text("utf-8")))
        if recordings:
            files = [page, *[BOOK / "_static" / name for name in recordings]]
            size = sum(file.stat().st_size for file in files)
            largest = max(largest, size)
            print(f"{size / 1e6:6.2f} MB  {page.relative_to(BOOK)}")
    whole = sum(file.stat().st_size for file in BOOK.rglob("*") if file.is_file())
    print(f"{whole / 1e6:6.2f} MB  the book")
    if largest > MAX_PAGE or whole > MAX_BOOK:
        print(f"a page may have {MAX_PAGE / 1e6} MB, the book {MAX_BOOK / 1e6} MB")
        return 1
    return 0


def sources() -> list[Path]:
    """The gallery, which takes longest, the notebooks, lessons first, and the first page."""
    lessons_first = sorted(every(), key=lambda path: path not in lessons())
    return [HERE / "gallery.md", *lessons_first, INDEX]


def executed(path: Path) -> nbformat.NotebookNode:
    """A notebook, run again if it shows anything live and has changed since the last time."""
    notebook = notebook_of(path)
    if path.suffix == ".ipynb" and not is_live(notebook):
        return notebook
    shown = f"{library_digest()}{[cell.source for cell in notebook.cells]}"
    key = hashlib.sha256(shown.encode()).hexdigest()[:16]
    stored = STORED / f"{path.stem}-{key}.ipynb"
    if not stored.exists():
        environment = os.environ | {COMPLETE: "1", RECORDINGS: str(STORED / "recordings")}
        run = client(notebook, path.parent if path.suffix == ".ipynb" else ROOT)
        # Some labs are recorded for longer than a cell of a lesson may take.
        run.timeout = None
        run.execute(env=environment)
        nbformat.write(normalized(notebook), stored)
        print(path.name, flush=True)
    return nbformat.read(stored, as_version=4)


@cache
def library_digest() -> str:
    """A hash of all of the library's Python code, and of the texts of lessons."""
    digest = hashlib.sha256()
    library = ROOT / "knnviz"
    for path in sorted([*library.rglob("*.py"), *library.rglob("*.toml")]):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def is_live(notebook: nbformat.NotebookNode) -> bool:
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    return any(VIEW in output.get("data", {}) for output in outputs)


def notebook_of(path: Path) -> nbformat.NotebookNode:
    """A notebook, or a Markdown page as one, its blocks of Python as cells."""
    if path.suffix == ".ipynb":
        return nbformat.read(path, as_version=4)
    new = nbformat.v4
    text = first_page() if path == INDEX else path.read_text("utf-8")
    parts = re.split(r"^```python\n(.*?)^```\n", text, flags=re.M | re.S)
    cells = []
    for at, part in enumerate(parts):
        made = new.new_code_cell if at % 2 else new.new_markdown_cell
        cells.append(made(part.strip()))
    if path == INDEX:
        for cell in cells:
            cell.metadata["jupyter"] = {"source_hidden": True}
    return normalized(new.new_notebook(cells=cells))


def first_page() -> str:
    """The first page, with a card and an entry in the list of pages for each lesson."""
    cards = []
    entries = []
    for path in lessons():
        lesson = {"name": path.stem, **about(path)}
        short, *_ = lesson["title"].split(":")
        entries.append(f"{path.stem:.2} {short} <notebooks/{path.stem}>")

        outputs = notebook_of(path).cells[1].outputs
        (opening,) = [each for each in outputs if "image/png" in each.data]
        as_text = {key: escape(each) for key, each in lesson.items()}
        cards.append(CARD.format(picture=pictured(opening, picture_folder(), ""), **as_text))
    text = INDEX.read_text("utf-8").replace("CARDS", "\n".join(cards))
    return text.replace("LESSONS", "\n".join(entries))


def write_pages(pages: dict[Path, nbformat.NotebookNode]) -> None:
    """Notebooks and pages of text, in the folders in which they stand, so that links between them
    hold.
    """
    for path, notebook in pages.items():
        place = path.relative_to(HERE if path == INDEX else ROOT)
        target = (SOURCE / place).with_suffix(".ipynb")
        target.parent.mkdir(parents=True, exist_ok=True)
        up = "../" * (len(place.parts) - 1)
        note = {}
        if path.suffix == ".ipynb":
            name = path.relative_to(ROOT / "notebooks").as_posix()
            note = {"file": os.path.relpath(path, SOURCE), "binder": binder(name, repository())}
        nbformat.write(page_of(notebook, picture_folder(), up, **note), target)

    for path in HERE.glob("*.md"):
        if path not in pages:
            write_text_page(path)


def write_text_page(path: Path) -> None:
    target = SOURCE / path.relative_to(ROOT)
    target.write_text(text_page(path.read_text("utf-8")), "utf-8")


def write_sheets() -> None:
    """The run sheets, and a page that lists them."""
    target = SOURCE / "docs" / "teach"
    target.mkdir()
    for path in SHEETS.glob("*.md"):
        write_text_page(path)
    with (target / "index.md").open("a", encoding="utf-8") as index:
        index.write("\n```{toctree}\n:hidden:\n:glob:\n\n0*\n```\n")


def write_reference() -> None:
    """A page for each topic, and one that lists them."""
    (SOURCE / "api").mkdir()
    index = ["Reference", "=========", "", ".. toctree::", "   :maxdepth: 1", ""]
    for topic, packages in TOPICS.items():
        page = "-".join(re.findall(r"\w+", topic.lower()))
        index.append(f"   {page}")
        lines = [topic, "=" * len(topic), ""]
        for package, names in packages.items():
            if len(packages) > 1:
                title = f"knnviz.{package}"
                lines += [title, "-" * len(title), ""]
            lines += reference(package, names)
        (SOURCE / "api" / f"{page}.rst").write_text("\n".join(lines), "utf-8")
    (SOURCE / "api" / "index.rst").write_text("\n".join(index), "utf-8")


def reference(package: str, names: str) -> list[str]:
    """What a package is about, a sentence on each name, and all about each, in reStructuredText."""
    module = importlib.import_module(f"knnviz.{package}")
    library = importlib.import_module("knnviz")
    own = []
    for name, each in vars(module).items():
        is_public = name[0] != "_" and callable(each)
        if is_public and getattr(each, "__module__", "") == module.__name__:
            own.append(name)

    # Addresses below are absolute: without this they would be looked up in the module that
    # ``automodule`` has set.
    table = [".. currentmodule:: None", "", ".. autosummary::", "   :nosignatures:", ""]
    entries = []
    for name in names.split() or getattr(module, "__all__", own):
        thing = getattr(module, name)
        in_library = getattr(library, name, None) is thing
        address = f"knnviz.{name}" if in_library else f"{module.__name__}.{name}"
        table.append(f"   ~{address}")

        parameters = parameter_list(thing)
        option = ""
        if isclass(thing):
            kind = "class"
            if not parameters:
                option = "   :members:"
        elif callable(thing):
            kind = "function"
        else:
            kind = "data"
            option = "   :no-value:"
        entries += [f".. auto{kind}:: {address}", option, "", *parameters, ""]
    return [f".. automodule:: {module.__name__}", "", *table, "", *entries]


def parameter_list(thing: object) -> list[str]:
    """The parameters of a lab: what they mean, the values that they take, and the one that they
    begin with.
    """
    if not (isclass(thing) and issubclass(thing, Lab)):
        return []
    lines = []
    for each in thing.parameters.values():
        if each.kind == "menu":
            values = ", ".join(each.ends)
        else:
            values = f"{each.ends[0]} to {each.ends[1]}"
        lines.append(f"   * ``{each.name}={each.default!r}``: {each.tip} ({values})")
    return lines


def write_static(pages: Iterable[nbformat.NotebookNode]) -> None:
    """Scripts, styles, the recordings that pages show, and the licenses of what comes from
    elsewhere.
    """
    static = SOURCE / "_static"
    script = REPLAYER + QUESTIONS_SCRIPT + (HERE / "book.js").read_text("utf-8")
    (static / "knnviz.js").write_text(script, "utf-8")
    style = STYLE + CARD_STYLE + (HERE / "book.css").read_text("utf-8")
    (static / "knnviz.css").write_text(style, "utf-8")

    (static / "recordings").mkdir()
    text = "".join(map(nbformat.writes, pages))
    for name in set(re.findall(r"recordings/([\w-]+\.js)", text)):
        shutil.copy(STORED / "recordings" / name, static / "recordings")

    # The icons of the theme are a script of 1.5 MB: in its place an empty one, and letters in
    # book.css.
    (static / "scripts").mkdir()
    (static / "scripts" / "fontawesome.js").touch()
    shutil.copy(MATHJAX, static)

    (static / "licenses").mkdir()
    for name in BUNDLED:
        for file in distribution(name).files:
            if file.name.startswith("LICENSE") and "dist-info" in file.parts[0]:
                shutil.copy(file.locate(), static / "licenses" / f"{name}.txt")


if __name__ == "__main__":
    sys.exit(main(still="--still" in sys.argv, teacher="--teacher" in sys.argv))
