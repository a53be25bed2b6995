"""Notebooks are run with the network off: outside nothing answers, inside everything does."""

import os
import subprocess
import sys
from pathlib import Path

PROBE = """
import socket, subprocess, sys
LOOKUP = "import socket; socket.getaddrinfo('example.org', 443)"
with socket.create_server(("localhost", 0)) as here:
    socket.create_connection(here.getsockname()).close()
with socket.socket() as out, socket.socket(type=socket.SOCK_DGRAM) as thrown:
    out.settimeout(1)
    place = "192.0.2.1", 443
    tried = [(exec, LOOKUP), (socket.gethostbyname, "example.org"), (thrown.sendto, b"", place)]
    for act, *given in (*tried, (out.connect, place), (out.connect_ex, place)):
        try:
            act(*given)
        except OSError as error:
            print("the network is off" in str(error))
looked_up = subprocess.run([sys.executable, "-c", LOOKUP], capture_output=True, text=True)
print("the network is off" in looked_up.stderr)
"""


def test_nothing_outside_answers():
    offline = str(Path(__file__).with_name("offline"))
    variables = os.environ | {"PYTHONPATH": offline, "https_proxy": "http://localhost:1"}
    command = [sys.executable, "-c", PROBE]
    run = subprocess.run(command, capture_output=True, encoding="utf-8", env=variables)
    assert run.stdout == "True\n" * 6, run.stderr
