"""A lesson for a class on one machine: its server, and kernels that share memory.

A kernel is the Python process behind the page of a student; Voila serves a notebook as such a page, without its code.
"""
