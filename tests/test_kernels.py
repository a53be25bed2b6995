"""How kernels are compiled and kept. They meet their plain twins beside what calls them: tables,
profiles, rules, risks, regions, scores and samples.
"""

import os
import subprocess
import sys
import warnings

import numba

from knnviz.kernels.jit import kernel


def double(x):
    return 2 * x


def test_kernels_compile_where_no_folder_can_be_written(tmp_path, monkeypatch):
    """The folder that numba is told of is a file; the cache moves to a temporary one, said once."""
    file = tmp_path / "file"
    file.touch()
    told = {"CACHE_LOCATOR_CLASSES": "UserProvidedCacheLocator", "CACHE_DIR": str(file)}
    for name, value in told.items():
        monkeypatch.setattr(numba.config, name, value)
        monkeypatch.setenv(f"NUMBA_{name}", value)
    monkeypatch.setattr("knnviz.kernels.jit.mkdtemp", lambda prefix: str(tmp_path))

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert kernel(double)(3) == 6
        assert kernel(double)(4) == 8

    assert os.environ["NUMBA_CACHE_DIR"] == str(tmp_path)
    categories = [each.category for each in caught]
    assert categories.count(UserWarning) == 1
    assert list(tmp_path.rglob("*double*.nbc"))


def test_on_a_full_disk_a_function_is_compiled_and_not_kept(tmp_path):
    program = tmp_path / "full.py"
    program.write_text(FULL_DISK, "utf-8")
    variables = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    command = [sys.executable, program]
    run = subprocess.run(command, env=variables, capture_output=True, encoding="utf-8")

    assert run.stdout.split() == ["6", "9"], run.stderr
    assert run.stderr.count("UserWarning: numba cannot keep what it compiles (File too large)") == 1


FULL_DISK = """
import resource, signal
from knnviz.kernels.jit import kernel

def double(x):
    return 2 * x

def triple(x):
    return 3 * x

functions = kernel(double), kernel(triple)
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))
print(*[each(3) for each in functions])
"""
