"""Straight-line scores that learn from bags of labels: losses, their slopes, and how they are brought down."""
