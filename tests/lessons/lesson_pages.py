"""What the tests of several lessons read from their notebooks."""

import nbformat
from test_setup import ROOT

from knnviz import labs, problems
from knnviz.lessons import load


class Page:
    """A committed notebook: its cells, the tables that they show, and the labs that they open."""

    def __init__(self, name):
        self.cells = {cell.id: cell for cell in nbformat.read(ROOT / "notebooks" / name, as_version=4).cells}
        self.labs, self.starts = {}, {}

    def shown(self, name):
        """The tables that a cell shows: for each, its rows by name, entries as text."""
        texts = [output.data["text/markdown"] for output in self.cells[name].outputs if "data" in output]
        tables = [text.split("\n\n")[1].splitlines()[2:] for text in texts if text.startswith("**")]
        return [dict(split(row) for row in rows) for rows in tables]

    def lab(self, name, **moved):
        """What the lab of a cell reads out, and the lab, after some of its controls have moved; curves are short."""
        key = name, *sorted(moved.items())
        if key not in self.labs:
            names = {each: getattr(module, each) for module in (labs, problems) for each in module.__all__}
            found = eval(self.cells[name].source, names)
            if "curve" in found.parameters:
                found.set(curve="off" if "off" in found.ends(found.values)["curve"] else "this sample")
            found.set(**moved)
            self.labs[key] = found.readout(), found
        return self.labs[key]

    def opened(self, name):
        """The lab of a cell, the same at each call, and the values that it opens with; risk curves are off."""
        lab = self.lab(name)[1]
        return lab, self.starts.setdefault(name, lab.values)

    def read(self, name, **moved):
        """What that lab reads out after some of its controls have moved, from where it opens."""
        found, values = self.opened(name)
        return found.set(**values).set(**moved).readout()


def split(row):
    """Name and entries of a row."""
    name, *entries = (each.strip() for each in row.strip("|").split("|"))
    return name, entries


def stored(name, table):
    """Rows of a full run."""
    return load(name).results[table]
