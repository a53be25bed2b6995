"""Every notebook runs with the network off."""

import os
import textwrap

import nbformat
import pytest
from make import NOTEBOOKS, client, every
from nbclient.exceptions import CellExecutionError

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


def run(notebook, folder, variables):
    """Run a notebook behind the probe; an error in a cell is raised."""
    notebook.cells.insert(0, nbformat.v4.new_code_cell(textwrap.dedent(PROBE), id="probe"))
    client(notebook, folder).execute(env=variables)
    proof = "".join(output.text for output in notebook.cells[0].outputs)
    assert proof == f"{[True] * 5}\nTrue\n"


@pytest.mark.parametrize("path", every(), ids=lambda path: str(path.relative_to(NOTEBOOKS)))
def test_runs_with_the_network_off(path, variables):
    notebook = nbformat.read(path, as_version=4)
    run(notebook, path.parent, variables)
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert not [output for output in outputs if output.output_type == "error" or output.get("name") == "stderr"]


def test_a_notebook_that_asks_the_network_is_noticed(tmp_path, variables):
    asks = nbformat.v4.new_code_cell("import urllib.request\nurllib.request.urlopen('http://example.org')", id="asks")
    with pytest.raises(CellExecutionError) as caught:
        run(nbformat.v4.new_notebook(cells=[asks]), tmp_path, variables)
    assert caught.value.ename == "URLError"
    assert "the network is off" in caught.value.evalue
