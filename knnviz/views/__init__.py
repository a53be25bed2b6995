"""Pure functions from plain objects to layers, and the painter that draws layers with matplotlib."""
