"""Bounds and rates of the papers, one paper a file, and closed forms: pure functions of sizes and distributions."""

from knnviz.bounds import chaudhuri_dasgupta, closed_forms, cover_hart

__all__ = ["chaudhuri_dasgupta", "closed_forms", "cover_hart"]
