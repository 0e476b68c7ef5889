"""How deep a source may nest at most, told from its tokens.

The parser itself cannot be asked: on the embedded engine one that runs out of stack takes the interpreter
with it.
"""

from __future__ import annotations

import io
import keyword
import tokenize
from typing import Iterator

#: Deepest nesting that is parsed. On the embedded engine the parser dies between 1,000 and 2,000.
MAX_DEPTH = 500

#: What may nest on behind a comma, or on lines of its own.
_LADDERS = frozenset({"elif", "else", "for", "lambda"})


def is_too_deep(source: str) -> bool:
    """Whether parsing this might need more stack than there is; errs on that side."""
    # Each level takes a character.
    if len(source) <= MAX_DEPTH:
        return False
    try:
        return any(depth > MAX_DEPTH for depth in _depths(source))
    except (tokenize.TokenError, SyntaxError):
        # The parser stops here, too.
        return False


def _depths(source: str) -> Iterator[int]:
    """For each token, the most levels that may be above it."""
    #: Operators so far, in each bracket that is open.
    open_ = [0]
    ladder = 0
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        text = token.string
        if token.type == tokenize.NEWLINE:
            open_ = [0]
        elif token.type == tokenize.OP:
            if text in "([{":
                open_.append(open_[-1] + 1)
            elif text in ")]}" and len(open_) > 1:
                open_.pop()
                open_[-1] += 1
            elif text in ",;":
                open_[-1] = open_[-2] + 1 if len(open_) > 1 else 0
            else:
                open_[-1] += 1
        elif token.type == tokenize.NAME and keyword.iskeyword(text):
            open_[-1] += 1
            ladder += text in _LADDERS
        yield open_[-1] + ladder
