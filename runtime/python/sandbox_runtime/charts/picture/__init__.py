"""A picture as shapes, and what makes pixels and SVG of it."""
