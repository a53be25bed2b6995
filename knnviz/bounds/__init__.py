"""Bounds and rates of the papers, one paper a file: pure functions of sizes, constants and the true distribution."""

from knnviz.bounds import chaudhuri_dasgupta, cover_hart

__all__ = ["chaudhuri_dasgupta", "cover_hart"]
