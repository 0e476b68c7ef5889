"""Data in whatever shape: as columns, as series, as single values."""
