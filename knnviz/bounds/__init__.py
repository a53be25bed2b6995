"""Bounds and rates of the papers, one paper a file or folder, and closed forms: pure functions."""

from knnviz.bounds import chaudhuri_dasgupta, closed_forms, cover_hart, errandonea, gao, khim, reeve_kaban, rittler

__all__ = ["chaudhuri_dasgupta", "closed_forms", "cover_hart", "errandonea", "gao", "khim", "reeve_kaban", "rittler"]
