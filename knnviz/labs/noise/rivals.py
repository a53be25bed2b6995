"""The rivals of robust kNN in NoiseLab, to which Gao et al. compare it: decision regions of eight rules."""

import warnings
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
from threadpoolctl import threadpool_limits

from knnviz import risk
from knnviz.labs.engine import Input, Panel, stage
from knnviz.labs.noise.misled_points import PointSet
from knnviz.labs.noise.rules import KNOWN, RobustRules
from knnviz.labs.parts.buttons import Button, stop
from knnviz.labs.parts.sizes import MAP_CELLS
from knnviz.labs.parts.sources import Field, Source, field
from knnviz.labs.parts.training_data import LabelFlips, TrainingData
from knnviz.linear.training import FIT_LOCK
from knnviz.problems import Dataset
from knnviz.views import rivals as view
from knnviz.views.layers import Axes, Layer

#: The rules in the order of their boxes, in each of which a map is drawn; the linear ones are in the lower row.
NAMES = ("kNN", "robust kNN", "IR-KSVM", "LD-KSVM", "IR-LLog", "UE-LLog", "AROW", "NHERD")

#: Rules that use flip rates, and the mark of their names.
USING_RATES, MARK = NAMES[1:6], "*"
MARKED_NAMES = tuple(name + MARK if name in USING_RATES else name for name in NAMES)

#: Cells a side at which support vector machines predict, which are slow; other rules do so at the cells of the map.
CELLS, SLOW = 80, ("IR-KSVM", "LD-KSVM")

#: One thread fits for all labs: a thread for each would keep some ten megabytes after its end.
WORKER = ThreadPoolExecutor(1, "rivals")

WAITING, FAILED = "not fitted yet", "cannot be fitted"


class Decisions(NamedTuple):
    """The predictions (m,) of a rule at the cells of a grid, and its risk on true labels."""

    labels: np.ndarray
    risk: float


class RivalsPanel(Panel):
    """Decision regions of eight rules on the same noisy labels; all but the two of kNN are fitted one after the other.

    IR is importance reweighting, LD label-dependent costs, UE an unbiased estimate of the loss; KSVM is ``SVC()``, and
    LLog logistic regression. AROW (adaptive regularization of weights, r = 10) and NHERD (normal herd, C = 0.1) are
    online linear classifiers with small steps. No rule is tuned, and features are not scaled.
    """

    by_default = False

    data: TrainingData = Input()
    noise: LabelFlips = Input()
    rules: RobustRules = Input()
    point_set: PointSet = Input()
    #: Risks of kNN and of robust kNN.
    risks: Mapping[str, float] = Input()

    def actions(self) -> list[Button]:
        return [stop(self.lab)]

    @property
    def in_plane(self) -> bool:
        return self.data.chosen_problem.dimension == 2

    @stage(compare_values=True)
    def flip_rates(self) -> tuple[float, float]:
        """The flip rates that robust kNN uses; 0 and 0 where all smoothed labels are equal."""
        if self.rules.rates == KNOWN:
            return self.noise.p0, self.noise.p1
        return self.rules.estimated_rates.as_flip_rates

    @stage(streaming=True)
    def fitted(self) -> Iterator[dict[str, Decisions | None]]:
        """Decisions of the rules fitted so far, None for one that cannot be fitted; slow ones come last."""
        name, source, X, observed = self.data.problem, self.data.source, self.data.sample.X, self.noise.labels
        rates = self.flip_rates
        found: dict[str, Decisions | None] = {}
        yield found
        for rule, estimator in unfitted(rates).items():
            cells = field(name, CELLS if rule in SLOW else MAP_CELLS[2])
            found = found | {rule: decisions(estimator, X, observed, cells, source)}
            yield found

    @property
    def all_decisions(self) -> dict[str, Decisions | None]:
        labels = self.point_set.plain, self.point_set.robust
        return dict(zip(NAMES, map(Decisions, labels, self.risks.values()), strict=False)) | self.fitted

    @property
    def which_rates(self) -> str:
        return "the true flip rates" if self.rules.rates == KNOWN else "estimated flip rates"

    def axes(self) -> Axes:
        return view.axes(f"Eight rules ({MARK} uses {self.which_rates})" if self.in_plane else "", len(NAMES))

    def layers(self) -> Iterator[Layer | Iterable[Layer]]:
        draw, count, problem = self.draw, len(NAMES), self.data.chosen_problem
        if not self.in_plane:
            yield draw(view.sentence, too_few_features(problem), count)
            return
        found = self.all_decisions
        in_boxes = [found.get(name) for name in NAMES]
        for box, decided in enumerate(in_boxes):
            if decided is not None:
                yield draw(view.regions, problem, decided.labels, box, count)
        yield draw(view.boundaries, problem, self.data.bayes_boundary, count)
        yield draw(view.frames, count)
        kind = "held out" if problem.eta is None else "risk"
        yield draw(view.names, MARKED_NAMES)
        yield view.risks(["" if decided is None else f"{kind} {decided.risk:.3f}" for decided in in_boxes])
        notes = {box: FAILED if name in found else WAITING for box, name in enumerate(NAMES) if not in_boxes[box]}
        yield view.notes(notes, count)

    def alt_text(self) -> str:
        if not self.in_plane:
            return too_few_features(self.data.chosen_problem)
        texts = dict.fromkeys(NAMES, WAITING)
        for name, decided in self.all_decisions.items():
            texts[name] = FAILED if decided is None else f"{decided.risk:.4f}"
        risks = ", ".join(f"{name} {text}" for name, text in texts.items())
        kind = "held-out risks" if self.data.chosen_problem.eta is None else "risks"
        return f"Decision regions of eight rules, {kind}: {risks}; {', '.join(USING_RATES)} use {self.which_rates}."


