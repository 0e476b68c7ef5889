"""Code that does not parse: what the writer most likely meant, in one line.

Python's own message says what is wrong; the hint here says what to write instead, for the mistakes where
the message alone does not.
"""

from __future__ import annotations

import keyword
import re

from ..hints.missing import INSTALL_HINT, NETWORK_HINT
from .look_lines import JAVASCRIPT_HINT, SHELL_HINT

_FENCE = re.compile(r"\s*(```|~~~)\s*(?:python3?|py|ipython)?\s*$", re.IGNORECASE)

_PIP = re.compile(r"\s*[!%$]*\s*(?:python3?\s+-m\s+|uv\s+)?(?:pip3?|conda|micropip)\s+install\b")
_MAGIC = re.compile(r"\s*(?:!\s*[\w./~]|%%?[a-z]+\b)")
_SHELL = re.compile(
    r"\s*(?:\$ +|sudo +)?(?:"
    "apt|apt-get|awk|bash|brew|bun|cargo|cat|cd|chmod|conda|cp|curl|deno|docker|echo|export|find|git|go|"
    "grep|head|kill|ls|make|mkdir|mv|node|npm|npx|pip|pip3|pnpm|podman|ps|pwd|python|python3|rm|sed|sh|"
    "source|sudo|tail|tar|touch|unzip|uv|uvx|wget|which|yarn"
    r")(?:\s*$|\s+(?!=|in\b|is\b|if\b|and\b|or\b|not\b|for\b))"
)
_DOWNLOAD = re.compile(r"\s*[!$]?\s*(?:curl|wget)\s")
_JAVASCRIPT = re.compile(
    r"\s*(?:export\s+)?(?:const|let|var)\s+[\w{\[]|.*\bconsole\.(?:log|error)\s*\(|.*=>|"
    r"\s*(?:export\s+|async\s+)*function\b|\s*import\b.*\bfrom\s*['\"]|.*\brequire\s*\(|"
    r".*[!=]==|\s*(?:\}\s*)?(?:if|for|while|else|switch|catch)\b.*\{\s*$|\s*\}\s*(?:else|catch)\b"
)

#: What a line that does not parse often is, and what to write instead.
_LINES: tuple[tuple[str, str], ...] = (
    (r".*&(?:lt|gt|amp|quot|#39);", "The code is HTML-escaped: write <, >, & and quotes as they are"),
    (r".*\w\s*(?:\+\+|--)\s*(?:$|[;)])", "Python has no ++ and --: write `x += 1` or `x -= 1`"),
    (r".*(?:&&|\|\|)", "Python writes `and`, `or` and `not`"),
    (r".*\belse\s+if\b", "Python writes `elif`"),
    (r"\s*catch\b", "Python writes `except`"),
    (r".*=\s*new\s+\w+\s*\(", "Python makes an object without `new`"),
    (r".*\S \?.* :", "Python writes `a if condition else b`"),
    (r"\s*//", "A comment starts with #"),
    (r"\s*/\*", "A comment starts with #"),
    (r"\s*\w+\s*:=", "`:=` needs parentheses; a statement of its own writes `=`"),
    (r"\s*(?:public|private|static|void|int|string|String)\s+\w+", "This is not Python: write `name = value`"),
)

_CLOSING = {"(": ")", "[": "]", "{": "}"}

