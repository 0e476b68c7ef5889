"""Stands in for PIL."""
