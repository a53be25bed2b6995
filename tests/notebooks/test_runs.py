"""Every notebook runs with the network off, and each way to answer its exercises is told apart; it is run once."""

import os
import re
import textwrap
from contextlib import contextmanager
from functools import cached_property

import nbformat
import pytest
from make import NOTEBOOKS, client, every
from nbclient.exceptions import CellExecutionError
from test_lessons import ASKED

from knnviz.lessons import book

#: Run by every Python that starts: sockets and look-ups reach this machine only. An audit hook cannot be taken back.
BLOCK = """
    import ipaddress
    import sys

    WATCHED = {
        "socket.connect": 1,
        "socket.sendto": 1,
        "socket.sendmsg": 1,
        "socket.getaddrinfo": 0,
        "socket.gethostbyname": 0,
        "socket.gethostbyaddr": 0,
    }


    def inside(place):
        host = place[0] if isinstance(place, tuple) else place
        if place is None or host in (None, "", "localhost", b"localhost"):
            return True
        if isinstance(place, str) and place.startswith(("/", "\\0")):
            return True  # a socket in the file system
        try:
            return ipaddress.ip_address(host.decode() if isinstance(host, bytes) else host).is_loopback
        except ValueError:
            return False


    def refuse(event, arguments):
        if event in WATCHED and not inside(arguments[WATCHED[event]]):
            raise PermissionError(f"the network is off: {event} to {arguments[WATCHED[event]]}")


    sys.addaudithook(refuse)
"""

#: Comes before a notebook's own cells: outside nothing answers, inside everything does.
PROBE = """
    import socket, subprocess, sys
    LOOKUP = "import socket; socket.getaddrinfo('example.org', 443)"

    def refused(act):
        try:
            act()
        except OSError as error:
            return "the network is off" in str(error)
        return False

    with socket.socket() as out, socket.socket(type=socket.SOCK_DGRAM) as thrown, socket.socket() as here:
        out.settimeout(1)
        here.bind(("localhost", 0))
        here.listen()
        socket.create_connection(here.getsockname()).close()
        tried = [
            lambda: exec(LOOKUP),
            lambda: socket.gethostbyname("example.org"),
            lambda: out.connect(("192.0.2.1", 443)),
            lambda: out.connect_ex(("192.0.2.1", 443)),
            lambda: thrown.sendto(b"", ("192.0.2.1", 53)),
        ]
        print([refused(act) for act in tried])
    child = subprocess.run([sys.executable, "-c", LOOKUP], capture_output=True, text=True)
    print("the network is off" in child.stderr)
"""


@pytest.fixture(scope="module")
def variables(tmp_path_factory):
    """An environment in which each Python starts with the network off."""
    folder = tmp_path_factory.mktemp("block")
    (folder / "sitecustomize.py").write_text(textwrap.dedent(BLOCK))
    # A proxy on this machine would be a way out.
    kept = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
    return kept | {"PYTHONPATH": os.pathsep.join(filter(None, [str(folder), os.environ.get("PYTHONPATH")]))}


class Running:
    """A notebook behind the probe, in a kernel."""

    def __init__(self, notebook, folder):
        notebook.cells.insert(0, nbformat.v4.new_code_cell(textwrap.dedent(PROBE), id="probe"))
        self.notebook, self.client = notebook, client(notebook, folder)

    @cached_property
    def outputs(self):
        """What the cells show when they are run from top to bottom, once; an error in a cell is raised."""
        for index, cell in enumerate(self.notebook.cells):
            self.client.execute_cell(cell, index)
        proof = "".join(output.text for output in self.notebook.cells[0].outputs)
        assert proof == f"{[True] * 5}\nTrue\n"
        return [output for cell in self.notebook.cells for output in cell.get("outputs", [])]

    def after_all(self, code):
        """The text of what code shows that is run after all cells."""
        assert self.outputs
        extra = nbformat.v4.new_code_cell(code)
        self.notebook.cells.append(extra)
        self.client.execute_cell(extra, len(self.notebook.cells) - 1)
        return [output.data["text/plain"] for output in extra.outputs if "data" in output]


@contextmanager
def running(notebook, folder, variables):
    """A notebook in a kernel of its own."""
    running = Running(notebook, folder)
    with running.client.setup_kernel(env=variables):
        yield running


@pytest.fixture(scope="module")
def lesson(request, variables):
    """A notebook's path, and the notebook in its kernel, for all tests of it."""
    path = request.param
    with running(nbformat.read(path, as_version=4), path.parent, variables) as found:
        yield path, found


def of_each(paths):
    """The tests of a notebook come one after the other: it is run once for all."""
    return pytest.mark.parametrize("lesson", paths, indirect=True, ids=lambda path: str(path.relative_to(NOTEBOOKS)))


@of_each(every())
def test_runs_with_the_network_off(lesson):
    _, found = lesson
    assert not [output for output in found.outputs if output.output_type == "error" or output.get("name") == "stderr"]


@of_each([path for path in every() if ASKED[path]])
def test_each_way_to_answer_is_told_apart(lesson):
    """In the executed notebook: the stub is not attempted, the solution correct, a wrong idea gets its own hint."""
    path, found = lesson
    cells = {name: cell for cell in nbformat.read(path, as_version=4).cells for name in checked_in(cell)}
    for name in ASKED[path]:
        exercise, source = book.exercises()[name], cells[name].source
        stub = exercise.stub.strip()
        assert source.count(stub) == 1, f"the cell of {name} must hold its stub as the chapter's file has it"
        (saved,) = (output.data["text/plain"] for output in cells[name].outputs)
        (again,) = found.after_all(source)
        assert saved == again
        assert again.startswith(f"Exercise {name}: not attempted.")
        assert found.after_all(source.replace(stub, exercise.solution)) == [f"Exercise {name}: correct."]
        for wrong in exercise.wrong:
            (line,) = found.after_all(source.replace(stub, wrong.code))
            assert line == f"Exercise {name}: not yet. {wrong.hint}"


def checked_in(cell):
    """Names of the exercises that a cell checks."""
    return re.findall(r'\bcheck\("([^"]+)"', cell.source) if cell.cell_type == "code" else []


def test_a_notebook_that_asks_the_network_is_noticed(tmp_path, variables):
    asks = nbformat.v4.new_code_cell("import urllib.request\nurllib.request.urlopen('http://example.org')", id="asks")
    notebook = nbformat.v4.new_notebook(cells=[asks])
    with running(notebook, tmp_path, variables) as found, pytest.raises(CellExecutionError) as caught:
        _ = found.outputs
    assert caught.value.ename == "URLError"
    assert "the network is off" in caught.value.evalue