#: Words of Python's own message → the hint.
_MESSAGES: tuple[tuple[str, str], ...] = (
    (r"'return' outside function", "At the top level the last value is echoed by itself: write it alone, or print it"),
    (r"'(?:await|async \w+)' outside|asynchronous comprehension outside", "Make the function `async def` and call it with `await`; top-level `await` works"),
    (r"'yield.*' outside function", "Put it into a function, or print the values"),
    (r"inconsistent use of tabs", "Indent with 4 spaces everywhere, no tabs"),
    (r"unindent does not match", "Indent with 4 spaces per level"),
    (r"unexpected indent", "Lines of one block start in the same column; the top level starts in the first"),
    (r"expected an indented block", "Indent the body by 4 spaces, or write `pass`"),
    (r"unterminated triple-quoted", 'Close the text with the same three quotes'),
    (r"unterminated (?:f-|t-)?string", 'Close the quote on the same line, or use """ for text of several lines'),
    (r"[ft]-string: (?:single '}'|expecting (?:'}'|a valid))", "Write {{ and }} for braces that are text"),
    (r"[ft]-string", "Use other quotes inside the braces than around the text, or compute the value on a line before"),
    (r"invalid character '[‘’“”„«»]'", "Write straight quotes: ' or \""),
    (r"invalid character|invalid non-printable", "Replace it with the plain character, such as a space"),
    (r"\(unicode error\)", 'Write a raw text for backslashes: r"C:\\path"'),
    (r"null bytes", "Write \\0 inside a text instead of the character itself"),
)


def without_fence(code: str) -> str | None:
    """The code between Markdown fences, its lines where they were; ``None`` if it is not one fenced block."""
    lines = code.split("\n")
    shown = [number for number, line in enumerate(lines) if line.strip()]
    if len(shown) < 2 or not _FENCE.match(lines[shown[0]]):
        return None
    first, last = shown[0], shown[-1]
    if lines[last].strip() == lines[first].strip()[:3]:
        lines[last] = ""
    lines[first] = ""
    return "\n".join(lines)


def is_command(line: str) -> bool:
    """Whether a line is meant for a shell or a notebook, not for Python."""
    return any(pattern.match(line) for pattern in (_PIP, _MAGIC, _SHELL))


def syntax_hint(error: SyntaxError, code: str) -> str | None:
    """What to write instead."""
    line = (error.text or "").rstrip("\n")
    message = error.msg or ""
    if _PIP.match(line):
        return INSTALL_HINT
    if "```" in code and not line.lstrip().startswith("#"):
        return "Send the code alone, without ``` and without text around it"
    if "line continuation" in message and "\n" not in code.strip() and "\\n" in code:
        return "The code has the characters \\n where a new line belongs: send real line breaks"
    if _MAGIC.match(line):
        return "This is no notebook and no shell: only Python runs here"
    if _DOWNLOAD.match(line):
        return NETWORK_HINT
    if _SHELL.match(line):
        return SHELL_HINT
    for pattern, hint in _MESSAGES:
        if re.search(pattern, message):
            return hint
    # A bracket that is never closed makes Python point at a later line that is right.
    if "never closed" in message or "unmatched" in message or "does not match" in message:
        return _bracket_hint(message)
    if message == "invalid syntax":
        word = _reserved_word(line)
        if word is not None:
            return f"`{word}` is a word of Python itself: tools and arguments of that name are written `{word}_`"
    if _JAVASCRIPT.match(line):
        return JAVASCRIPT_HINT
    for pattern, hint in _LINES:
        if re.match(pattern, line):
            return hint
    if message == "invalid syntax" and re.match(r"\s*[A-Z][a-z]*(?:[ ,']+[a-z]+){2}", line):
        return "Send the code alone, without text around it"
    return None


def _reserved_word(line: str) -> str | None:
    """A keyword that stands where a tool's or an argument's name belongs."""
    words = re.findall(r"\bmcp_\w+\.(\w+)\s*\(|[(,]\s*(\w+)\s*=(?!=)", line)
    return next((word for pair in words for word in pair if keyword.iskeyword(word)), None)


def _bracket_hint(message: str) -> str | None:
    found = re.search(r"'([([{])' was never closed", message)
    if found:
        return f"Add the missing {_CLOSING[found[1]]!r}"
    if message.startswith("unmatched"):
        return "Remove it, or add the bracket it should close"
    found = re.search(r"does not match opening parenthesis '([([{])'", message)
    return f"Close {found[1]!r} with {_CLOSING[found[1]]!r} first" if found else None
