"""Kernels against plain NumPy; others have theirs beside what calls them: tables, profiles, rules,
regions, scores and samples.
"""

import os
import subprocess
import sys
import warnings

import numba
import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from reference_implementations import (
    generators,
    sorted_neighbors,
)

from knnviz import kernels
from knnviz.kernels.jit import kernel
from knnviz.neighbors import SpatialIndex


@given(
    st.integers(1, 60),
    st.sampled_from([None, 1, 0]),
    st.sampled_from([1.0, 1e-170]),
    generators,
)
def test_neighbors_and_their_votes_on_a_line_are_brute_force(n, decimals, size, rng):
    """Between, upon and beyond points; ties on a side and on both; squares that underflow tie."""
    X = rng.random((n, 1))
    if decimals is not None:
        X = X.round(decimals)
    X = X * size
    anywhere = rng.random((5, 1))
    around = np.linspace(-1, 2, 7)[:, None]
    upon = X[:4] / size
    queries = np.concatenate([anywhere, around, upon, upon + 0.05]) * size
    some = rng.random(len(queries)) < 0.3
    left_out = np.where(some, rng.integers(0, n, len(queries)), -1)
    k = int(rng.integers(1, n + 1))

    inputs = *SpatialIndex(X).positions, queries
    indices = np.empty((len(queries), k), np.int32)
    squares = np.empty((len(queries), k))
    nobody = np.full(len(queries), -1)
    kernels.nearest_on_line(*inputs, nobody, indices, squares)
    expected, expected_squares = sorted_neighbors(X, queries, k)
    assert np.array_equal(indices, expected)
    assert np.array_equal(squares, expected_squares)

    if k < n:
        kernels.nearest_on_line(*inputs, left_out, indices, squares)
        every, _ = sorted_neighbors(X, queries, n)
        for row, out, found in zip(every, left_out, indices, strict=True):
            others = [j for j in row if j != out]
            assert found.tolist() == others[:k]


@given(st.integers(2, 4), st.integers(1, 30), generators)
def test_expected_error_is_a_weighted_mean(n_classes, m, rng):
    eta = rng.dirichlet(np.ones(n_classes), m)
    weights = rng.dirichlet(np.ones(m))
    labels = rng.integers(0, n_classes, m).astype(np.uint8)
    expected = weights @ (1 - eta[np.arange(m), labels])
    found = kernels.expected_error(eta, labels, weights)
    assert np.isclose(found, expected, rtol=1e-12)


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
