"""Monte Carlo risk curves over k or over n, which fill in as pieces of work are done."""

import warnings
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, Literal, NamedTuple

import numpy as np
from joblib import Parallel, delayed
from numpy.random import SeedSequence
from tqdm import tqdm

from knnviz import checks
from knnviz.neighbors import Windows, distinct
from knnviz.noise import LabelNoise
from knnviz.problems import FULL_RESOLUTION, Dataset, Problem, Resolution
from knnviz.repeats import check_sweep, nan_mean, nan_standard_error
from knnviz.risk.exact import Antiderivative, has_density
from knnviz.risk.limits import CLEAN, check_noise
from knnviz.risk.sweep import Draw, sweep, sweep_line
from knnviz.rules import Rule

#: The values that a curve runs over.
Over = Mapping[Literal["k", "n"], Sequence[int]]

#: k at each n of a curve over n.
Ks = int | Sequence[int] | Callable[[int], int] | None

#: One rule, or several: named by the caller, or by how they print.
Rules = Rule | Mapping[str, Rule] | Sequence[Rule]


@dataclass(frozen=True, eq=False)
class RiskCurve:
    """Risks of rules over k or over n, as far as they are known.

    ``over`` is what ``values`` (J,) are: "k" or "n", or "k_noise" for k' at one k; ``names`` are those of the rules.
    ``risks`` (repeats, flips, rules, J) has an axis for samples, for draws of noise on each of them, for rules, and for
    values; it is NaN where a piece of work is not done yet. ``bayes_risk`` is on the same cells as the risks, None for
    real data.
    """

    over: Literal["k", "n", "k_noise"]
    values: np.ndarray
    names: tuple[str, ...]
    risks: np.ndarray
    bayes_risk: float | None

    @property
    def mean(self) -> np.ndarray:
        """Mean risk (rules, J) over what is done; NaN where nothing is."""
        return nan_mean(self.risks.reshape(-1, *self.risks.shape[2:]))

    @property
    def standard_error(self) -> np.ndarray:
        """Standard error (rules, J) of the mean over repeats; NaN where fewer than two are done.

        The flips of one sample share its points, so they count as one value, their mean. With a single repeat the
        error is over its flips, and does not show how the risk varies from sample to sample.
        """
        values = self.risks[0] if len(self.risks) == 1 else self.risks.mean(axis=1)
        return nan_standard_error(values)

    @property
    def done(self) -> int:
        """Finished pieces of work."""
        return int(np.isfinite(self.risks).all(axis=(1, 2))[:, : self._pieces_per_repeat].sum())

    @property
    def pieces(self) -> int:
        """All pieces of work: the repeats over k, each n of each repeat over n."""
        return len(self.risks) * self._pieces_per_repeat

    @property
    def _pieces_per_repeat(self) -> int:
        return len(self.values) if self.over == "n" else 1


def growing_neighbors(n: int) -> int:
    """A k for curves over n that grows while k / n falls: n^(2/3) / 4, rounded, at least 1.

    Examples
    --------
    >>> from knnviz.risk import growing_neighbors
    >>> [growing_neighbors(n) for n in (10, 1000, 8000)]
    [1, 25, 100]
    """
    return max(1, round(n ** (2 / 3) / 4))


def curve(
    problem: Problem | Dataset,
    rules: Rules,
    *,
    over: Over,
    callback: Callable[[RiskCurve], bool | None] | None = None,
    progress: bool | None = None,
    **options: Any,
) -> RiskCurve:
    """Risk of rules on fresh samples, over k or over n; parameters and ``options`` as in ``stream``.

    ``callback`` is called with the curve so far after each piece of work, and ends it early by returning False: then
    the partial curve is returned. ``progress`` shows a bar: by default in a terminal only, and not beside a callback.

    Examples
    --------
    >>> from knnviz import Vote, problems, risk
    >>> found = risk.curve(problems.linear(1.0), Vote(), over={"k": [1, 25]}, n=500, repeats=4, progress=False)
    >>> found.mean.round(3).tolist()
    [[0.341, 0.261]]
    """
    # With None, tqdm shows the bar in a terminal only.
    hidden = (True if callback else None) if progress is None else not progress
    curves = stream(problem, rules, over=over, **options)
    with closing(curves), tqdm(desc=f"risk over {next(iter(over))}", disable=hidden) as bar:
        for latest in curves:
            bar.total = latest.pieces
            bar.update()
            if callback is not None and callback(latest) is False:
                break
    return latest


