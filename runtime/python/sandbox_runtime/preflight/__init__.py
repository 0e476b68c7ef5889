"""A look at a program before it runs: what cannot work is said at once."""
