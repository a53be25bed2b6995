"""Execute the notebooks and bring them into the form that is committed: ``make notebooks``."""

import json
import os
import re
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

from knnviz.labs.engine.display import COMPLETE

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
KERNEL = {"name": "python3", "display_name": "Python 3", "language": "python"}

#: What all notebooks have in their metadata: the kernel, and that formulas in outputs are read as
#: those in the text are where someone puts the notebook into a book of their own.
METADATA = {
    "kernelspec": KERNEL,
    "language_info": {"name": "python"},
    "mystnb": {"render_markdown_format": "myst"},
}

#: What differs from run to run or from machine to machine, by what it is called.
PASSING = {
    "an absolute path": re.compile(
        r"(?<![\w.:/])/(?:home|root|tmp|usr|opt|work|var|mnt|srv|Users|private|content)/"
        r"|\b[A-Z]:\\\\|site-packages"
    ),
    "a patch version of Python": re.compile(r"\bPython[ /]?3\.\d+\.\d+|\b3\.\d+\.\d+ \(main"),
    "an address in memory": re.compile(r"\bat 0x[0-9a-f]{6,}"),
}


def every():
    """All notebooks, in reading order: lessons, close readings, the glossary."""
    paths = sorted(NOTEBOOKS.rglob("*.ipynb"))
    return [path for path in paths if ".ipynb_checkpoints" not in path.parts]


def lessons():
    """The notebooks that are read one after the other: their names begin with a number."""
    return [path for path in every() if path.parent == NOTEBOOKS and path.name[0].isdigit()]


def close_readings():
    """The notebooks that take a paper apart, in a folder of their own, to be read at any time."""
    return [path for path in every() if path.parent != NOTEBOOKS]


def normalized(notebook):
    """The notebook without metadata that change from run to run or from machine to machine."""
    notebook.metadata = nbformat.from_dict(METADATA)
    for cell in notebook.cells:
        cell.metadata = nbformat.from_dict(lasting(cell.metadata))
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            view = data.get("application/vnd.jupyter.widget-view+json")
            if view:
                view["model_id"] = "saved"
    return notebook


def lasting(metadata):
    """Of a cell's metadata its tags, and whether its code is folded away."""
    kept = {}
    if "tags" in metadata:
        kept["tags"] = metadata["tags"]
    if metadata.get("jupyter", {}).get("source_hidden") is True:
        kept["jupyter"] = {"source_hidden": True}
    return kept


def flaws(notebook):
    """What no normal form can mend, a sentence each: its cause is in the code of a cell."""
    for cell in notebook.cells:
        if re.fullmatch(r"[0-9a-f]{8}(-[0-9a-f-]+)?", cell.id):
            yield f"cell {cell.id} needs a name that stays"

        outputs = cell.get("outputs", [])
        for output in outputs:
            if output.output_type == "error" or output.get("name") == "stderr":
                yield f"cell {cell.id} shows {output.get('name', 'an error')}"

        texts = [cell.source, *map(without_pictures, outputs)]
        written = json.dumps(texts, ensure_ascii=False)
        for what, pattern in PASSING.items():
            if pattern.search(written):
                yield f"cell {cell.id} holds {what}"


def without_pictures(output):
    """An output as far as it is text."""
    data = output.get("data", {})
    texts = {kind: data[kind] for kind in data if not kind.startswith("image/png")}
    return {**output, "data": texts}


def client(notebook, folder):
    """What runs a notebook in a folder; it keeps no state of widgets, and text in pieces as one."""
    look = {"store_widget_state": False, "coalesce_streams": True}
    resources = {"metadata": {"path": str(folder)}}
    return NotebookClient(notebook, timeout=120, resources=resources, **look)


def executed(path):
    """A notebook run from top to bottom in its own folder, its pictures complete; ValueError if it
    has flaws.
    """
    notebook = nbformat.read(path, as_version=4)
    client(notebook, path.parent).execute(env=os.environ | {COMPLETE: "1"})
    found = list(flaws(normalized(notebook)))
    if found:
        raise ValueError(f"{path.name}: {'; '.join(found)}")
    return notebook


def main():
    """Execute the notebooks named on the command line, or all of them."""
    named = [Path(name) for name in sys.argv[1:]]
    for path in named or every():
        nbformat.write(executed(path), path)
        print(path.name)


if __name__ == "__main__":
    main()