def stream(
    problem: Problem | Dataset,
    rules: Rules,
    *,
    over: Over,
    k: Ks = None,
    n: int | None = None,
    noise: LabelNoise = CLEAN,
    repeats: int | None = None,
    flips: int = 1,
    seed: int = 0,
    resolution: Resolution = FULL_RESOLUTION,
    n_jobs: int | None = None,
) -> Generator[RiskCurve, None, None]:
    """Yield the risk curve so far after each piece of work; closing the generator ends the work.

    ``over`` is {"k": values} with a sample size ``n``, or {"n": values} with ``k`` a whole number, one for each n, or a
    function of n. Each of ``repeats`` samples, by default those of ``resolution``, is drawn with its own child of
    ``seed``, and ``flips`` draws of noise on it. Risks are measured on the integral cells of ``resolution``; on a line
    the risk is integrated between breakpoints (see ``on_line``), unless points coincide. A ``Dataset`` is split anew in
    each repeat, and its risk is the error on the test part. Pieces of work go through joblib: ``n_jobs`` or
    ``joblib.parallel_config`` choose where they run, and the numbers do not depend on it.
    Raises ValueError at once for parameters that do not fit each other, and for noise on more than two classes.

    Examples
    --------
    >>> from knnviz import Vote, problems, risk
    >>> curves = risk.stream(problems.linear(1.0), Vote(), over={"k": [1, 25]}, n=500, repeats=3)
    >>> [(each.done, each.pieces) for each in curves]
    [(1, 3), (2, 3), (3, 3)]
    """
    axis, ns, ks = _axes(over, k, n, problem.max_size)
    named = _named(rules)
    check_noise(noise, problem.n_classes)
    repeats = checks.check_int("repeats", resolution.repeats if repeats is None else repeats, 1)
    flips = checks.check_int("flips", flips, 1)
    children = SeedSequence(checks.check_int("seed", seed, 0)).spawn(repeats)
    setting = _Setting(problem, *_measured_on(problem, resolution), tuple(named.values()), noise, flips)
    values = np.array(ks if axis == "k" else ns)
    risks = np.full((repeats, flips, len(named), len(values)), np.nan)
    known = not isinstance(problem, Dataset)
    bayes = float(setting.cells.weights @ (1 - setting.cells.eta.max(axis=1))) if known else None
    pieces_of = _over_k if axis == "k" else _over_n
    pieces = [piece for repeat, child in enumerate(children) for piece in pieces_of(repeat, child, ns, ks)]
    return _run(setting, pieces, RiskCurve(axis, values, tuple(named), risks, bayes), n_jobs)


class _Cells(NamedTuple):
    """Where risk is measured: points (m, d) of known eta (m, C), and their weights (m,)."""

    points: np.ndarray
    eta: np.ndarray
    weights: np.ndarray


class _Setting(NamedTuple):
    """What all pieces of work share; ``antiderivative`` is None unless mu has a density on a line."""

    problem: Problem | Dataset
    cells: _Cells
    antiderivative: Antiderivative | None
    rules: tuple[Rule, ...]
    noise: LabelNoise
    flips: int


class _Piece(NamedTuple):
    """One piece of work: a sample of size n, measured at ks, whose risks fill these columns of one repeat."""

    repeat: int
    columns: slice
    n: int
    ks: tuple[int, ...]
    seed: SeedSequence
    split_seed: int


def _over_k(repeat: int, seed: SeedSequence, ns: list[int], ks: list[int]) -> list[_Piece]:
    return [_Piece(repeat, slice(None), ns[0], tuple(ks), seed, _split_seed(seed))]


def _over_n(repeat: int, seed: SeedSequence, ns: list[int], ks: list[int]) -> list[_Piece]:
    children, split_seed = seed.spawn(len(ns)), _split_seed(seed)
    order = np.argsort(ns, kind="stable").tolist()
    return [_Piece(repeat, slice(j, j + 1), ns[j], (ks[j],), children[j], split_seed) for j in order]


def _split_seed(seed: SeedSequence) -> int:
    return int(seed.generate_state(1)[0])


