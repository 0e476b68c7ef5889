"""What to do about an error, in one line after the traceback."""
