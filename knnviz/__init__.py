"""k-nearest-neighbour theory to see and to compute with.

A name is loaded when it is first asked for; ``__init__.pyi`` says where each of them is.
"""

import lazy_loader

__version__ = "0.1.0"

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
