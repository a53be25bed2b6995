"""Balls that grow around a point of a weighted measure, whose points have weights and class
frequencies.

The margin of a ball is q_f eta_f - max_{c != f} q_c eta_c, with its class frequencies eta_c,
weights q and the weighted Bayes class f at the center. gamma is the largest number by which, in
every ball so far, each top class at the center leads every other class, unweighted; 0 where one
does not lead.
"""

import numpy as np

from knnviz.kernels.jit import kernel

#: Two distances (on a grid, their squares), or two masses, of a smaller relative difference count
#: as equal.
EQUAL_TOL = 1e-9


@kernel
def margin_of_ball(frequency, i, best, q):
    """q_f eta_f - max_{c != f} q_c eta_c of ball i of class frequencies (C, b), with f = best (b,)
    and q (C,).
    """
    rival = -np.inf
    for c in range(frequency.shape[0]):
        if c != best[i]:
            rival = max(rival, q[c] * frequency[c, i])
    return q[best[i]] * frequency[best[i], i] - rival


@kernel
def update_frequency(mass, class_mass, frequency):
    """Class frequencies of balls, class_mass / mass; a ball without mass keeps those that it
    has.
    """
    for c in range(frequency.shape[0]):
        for i in range(mass.shape[0]):
            if mass[i] > 0.0:
                frequency[c, i] = class_mass[c, i] / mass[i]


@kernel
def record_balls(mass, frequency, best, top, q, seen, reached, masses, column, outputs):
    """Record b balls that have grown to their next radius.

    mass (b,) and frequency (C, b) are the balls' masses and class frequencies; best (b,) is the
    weighted Bayes class at the center, top (C, b) whether an unweighted eta_c is largest there, q
    (C,) the weights. seen (C + 4, b) holds extremes over the radii so far: the smallest frequency
    of each class, the smallest margin, the smallest absolute margin, gamma, and the largest p *
    gamma^2, p the mass. reached (b,) counts the masses (J,) that a ball has reached.

    Outputs, from ``column`` on: frequencies (J, C, m) in the first ball of each mass, lowest (J, C
    or 0, m) the smallest ones up to it, extremes (J, 3, m) the smallest margin, smallest absolute
    margin and largest p * gamma^2.
    """
    frequencies, lowest, extremes = outputs
    n_classes = frequency.shape[0]
    n_masses = masses.shape[0]
    smallest = n_classes
    absolute = n_classes + 1
    gamma = n_classes + 2
    product = n_classes + 3
    for i in range(mass.shape[0]):
        if reached[i] == n_masses:
            continue
        lowest_top = np.inf
        highest_other = -np.inf
        for c in range(n_classes):
            value = frequency[c, i]
            seen[c, i] = min(seen[c, i], value)
            if top[c, i]:
                lowest_top = min(lowest_top, value)
            else:
                highest_other = max(highest_other, value)
        margin = margin_of_ball(frequency, i, best, q)
        seen[smallest, i] = min(seen[smallest, i], margin)
        seen[absolute, i] = min(seen[absolute, i], abs(margin))
        lead = 0.0 if highest_other == -np.inf else max(lowest_top - highest_other, 0.0)
        seen[gamma, i] = min(seen[gamma, i], lead)
        square = seen[gamma, i] ** 2
        query = column + i
        while reached[i] < n_masses:
            j = reached[i]
            if mass[i] < masses[j] * (1.0 - EQUAL_TOL):
                break
            for c in range(n_classes):
                frequencies[j, c, query] = frequency[c, i]
            for c in range(lowest.shape[1]):
                lowest[j, c, query] = seen[c, i]
            extremes[j, 0, query] = seen[smallest, i]
            extremes[j, 1, query] = seen[absolute, i]
            last_product = min(mass[i], masses[j]) * square
            extremes[j, 2, query] = max(seen[product, i], last_product)
            reached[i] += 1
        seen[product, i] = max(seen[product, i], mass[i] * square)


