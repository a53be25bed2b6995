"""The runs by name: a plain function each, what it shows of a paper, and the settings of its
smaller form.

Every run takes ``progress``, and ``seed`` if it draws samples; its defaults are the full run. A
smaller run of other samples has seed 1; one without a seed here keeps the samples of the full run
and has fewer draws on them.
"""

import json
import re
import sys
from datetime import date
from importlib import import_module
from importlib.metadata import version
from inspect import signature
from pathlib import Path
from typing import Any, NamedTuple

from knnviz_papers.simulate import Row, Tables

#: Where results are stored.
RESULTS = Path(__file__).parent / "results"

#: Packages whose versions are stored with a result.
PACKAGES = ("numpy", "scipy", "numba", "scikit-learn")

#: A list without lists inside, as the json module lays it out.
INNERMOST = re.compile(r"\[\n *([^][{}]*?)\n *\]")

#: Significant digits of the results.
DIGITS = 6


class Run(NamedTuple):
    """Module with the function of that name, what the paper has there, and smaller settings."""

    module: str
    source: str
    smaller: dict[str, Any]


RUNS = {
    "errandonea_clusters": Run(
        "errandonea.clusters",
        "Section 4.1",
        {"levels": (0.3, 0.8), "classes": (10,), "clusters": 1000, "seed": 1},
    ),
    "errandonea_digits": Run(
        "errandonea.digits",
        "Section 4, Algorithms 1 and 2",
        {"noises": (0.6,), "splits": 2, "seed": 1},
    ),
    "errandonea_examples": Run(
        "errandonea.examples", "Appendix B.2", {"constants": (0.5,), "repeats": 60, "seed": 1}
    ),
    "errandonea_line": Run(
        "errandonea.line", "Theorems 3.1 and 3.5", {"sizes": (1000,), "repeats": 20, "seed": 1}
    ),
    "errandonea_linear": Run(
        "errandonea.linear", "Section 4, linear rivals", {"noises": (0.1,), "splits": 2, "seed": 1}
    ),
    "errandonea_linear_tuned": Run(
        "errandonea.linear", "Section 4, tuned rivals", {"noises": (0.3,), "splits": 2, "seed": 1}
    ),
    "errandonea_promises": Run(
        "errandonea.promises", "Theorem 3.3", {"sizes": (1000,), "repeats": 40, "seed": 1}
    ),
    "errandonea_rate": Run(
        "errandonea.rate", "Theorem B.1", {"sizes": (1000, 4000), "repeats": 10, "seed": 1}
    ),
    "errandonea_removal": Run(
        "errandonea.removal",
        "Figures 1 to 4 (b) and (c)",
        {"inclusions": (0.8,), "noises": (0.2,), "splits": 3, "seed": 1},
    ),
    "gao_figure_1": Run(
        "gao.figure_1",
        "Figure 1(a), (b), (d)",
        {"flips": 4, "ks": (1, 20, 100), "noise_neighbors": (20, 100)},
    ),
    "gao_figure_1_one_nn": Run(
        "gao.figure_1", "Figure 1(c)", {"sizes": (250,), "repeats": 30, "seed": 1}
    ),
    "gao_figure_1_threshold": Run(
        "gao.figure_1", "Figure 1(d), moved threshold", {"flips": 4, "ks": (1, 20, 100)}
    ),
    "gao_figure_2": Run(
        "gao.figures_2_to_4",
        "Figure 2",
        {"names": ("breast_cancer", "wine"), "ks": (5, 25, 95), "trials": 10},
    ),
    "gao_figure_3": Run(
        "gao.figures_2_to_4",
        "Figure 3",
        {"names": ("digits", "iris"), "noise_neighbors": (5, 50), "trials": 10},
    ),
    "gao_figure_4": Run(
        "gao.figures_2_to_4",
        "Figure 4",
        {"names": ("breast_cancer", "wine"), "fractions": (0.2, 1.0), "trials": 10},
    ),
    "gao_rates": Run("gao.figure_1", "Algorithm 1, equation 5", {"flips": 4}),
    "gao_tables": Run("gao.tables", "Tables 2 to 4", {"names": ("wine",), "trials": 2}),
    "gao_validation": Run("gao.validation", "Section 6.2", {"runs": 3, "seed": 1}),
    "khim_bounds": Run(
        "khim.bounds",
        "Theorems 1 and 2",
        {"sizes": ((1000, 50), (10_000, 500)), "repeats": 20, "seed": 1},
    ),
    "khim_corollaries": Run(
        "khim.corollaries",
        "Corollaries 1, 2, 4, Remark 1, Proposition 1",
        {"sizes": (10_000,), "repeats": 20, "seed": 1},
    ),
    "khim_figure_3a": Run(
        "khim.searches", "Algorithm 1 and Figure 3(a)", {"repeats": 10, "seed": 1}
    ),
    "khim_figures_3b_and_4": Run(
        "khim.searches", "Figures 3(b) and 4", {"sizes": (50, 100), "repeats": 20, "seed": 1}
    ),
    "khim_neighbors": Run("khim.macro_f1_over_k", "Section 6", {"repeats": 10, "seed": 1}),
    "khim_starts": Run("khim.searches", "Algorithm 1, other starts", {"repeats": 10, "seed": 1}),
    "khim_table_1": Run("khim.table_1", "Table 1", {"repeats": 100, "seed": 1}),
    "khim_table_2": Run("khim.table_2", "Table 2", {"splits": 12, "seed": 1}),
    "khim_theorem_5": Run(
        "khim.parts",
        "Theorem 5 and Lemmas 25 to 29",
        {"sizes": ((1000, 50), (10_000, 500)), "repeats": 20, "seed": 1},
    ),
    "khim_thresholds": Run("khim.f1_thresholds", "Appendix C", {"repeats": 100, "seed": 1}),
    "looseness": Run(
        "chaudhuri_dasgupta.looseness",
        "Rittler & Chaudhuri, Theorem 3; Chaudhuri & Dasgupta, Theorem 7(a)",
        {"sizes": (1000,), "runs": 20, "seed": 1},
    ),
    "reeve_inconsistency": Run(
        "reeve_kaban.learners",
        "Theorem 5.1 and Algorithm 1",
        {"sizes": (1000,), "repeats": 20, "seed": 1},
    ),
    "reeve_maximum": Run("reeve_kaban.extremes", "Theorem 4.2", {"repeats": 40, "seed": 1}),
    "reeve_pointwise": Run(
        "reeve_kaban.pointwise", "Theorem 4.1 and Lemma 4.1", {"repeats": 1000, "seed": 1}
    ),
    "reeve_rate": Run(
        "reeve_kaban.risks",
        "Theorem 4.3",
        {"sizes": (250, 1000, 4000), "ranges": ((250, 4000),), "repeats": 40, "seed": 1},
    ),
    "reeve_risks": Run(
        "reeve_kaban.risks",
        "Section 5 and Theorem 4.3",
        {"sizes": (250, 1000, 4000, 16_000, 64_000), "repeats": 20, "seed": 1},
    ),
    "rittler_condition": Run("rittler.condition", "Corollary 1", {"powers": (3, 8)}),
    "rittler_consistency": Run(
        "rittler.consistency",
        "Theorem 7",
        {"fractions": (0.0, 0.5), "budgets": (1000, 16_000), "repeats": 20, "seed": 1},
    ),
    "rittler_containment": Run(
        "rittler.containment", "Section 3", {"slacks": (0.0, 0.1), "repeats": 10, "seed": 1}
    ),
    "rittler_experiments": Run(
        "rittler.experiments",
        "Algorithm 1, experiments",
        {"experiments": ("A", "E"), "repeats": 15, "seed": 1},
    ),
    "rittler_mixture": Run(
        "rittler.draws",
        "Algorithm 1, fractions",
        {"fractions": (0.1, 0.5), "repeats": 10, "seed": 1},
    ),
    "rittler_rates": Run(
        "rittler.measured_rates",
        "Corollary 1",
        {"shapes": ((2.0, 1.0),), "sizes": (4000, 16_000), "repeats": 10, "seed": 1},
    ),
}


