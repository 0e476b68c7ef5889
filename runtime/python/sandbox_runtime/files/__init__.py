"""Files of a run: kept, shown, or just written."""
