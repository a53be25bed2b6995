"""Imported by a process that is to be copied: all that labs and lessons need, and every kernel compiled."""

import gc

import knnviz.__main__ as command

command.warm()
# A collection would write into every object, and a page that is written to is no longer shared.
gc.collect()
gc.freeze()
