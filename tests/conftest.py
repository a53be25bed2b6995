"""Settings of all tests: the same examples on every run, no deadline. A test takes at most 300
seconds.

What tests hold the project to, beyond what they say:

- Neighbors are exact and sorted by (distance, index). A threshold gives class 1 on a tie, an argmax
  the smallest class.
- Everything random takes a seed. Label noise compares one uniform number a point with the flip
  rate, so that a higher rate only ever flips more labels.
- What readers type refuses a value out of range in one sentence that names it, and never clips it;
  functions behind it do not check again. A bad value of a control becomes a sentence in the lab's
  message line. Only values that nobody set move into a range that others changed.
- Names of parameters, symbols and controls are those of ``knnviz/lessons/notation.csv``.
- A moved slider draws nothing with matplotlib. Every picture has words, which change with its
  numbers.
- A notebook is committed executed, runs offline in 45 seconds, and shows the same again. After a
  lesson its kernel has 400 MB at most, and no widgets but those of its page.
"""

import gc

from hypothesis import settings

settings.register_profile("knnviz", derandomize=True, deadline=None, print_blob=False)
settings.load_profile("knnviz")


def pytest_collection_finish() -> None:
    """Set aside what was imported: labs that are closed collect garbage, and would go through all
    of it each time.
    """
    gc.collect()
    gc.freeze()
