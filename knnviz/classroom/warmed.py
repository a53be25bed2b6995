"""Imported by a process that is to be copied: all that labs and lessons need, and every kernel compiled."""

import gc

import knnviz.__main__ as command
from knnviz import labs, lessons

command.warm()
for package in (labs, lessons):
    for name in package.__all__:
        # A name is loaded when it is first asked for.
        getattr(package, name)
# A collection would write into every object, and a page that is written to is no longer shared.
gc.collect()
gc.freeze()
