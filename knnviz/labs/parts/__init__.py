"""What several labs share: data, votes, query points, and the panels that show them.

A part is a ``Component`` or a ``Panel`` of ``knnviz.labs.engine``, and overrides some of its hooks.

Of a component, called by ``Lab`` when values change: ``limits`` are the lowest and highest value of a number, or the
options of a choice, and all else is refused. ``feasible_range`` is the part of them that goes together with the other
values, such as k up to n, and ``slider_range`` what a slider shows of it. ``round_moved`` rounds what a page sends.
``coerce`` changes proposed ``values`` that must follow the ``given`` ones, and returns a list of sentences on them,
which the lab shows; ``lab.values`` are still those before. ``lab.move_and_note`` does both for one value. ``validate``
refuses values that do not go together, and ``hidden`` names parameters without effect. ``actions`` are its buttons,
``scene_extras`` what a saved scene holds of it, and ``is_preview`` is true while finer numbers are computed.

Of a panel, called when a picture is drawn: ``axes``, ``layers`` and ``alt_text``; and by a click, ``pick``, which
returns the parameters to set. Its ``mark`` and ``index`` name a marker that was dragged there, None and 0 for a click.
``self.draw`` calls a function that makes layers, and keeps them until its arguments change. ``display_scale`` are sizes
for a screen or a projector.

An ``Input`` is what a lab gives to a part; its argument, if there is one, is the default. The tags of a parameter
describe its control. Tags are rules, too: ``at_most`` and ``below`` name another parameter that bounds it, ``when`` the
values of others under which it has an effect (``lab.declared`` finds parameters by their tags). The tag ``neutral`` is
its value without effect, which ``TrainingData`` sets with more than two classes.

A ``stage`` is a value that is computed when it is read, and again once something that it read has changed; with
``compare_values`` an equal value is no change. A ``background`` stage is a generator, whose later values come from a
worker thread; a lab opens without waiting for a ``streaming`` one. A scene is the saved state of a lab. In it a
``spec`` describes the data: name, parameters and, of data that are not generated, a checksum.

Terms. A source is a problem, whose distribution is known, or a data set. eta is the regression function: eta (m, C) are
the probabilities of the C classes at m points. The cells of a map are those of an even grid over the box of a problem,
and a ``Measure`` gives the probability of each. ``k_max`` is the number of neighbors that are looked up, at least k. A
profile holds the votes for each class among the k nearest neighbors, for all k up to ``k_max``: a ``VoteProfile`` of
points, a ``WindowProfile`` of all windows of a line. A ball of mass p around a point is the smallest of the probability
p in the true distribution; a ``BallProfile`` holds the class probabilities in such balls. A bag is a candidate label
set. q are class weights: votes or eta are multiplied by them, and the largest product decides.
"""
