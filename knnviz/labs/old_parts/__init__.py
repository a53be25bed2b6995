"""What several labs share: data, votes, query points, and the panels that show them.

A part is a ``Component`` or a ``Panel`` of ``knnviz.labs.engine``, and overrides some of its hooks. The body of a lab
declares parts by name, and passes an ``Input`` of a part as a keyword argument; ``Input(None)`` has the default None.
``knnviz.labs.engine`` defines stages and pages, ``Parameter`` there the tags of parameters.

Terms. A source is a problem, whose distribution is known, or a data set. eta is the regression function: eta (m, C) are
the probabilities of the C classes at m points. The cells of a map are those of a regular grid over the box of a
problem; a ``Measure`` has the probability of each, and a ``Field`` grid, measure and eta. ``k_max`` is the number of
neighbors that are looked up, at least k. A ``Sample`` has points X, classes y, and uniform numbers: u drew the classes,
v the flips. A profile holds the votes for each class among the k nearest neighbors, for all k up to ``k_max``: a
``VoteProfile`` at points, a ``WindowProfile`` in all windows of a line. A ball of mass p around a point is the smallest
with probability p in the true distribution; a ``BallProfile`` holds the class probabilities ``frequency[j, c, i]`` in
ball j around point i. A bag is a candidate label set. q are class weights: votes or eta are multiplied by them, and the
largest product decides.
"""
