"""A lesson for a class on one machine: its server, and kernels that share memory.

A kernel is the Python process behind the page of a student; Voila serves a notebook as such a page,
without its code. Kernels take turns: a lock file lets one at a time compute in the background. A
provisioner is Jupyter's way to start a kernel.
"""
