"""Whether a program awaits what a function of ours gives it.

``awaited`` asks: of the frame, then of the text. ``statement_uses`` reads the text from its last statement to
its first, with ``expression_uses`` and ``call_uses`` for what is in them and ``name_uses`` for what the rest
does with each name; ``uses`` are the answers, ``async_names`` what needs no reading. ``handed`` follows a value into
a function that it is handed to.
"""
