"""Whether a program awaits what a function of ours gives it."""
