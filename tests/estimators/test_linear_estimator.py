"""LinearPartialLabelClassifier: scikit-learn's checks."""

from sklearn.utils.estimator_checks import parametrize_with_checks

from knnviz.estimators import LinearPartialLabelClassifier


@parametrize_with_checks([LinearPartialLabelClassifier(max_iter=50), LinearPartialLabelClassifier("clpl", max_iter=50)])
def test_scikit_learn_accepts_it(estimator, check):
    check(estimator)