def unfitted(rates: tuple[float, float]) -> dict[str, Any]:
    """The estimators to fit, the quick ones first."""
    # Imported here, since no other panel needs them.
    from sklearn.linear_model import LogisticRegression
    from sklearn.svm import SVC

    from knnviz import estimators

    return {
        "NHERD": estimators.NHERDClassifier(C=0.1),
        "AROW": estimators.AROWClassifier(r=10.0),
        "UE-LLog": estimators.UnbiasedLogisticRegression(noise_rates=rates),
        "IR-LLog": estimators.ImportanceReweightedClassifier(LogisticRegression(), noise_rates=rates),
        "LD-KSVM": estimators.LabelDependentCostsClassifier(SVC(), noise_rates=rates),
        "IR-KSVM": estimators.ImportanceReweightedClassifier(SVC(), noise_rates=rates),
    }


def decisions(estimator: Any, X: np.ndarray, observed: np.ndarray, cells: Field, source: Source) -> Decisions | None:
    """Fit to points X (n, 2) and noisy labels (n,); predictions at a source's cells, and the risk on true labels."""
    held_out = source.X_test if isinstance(source, Dataset) else np.empty((0, 2))
    labels = predictions(estimator, X, observed, np.concatenate([held_out, cells.grid.points]))
    if labels is None:
        return None
    on_held_out, at_cells = np.split(labels, [len(held_out)])
    if isinstance(source, Dataset):
        return Decisions(at_cells, risk.held_out(on_held_out, source.y_test))
    return Decisions(at_cells, risk.exact(at_cells, cells.eta, cells.measure.weights))


def predictions(estimator: Any, X: np.ndarray, observed: np.ndarray, queries: np.ndarray) -> np.ndarray | None:
    """Predictions (m,) at queries (m, 2): the class if only one is observed; None if the estimator cannot be fitted."""
    if observed.min() == observed.max():
        return np.full(len(queries), observed[0])
    return WORKER.submit(_fit_and_predict, estimator, X, observed, queries).result()


def _fit_and_predict(estimator: Any, X: np.ndarray, observed: np.ndarray, queries: np.ndarray) -> np.ndarray | None:
    # Threads of linear algebra slow small fits down. Warnings add nothing: one class everywhere is visible on the map.
    with FIT_LOCK, threadpool_limits(1, user_api="blas"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            estimator.fit(X, observed)
        except ValueError:
            return None
        return estimator.predict(queries)


def too_few_features(problem: Source) -> str:
    return f"Decision regions need two features, but {problem.name} has one."
