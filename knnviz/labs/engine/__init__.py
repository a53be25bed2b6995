"""What any lab needs, and nothing about neighbors: parameters, stages, background work, widgets."""
