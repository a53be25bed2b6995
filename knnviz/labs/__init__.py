"""Labs: a few parameters, the stages that follow from them, and the views that show them.

A lab is loaded when it is first asked for; ``__init__.pyi`` says where each of them is.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
