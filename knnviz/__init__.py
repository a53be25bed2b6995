"""Theory of k-nearest-neighbor classification: the library behind the notebooks.

Each name is loaded at its first use, from the module that ``__init__.pyi`` gives.
"""

import lazy_loader

__version__ = "0.2.0"

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
