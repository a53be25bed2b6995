"""What several labs share: data, votes, query points, and the panels that show them.

A part is a ``Component`` or a ``Panel`` of ``knnviz.labs.engine``, and overrides some of its hooks. The body of a lab
declares parts by name, and passes an ``Input`` of a part as a keyword argument; ``Input(None)`` has the default None.

Hooks of a component, which ``Lab`` calls when values change: ``limits`` are the lowest and highest value of a number,
or the options of a choice; other values are refused. ``feasible_range`` is the part of them that goes together with the
other values, such as k up to n, and ``slider_range`` the part of the feasible range that a slider shows.
``round_moved`` rounds what a page sends. ``coerce`` adjusts the proposed ``values`` to the ``changes`` that the reader
made, and returns sentences for the reader; meanwhile ``lab.values`` are the values before. ``lab.move_and_note``
adjusts one value and returns a sentence on it. ``validate`` refuses values that do not go together. ``hidden`` names
parameters without effect. ``actions`` are its buttons, ``scene_extras`` what a saved scene holds of it besides its
parameters, and ``is_preview`` is true while finer numbers are computed.

Hooks of a panel: ``axes``, ``layers`` and ``alt_text`` make the picture. ``pick`` returns the parameters to set after a
click; its ``mark`` and ``index`` name a marker that was dragged, None and 0 for a click. ``self.draw`` calls a function
that makes layers, and keeps them until its arguments change. ``lab.display_scale`` has the sizes for a screen or a
projector.

The tags of a parameter describe its control. Some are constraints: ``at_most`` and ``below`` name another parameter
that bounds it, and ``when`` the values of others under which it has an effect (``lab.declared`` finds parameters by
their tags). The tag ``neutral`` is its value without effect, which ``TrainingData`` sets with more than two classes.
``play`` adds a player to a control, and names the method with its pace.
The tag ``depend_on_before`` names options of a menu that show what was chosen before; a recording leaves them out.

A ``stage`` is a cached value, computed again if something that it read has changed; with ``compare_values`` an equal
value is no change. A ``background`` stage is a generator, whose later values come from a worker thread; a lab opens
without waiting for a ``streaming`` one. A ``large`` value is released while the reader moves another lab. A scene is
the saved state of a lab. In it a ``spec`` describes the data: name, parameters and, for data that are not generated, a
checksum.

Terms. A source is a problem, whose distribution is known, or a data set. eta is the regression function: eta (m, C) are
the probabilities of the C classes at m points. The cells of a map are those of an even grid over the box of a problem;
a ``Measure`` has the probability of each, and a ``Field`` grid, measure and eta. ``k_max`` is the number of neighbors
that are looked up, at least k. A profile holds the votes for each class among the k nearest neighbors, for all k up to
``k_max``: a ``VoteProfile`` at points, a ``WindowProfile`` in all windows of a line. A ball of mass p around a point is
the smallest with probability p in the true distribution; a ``BallProfile`` holds the class probabilities
``frequency[j, c, i]`` in ball j around point i.
A bag is a candidate label set. q are class weights: votes or eta are multiplied by them, and the largest product
decides.
"""
