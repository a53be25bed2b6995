"""The environment for conda says the same as pyproject.toml, and the package index can fulfil it."""

import os
import re
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.version import Version
from test_setup import PROJECT, ROOT

ENVIRONMENT = yaml.safe_load((ROOT / "environment.yml").read_text())

#: Packages of conda that have another name in the package index.
INDEX_NAMES = {"matplotlib-base": "matplotlib"}


def bounds():
    """What the environment asks for, Python aside, by the names of the package index."""
    lines = (line for line in ENVIRONMENT["dependencies"] if not line.startswith("python="))
    return {re.sub(r"^[a-z-]+", lambda name: INDEX_NAMES.get(name[0], name[0]), line) for line in lines}


def test_it_is_python_and_the_bounds_of_the_project():
    assert ENVIRONMENT["channels"] == ["conda-forge"]
    assert ENVIRONMENT["dependencies"][0] == "python=3.12", "Binder reads the version in no other form"
    assert bounds() == set(PROJECT["dependencies"])
    assert "3.12" in Requirement(f"python{PROJECT['requires-python']}").specifier


def resolver(requirements, **settings):
    """What uv says to requirements under Python 3.12, with further settings of its environment."""
    command = [Path(sys.executable).with_name("uv"), "pip", "compile", "--quiet", "--python-version", "3.12"]
    command += ["--no-python-downloads", "--no-build", "--no-header", "--no-annotate", "-"]
    return subprocess.run(
        command, input="\n".join(requirements), env=os.environ | settings, capture_output=True, text=True, check=False
    )


def resolved(answer):
    """Versions by name; fails if no versions fulfil the requirements, and skips if the index did not answer."""
    assert "No solution found" not in answer.stderr, answer.stderr
    if answer.returncode:
        pytest.skip(f"the package index does not answer: {' '.join(answer.stderr.split())}")
    return {name: Version(version) for name, version in re.findall(r"^([\w.-]+)==(\S+)", answer.stdout, re.MULTILINE)}


def test_the_bounds_can_be_fulfilled():
    versions = resolved(resolver(sorted(bounds())))
    for wanted in map(Requirement, bounds()):
        assert versions[wanted.name] in wanted.specifier, wanted


class Index(BaseHTTPRequestHandler):
    """A package index that is out of order, slow, or offers a single old version, as the first part of a path says."""

    def do_GET(self):
        kind = self.path.split("/")[1]
        if kind == "slow":
            return time.sleep(2)
        self.send_response(503 if kind == "broken" else 200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b'<a href="numpy-1.0-py3-none-any.whl">numpy-1.0-py3-none-any.whl</a>')

    def log_message(self, *_):
        """Say nothing."""


@pytest.fixture(scope="module")
def index():
    """Address of a fake package index."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Index) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def asked(address):
    """What uv says to one requirement if it asks this index, once and with nothing remembered."""
    settings = {"UV_NO_CACHE": "1", "UV_HTTP_RETRIES": "0", "UV_HTTP_TIMEOUT": "1", "NO_PROXY": "127.0.0.1"}
    return resolver(["numpy>=2"], UV_DEFAULT_INDEX=address, **settings)


def test_bounds_that_nothing_fulfils_are_noticed(index):
    with pytest.raises(AssertionError, match="unsatisfiable"):
        resolved(asked(f"{index}/old"))


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        ("{index}/broken", "503 Service Unavailable"),
        ("{index}/slow", "timed out"),
        ("http://index.invalid", "dns error"),
        ("http://127.0.0.1:9", "Connection refused"),
    ],
)
def test_an_index_that_does_not_answer_is_no_failure(index, address, reason):
    with pytest.raises(pytest.skip.Exception, match=f"the package index does not answer: .*{reason}"):
        resolved(asked(address.format(index=index)))