@kernel
def grow_on_grid(
    start, stop, weights, cell_mass, own_frequency, offsets, ends, best, top, q, masses, outputs
):
    """Grow a ball around each cell of the rows ``start`` to ``stop`` of a grid, cells at one
    distance together.

    weights (rows, columns) are the cells' masses, own_frequency (C, rows, columns) their class
    frequencies, and cell_mass (C, rows, columns) the products of both. offsets (s, 2) are steps
    along rows and columns, nearest first; the ones at one distance end at ends (e,). best (rows,
    columns), top (C, rows, columns) and the outputs are those of ``record_balls``.
    """
    n_classes, rows, columns = cell_mass.shape
    mass = np.empty(columns)
    class_mass = np.empty((n_classes, columns))
    seen = np.empty((n_classes + 4, columns))
    reached = np.empty(columns, np.int64)
    for row in range(start, stop):
        mass[:] = 0.0
        class_mass[:] = 0.0
        reached[:] = 0
        seen[:-1] = np.inf
        seen[-1] = 0.0
        frequency = own_frequency[:, row].copy()
        center = (best[row], top[:, row])
        begin = 0
        for end in ends:
            for step in range(begin, end):
                other = row + offsets[step, 0]
                shift = offsets[step, 1]
                if 0 <= other < rows:
                    low = max(0, -shift)
                    high = min(columns, columns - shift)
                    for i in range(low, high):
                        mass[i] += weights[other, i + shift]
                    for c in range(n_classes):
                        for i in range(low, high):
                            class_mass[c, i] += cell_mass[c, other, i + shift]
            update_frequency(mass, class_mass, frequency)
            begin = end
            record_balls(mass, frequency, *center, q, seen, reached, masses, row * columns, outputs)
            if reached.min() == masses.shape[0]:
                break


@kernel
def grow_among_points(
    start, stop, points, weights, own_frequency, queries, at_center, best, top, q, masses, outputs
):
    """Grow a ball around each of the queries (m, d) from ``start`` to ``stop``, points at one
    distance together.

    points (N, d), weights (N,) and own_frequency (C, N) are the measure; best (m,), top (C, m) and
    the outputs are those of ``record_balls``. at_center (C, m) are the frequencies in balls of
    radius zero.
    """
    n_classes, n = own_frequency.shape
    mass = np.empty(1)
    class_mass = np.empty((n_classes, 1))
    seen = np.empty((n_classes + 4, 1))
    reached = np.empty(1, np.int64)
    for query in range(start, stop):
        squares = np.zeros(n)
        for axis in range(points.shape[1]):
            squares += (points[:, axis] - queries[query, axis]) ** 2
        order = np.argsort(squares)
        mass[:] = 0.0
        class_mass[:] = 0.0
        reached[:] = 0
        seen[:-1] = np.inf
        seen[-1] = 0.0
        frequency = at_center[:, query : query + 1].copy()
        center = best[query : query + 1], top[:, query : query + 1]
        if squares[order[0]] > 0.0:
            record_balls(mass, frequency, *center, q, seen, reached, masses, query, outputs)
        begin = 0
        while begin < n and reached[0] < masses.shape[0]:
            edge = squares[order[begin]] * (1.0 + 2.0 * EQUAL_TOL)
            while begin < n and squares[order[begin]] <= edge:
                point = order[begin]
                mass[0] += weights[point]
                for c in range(n_classes):
                    class_mass[c, 0] += weights[point] * own_frequency[c, point]
                begin += 1
            update_frequency(mass, class_mass, frequency)
            record_balls(mass, frequency, *center, q, seen, reached, masses, query, outputs)


@kernel
def smallest_margin(frequencies, best, q, margin):
    """Write into margin (m,) the smallest margin of J balls of frequencies (J, C, m), with f = best
    (m,), q (C,).
    """
    margin[:] = np.inf
    for j in range(frequencies.shape[0]):
        for i in range(margin.shape[0]):
            of_ball = margin_of_ball(frequencies[j], i, best, q)
            margin[i] = min(margin[i], of_ball)


@kernel
def largest_product(masses, lowest, contrast, offsets, class_1_leads, product):
    """Write into product (m,) the largest masses (J,) * gamma^2 of two classes.

    lowest (J, 2, m) are the smallest frequencies without noise; with noise they are offsets (2,) +
    contrast * lowest. class_1_leads (m,) bool is whether it does so at the center.
    """
    product[:] = 0.0
    for j in range(masses.shape[0]):
        for i in range(product.shape[0]):
            c = 1 if class_1_leads[i] else 0
            gamma = 2.0 * (offsets[c] + contrast * lowest[j, c, i]) - 1.0
            if gamma > 0.0:
                product[i] = max(product[i], masses[j] * gamma * gamma)
