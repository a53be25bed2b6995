"""Good calls of names that make problems, draw labels and bags, buy labels, and fit estimators."""

from knnviz import learnability

PROCESS = learnability.feng_process(3)

CALLS = {"learnability.rank": (learnability.rank, {"process": PROCESS})}
