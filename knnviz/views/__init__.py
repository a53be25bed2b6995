"""Functions that turn plain objects into layers, and a painter that draws them with matplotlib.

A layer is data coordinates with a style, such as points or lines. A panel is axes with layers in
them, and a picture is panels on a sheet, measured in CSS pixels. A browser draws axes, layers and
legends, too, from the same numbers.

A function that draws a figure is loaded when it is first asked for, since layers alone need no
matplotlib; ``__init__.pyi`` says where each of them is.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
