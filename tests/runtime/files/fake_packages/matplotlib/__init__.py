"""Stands in for matplotlib: as much of it as the runtime touches."""