def _axes(over: Over, k: Ks, n: int | None, max_size: int | None) -> tuple[Literal["k", "n"], list[int], list[int]]:
    axis, values = check_sweep(over, k, n)
    if axis == "n" and k is None:
        raise ValueError("a curve over n needs k")
    ns = [checks.check_int("n", size, 1, max_size) for size in ([n] if axis == "k" else values)]
    ks = values if k is None else _ks(k, ns)
    for size, each in zip(ns * (len(ks) // len(ns)), ks, strict=True):
        checks.check_k(each, size)
    return axis, ns, ks


def _ks(k: int | Sequence[int] | Callable[[int], int], ns: list[int]) -> list[int]:
    if callable(k):
        return [checks.check_int(f"k for n = {n}", k(n), 1) for n in ns]
    if not isinstance(k, Sequence | np.ndarray):
        return [checks.check_int("k", k, 1)] * len(ns)
    if len(k) != len(ns):
        raise ValueError(f"k must be one number or one for each of {len(ns)} values of n, got {len(k)}")
    return [checks.check_int("each k", each, 1) for each in k]


def _named(rules: Any) -> dict[str, Rule]:
    if hasattr(rules, "predict"):
        rules = [rules]
    if not isinstance(rules, Mapping | Sequence) or not rules:
        raise ValueError(f"rules must be a rule, a sequence of rules or a mapping of names to rules, got {rules!r}")
    named = dict(rules) if isinstance(rules, Mapping) else {repr(rule): rule for rule in rules}
    if len(named) < len(rules):
        raise ValueError(f"rules must differ from each other, got {list(rules)}")
    for name, rule in named.items():
        if not hasattr(rule, "predict"):
            raise ValueError(f"rules must have fit and predict, but {name} is {rule!r}")
    return named


def _measured_on(problem: Problem | Dataset, resolution: Resolution) -> tuple[_Cells, Antiderivative | None]:
    if isinstance(problem, Dataset):
        return _test_points(problem), None
    n_cells = resolution.integral_cells[problem.dimension - 1]
    measure = problem.measure(n_cells)
    cells = _Cells(measure.points, problem.eta(measure.points), measure.weights)
    return cells, Antiderivative.of(problem, n_cells) if has_density(problem) else None


def _run(
    setting: _Setting, pieces: list[_Piece], empty: RiskCurve, n_jobs: int | None
) -> Generator[RiskCurve, None, None]:
    risks = empty.risks.copy()
    results = _parallel(n_jobs)(delayed(_work)(setting, piece) for piece in pieces)
    try:
        for piece, found in results:
            risks[piece.repeat, :, :, piece.columns] = found
            yield replace(empty, risks=risks.copy())
    finally:
        _stop(results)


def _parallel(n_jobs: int | None) -> Parallel:
    # In the order in which results are done, where the back-end can give them one by one.
    options: dict[str, Any] = {"n_jobs": n_jobs, "prefer": "threads", "batch_size": 1}
    try:
        return Parallel(**options, return_as="generator_unordered")
    except ValueError:
        return Parallel(**options, return_as="list")


def _stop(results: Generator | list) -> None:
    # joblib warns of lost pieces of work, but this end is intended.
    if isinstance(results, Generator):
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message=r".*input task\s+iterator")
            results.close()


def _work(setting: _Setting, piece: _Piece) -> tuple[_Piece, np.ndarray]:
    rng = np.random.default_rng(piece.seed)
    problem = setting.problem.with_seed(piece.split_seed)
    if isinstance(problem, Dataset):
        sample, cells = problem.sample(piece.n), _test_points(problem)
    else:
        sample, cells = problem.sample(piece.n, rng), setting.cells
    uniforms = chain([sample.v], (rng.random(piece.n) for _ in range(setting.flips - 1)))
    clean = setting.noise == CLEAN
    draws = [(sample.y if clean else setting.noise.flip(sample.y, v), setting.rules) for v in uniforms]
    return piece, _risks(sample.X, cells, setting.antiderivative, draws, piece.ks)


def _test_points(dataset: Dataset) -> _Cells:
    m = len(dataset.y_test)
    return _Cells(dataset.X_test, np.eye(dataset.n_classes)[dataset.y_test], np.full(m, 1 / m))


def _risks(
    X: np.ndarray, cells: _Cells, antiderivative: Antiderivative | None, draws: Sequence[Draw], ks: Sequence[int]
) -> np.ndarray:
    """Risks (draws, rules, ks): exact on a line of distinct points, else on cells."""
    if antiderivative is not None and distinct(np.sort(X[:, 0])):
        return sweep_line(Windows.from_points(X), antiderivative, draws, ks)
    return sweep(X, cells.points, cells.eta, draws, ks, weights=cells.weights)
