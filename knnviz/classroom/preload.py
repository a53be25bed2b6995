"""Imported by the process that is forked for each kernel: labs and lessons, with the functions of
numba compiled.
"""

import gc

from knnviz import labs, lessons
from knnviz.warm import warm

warm()
for package in (labs, lessons):
    for name in package.__all__:
        # A name is loaded when it is first read.
        getattr(package, name)
# A garbage collection would write to every object, and memory that is written to is no longer
# shared.
gc.collect()
gc.freeze()
