"""Execute the notebooks and bring them into the form in which they are committed: ``make notebooks``."""

import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
KERNEL = {"name": "python3", "display_name": "Python 3", "language": "python"}


def every() -> list[Path]:
    """All notebooks, in reading order."""
    return sorted(path for path in NOTEBOOKS.rglob("*.ipynb") if ".ipynb_checkpoints" not in path.parts)


def normalized(notebook: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """The notebook without anything that changes from run to run or from machine to machine."""
    notebook.metadata = nbformat.from_dict({"kernelspec": KERNEL, "language_info": {"name": "python"}})
    for cell in notebook.cells:
        cell.metadata = nbformat.from_dict({key: cell.metadata[key] for key in ("tags",) if key in cell.metadata})
        for output in cell.get("outputs", []):
            view = output.get("data", {}).get("application/vnd.jupyter.widget-view+json")
            if view:
                view["model_id"] = "saved"
    return notebook


def executed(path: Path) -> nbformat.NotebookNode:
    """A notebook run from top to bottom in its own folder, without widget state."""
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(
        notebook, timeout=120, store_widget_state=False, resources={"metadata": {"path": str(path.parent)}}
    ).execute()
    return normalized(notebook)


def main() -> None:
    """Execute the notebooks named on the command line, or all of them."""
    for path in [Path(name) for name in sys.argv[1:]] or every():
        nbformat.write(executed(path), path)
        print(path.name)


if __name__ == "__main__":
    main()
