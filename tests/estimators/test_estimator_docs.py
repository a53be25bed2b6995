import inspect
import re

import pytest

from knnviz import estimators


@pytest.mark.parametrize("name", estimators.__all__)
def test_each_parameter_is_documented_once(name):
    cls = getattr(estimators, name)
    section = re.search(r"\nParameters\n-+\n(.+?)\n\n", inspect.getdoc(cls), re.DOTALL)[1]
    entries = [entry.split(" :")[0] for entry in re.findall(r"^\w.*", section, re.MULTILINE)]
    assert sorted(", ".join(entries).split(", ")) == sorted(inspect.signature(cls).parameters)


@pytest.mark.parametrize("name", estimators.__all__)
@pytest.mark.parametrize("attribute", ["classes_", "n_features_in_", "feature_names_in_"])
def test_shared_attributes_are_documented_once(name, attribute):
    section = inspect.getdoc(getattr(estimators, name)).split("\nAttributes\n")[1]
    assert len(re.findall(rf"^{attribute}\b", section, re.MULTILINE)) == 1


@pytest.mark.parametrize("name", estimators.__all__)
def test_overriding_methods_keep_their_documentation(name):
    cls = getattr(estimators, name)
    assert all(inspect.getdoc(getattr(cls, method)) for method in ("fit", "predict", "score"))
