"""Event loops, what comes in through them, and what stops the code they run."""
