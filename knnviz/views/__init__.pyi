from .plot import plot_map as plot_map
