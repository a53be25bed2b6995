"""What Binder runs: ``postBuild`` once for an image, ``start`` at each session."""

import json
import os
import re
import subprocess
import sys

from jupyter_server.extension.manager import ExtensionPackage
from parts import OFFLINE
from test_setup import ROOT
from traitlets.utils.importstring import import_item

from knnviz.classroom import notebook_server

CAPS = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "NUMBA_NUM_THREADS",
    "LOKY_MAX_CPU_COUNT",
)


def test_scripts_can_be_run_and_compile_for_the_same_processor():
    processors = set()
    for script in (ROOT / "postBuild", ROOT / "start"):
        assert script.stat().st_mode & 0o111 == 0o111
        processors.add(re.search(r"NUMBA_CPU_NAME=(\S+)", script.read_text("utf-8"))[1])
    assert len(processors) == 1


def test_start_becomes_the_command_it_is_given():
    probe = (
        "import json, os, sys; print(json.dumps([os.getpid(), sys.argv[1:], dict(os.environ)])); "
        "sys.exit(7)"
    )
    words = ["two words", "*", "$HOME"]
    given = os.environ | {"OMP_NUM_THREADS": "64", "MINE": "a b"}
    command = [ROOT / "start", sys.executable, "-c", probe, *words]
    with subprocess.Popen(command, env=given, stdout=subprocess.PIPE, encoding="utf-8") as process:
        pid, arguments, environment = json.loads(process.communicate()[0])

    assert process.returncode == 7
    assert pid == process.pid, "a shell that stays in between would swallow signals"
    assert arguments == words
    assert environment["MINE"] == "a b"
    assert {environment[cap] for cap in CAPS} == {"1"}
    assert environment["JUPYTER_CONFIG_PATH"].split(os.pathsep)[0] == str(ROOT)


def test_the_server_s_settings_name_a_connection_that_does_not_wait_and_kernels_of_one_arena(
    monkeypatch,
):
    settings = json.loads((ROOT / "jupyter_server_config.json").read_text("utf-8"))["ServerApp"]
    connection = import_item(settings["kernel_websocket_connection_class"])
    assert connection is notebook_server.NoDelayConnection

    monkeypatch.delenv(notebook_server.ARENAS, raising=False)
    [name] = settings["jpserver_extensions"]
    ExtensionPackage(name=name, enabled=True).load_all_points(None)
    kernels = {notebook_server.ARENAS: os.environ[notebook_server.ARENAS]}
    assert OFFLINE.items() >= kernels.items(), "notebooks are tested as they are used"


def test_a_failing_step_of_post_build_fails_the_build(tmp_path):
    failing = tmp_path / "pip"
    failing.write_text('#!/bin/sh\necho "$@"; exit 3\n', "utf-8")
    failing.chmod(0o755)
    variables = os.environ | {"PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
    command = [ROOT / "postBuild"]
    build = subprocess.run(command, env=variables, capture_output=True, encoding="utf-8")

    assert build.returncode == 3
    words = build.stdout.split()
    assert words == ["install", "--no-deps", "-e", "."], "what conda has solved stays as it is"
