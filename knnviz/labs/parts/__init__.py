"""What several labs share: data, votes, query points, and the panels that show them.

A part is a ``Component`` or a ``Panel`` of ``knnviz.labs.engine``, and overrides some of its hooks.

Of a component, called by ``Lab`` when values change: ``limits``, ``feasible_range`` and ``slider_range`` bound a
parameter; ``round_moved`` rounds what a page sends; ``coerce`` moves values that must follow a change; ``validate``
refuses values that do not go together; ``hidden`` names parameters without effect. ``actions`` are its buttons,
``scene_extras`` what a saved scene holds of it, and ``is_preview`` is true while finer numbers are computed.

Of a panel, called when a picture is drawn: ``axes``, ``layers`` and ``alt_text``; and by a click, ``pick``, which
returns the parameters to set. The tag ``neutral`` is the value of a parameter where it has no effect, and
``TrainingData`` sets it with more than two classes. ``SetOnMap.refusal`` returns why a set cannot be shown.

A ``stage`` is a value that is computed when it is read, and again once something that it read has changed; with
``compare_values`` an equal value is no change. A ``background`` stage is a generator, whose later values come from a
worker thread; a lab opens without waiting for a ``streaming`` one. A scene is the saved state of a lab, a spec the
description of its data in it. ``display_scale`` are sizes for a screen or a projector.
"""
