"""A look at a program before it runs: what cannot work is said at once.

``look_lines`` tells by the text alone which lines are worth a look. ``preflight`` parses the program,
``suspects`` finds in those lines what is not there, ``bindings`` what names stand for, and ``harmless``
whether the program is certain to get that far. ``syntax_help`` is for what does not parse.
"""
