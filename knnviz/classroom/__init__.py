"""A lesson for a class on one machine: its server, and kernels that share memory."""
