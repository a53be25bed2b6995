"""Settings of all tests: the same examples on every run, no deadline."""

from hypothesis import settings

settings.register_profile("knnviz", derandomize=True, deadline=None, print_blob=False)
settings.load_profile("knnviz")
