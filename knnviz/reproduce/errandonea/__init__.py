"""Errandonea et al.: two examples, a line, clusters under bag noise, and digits."""

from knnviz.reproduce.errandonea import clusters, digits, examples, line

__all__ = ["clusters", "digits", "examples", "line"]