def run(name: str, smaller: bool = False, progress: bool = False) -> Tables:
    """What a run gives, with numbers as Python's, floats to ``DIGITS`` significant digits."""
    settings = RUNS[name].smaller if smaller else {}
    tables = _function(name)(**settings, progress=progress)
    return {table: [_rounded(row) for row in rows] for table, rows in tables.items()}


def save(name: str, results: Tables) -> Path:
    """Write the results of a full run as NAME.json, a row of a table to a line; return the path."""
    record: dict[str, Any] = {"name": name}
    record["date"] = date.today().isoformat()
    parameters = signature(_function(name)).parameters.values()
    record["settings"] = {each.name: each.default for each in parameters if each.name != "progress"}

    versions = {"python": f"{sys.version_info.major}.{sys.version_info.minor}"}
    record["versions"] = versions | {each: version(each) for each in PACKAGES}

    tables = {}
    for table, rows in results.items():
        columns = list(rows[0])
        values = [list(row.values()) for row in rows]
        tables[table] = {"columns": columns, "rows": values}
    record["results"] = tables

    # Strings of JSON hold no line breaks: all of them belong to the layout.
    indented = json.dumps(record, sort_keys=True, indent=1)
    text = INNERMOST.sub(_on_one_line, indented)
    path = RESULTS / f"{name}.json"
    path.write_text(text + "\n", "utf-8")
    return path


def _on_one_line(innermost: re.Match[str]) -> str:
    values = re.sub(r",\n *", ", ", innermost[1])
    return f"[{values}]"


def report(results: Tables) -> str:
    """Tables as text, each under its name."""
    return "\n\n".join(f"{name}\n{table(rows)}" for name, rows in results.items())


def table(rows: list[Row]) -> str:
    """Rows with the same columns as text: a line for the names and one for each row."""
    cells = [list(rows[0])]
    cells += [[_text(value) for value in row.values()] for row in rows]
    columns = zip(*cells, strict=True)
    widths = [max(map(len, column)) for column in columns]
    lines = ["  ".join(map(str.rjust, line, widths)) for line in cells]
    return "\n".join(lines)


def _function(name: str) -> Any:
    return getattr(import_module(f"knnviz_papers.{RUNS[name].module}"), name)


def _rounded(row: Row) -> Row:
    return {column: _rounded_value(value) for column, value in row.items()}


def _rounded_value(value: Any) -> Any:
    if hasattr(value, "item"):
        value = value.item()
    if isinstance(value, float):
        return float(f"{value:.{DIGITS}g}")
    return value


def _text(value: Any) -> str:
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:.4g}"
    return str(value)
