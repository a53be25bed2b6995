from .accuracy import plot_accuracies as plot_accuracies
from .parts import plot_parts as plot_parts
from .plot import plot_map as plot_map
from .sizes import plot_over_n as plot_over_n
