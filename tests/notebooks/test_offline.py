"""Notebooks are run with the network off: outside nothing answers, inside everything does."""

import os
import subprocess
import sys
from pathlib import Path

OFFLINE = Path(__file__).with_name("offline")

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


def test_nothing_outside_answers():
    variables = os.environ | {"PYTHONPATH": str(OFFLINE), "https_proxy": "http://localhost:1"}
    run = subprocess.run([sys.executable, "-c", PROBE], capture_output=True, text=True, env=variables)
    assert run.stdout == f"{[True] * 5}\nTrue\n", run.stderr
