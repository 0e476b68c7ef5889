"""Functions that a program finds: memory, saved tools, time."""
