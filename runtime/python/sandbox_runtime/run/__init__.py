"""One program: from its text to what it printed, its last value or its error."""
