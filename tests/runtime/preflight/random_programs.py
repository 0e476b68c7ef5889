"""Random programs with something in them that this run does not have, and much that may keep it from mattering.

A program is made of three kinds of lines: those that fail if they are reached, those that change what comes
after them (they end the program, catch errors, make names and modules), and those that do neither.
"""

from __future__ import annotations

import ast
import random
import textwrap

#: Each fails by itself where it stands.
WRONG = (
    "mcp_nope.x()",
    "r = await mcp_nope.x(a)",
    "print(mcp_nope.x)",
    "import fz_missing",
    "import fz_missing as m",
    "from fz_missing import part",
    "import json, fz_missing",
    "print(true)",
    "b = [null, a]",
    "console.log(a)",
    "await mcp_weather.get_wether(city='x')",
    "await mcp_weather.get_weather(citty='x')",
    "r = await mcp_weather.get_weather()",
    "mcp_weather.get_wether",
    "await mcp_servers['nope'].x()",
    "await mcp_servers['weather'].get_wether()",
    "mcp.servers.nope",
    "from mcp.servers.nope import x",
    "from mcp.servers.weather import get_wether",
    "from mcp.servers import nope",
    "from mcp import ClientSession",
    "import mcp.client",
    "b = [mcp_nope.x() for n in a]",
    "b = (mcp_nope.x() for n in [1])",
    "b = a and mcp_nope",
    "b = mcp_nope if a else 1",
    "b = 0 < len(a) < null",
    "f = lambda: mcp_nope.x()",
    "assert a, mcp_nope.x()",
    "assert str(a), mcp_nope.x()",
    "def f(x=mcp_nope): pass",
    "for n in mcp_nope.x(): pass",
    "while mcp_nope: break",
    "with mcp_nope: pass",
    "print(f'{mcp_nope} {a}')",
    "print(own(1), mcp_nope)",
    "class K:\n    x = mcp_nope",
    "class K(mcp_nope.X): pass",
    "@mcp_nope\ndef f(): pass",
    "b = {mcp_nope: 1}",
    "a[0:mcp_nope]",
    "mcp_nope.x = 1",
    "del a, mcp_nope",
    "x: mcp_nope = 1",
    "x: int = mcp_nope",
    "match mcp_nope:\n    case _: pass",
    "async for n in mcp_nope: pass",
    "return_value = [*mcp_nope]",
    "print(**true)",
    "b = [n for n in a if mcp_nope]",
    "b = (n for n in mcp_nope)",
    "b = {n: mcp_nope for n in [1]}",
    "b = [n for n in [] for m in mcp_nope]",
    "b = None or not mcp_nope",
    "b = len(a) or mcp_nope",
    "a[mcp_nope] = 1",
    "a += mcp_nope",
    "a, *b = mcp_nope",
    "(b := mcp_nope)",
    "assert not mcp_nope, 'text'",
    "for n in a: mcp_nope",
    "for n in []: pass\nelse: mcp_nope",
    "if a: import fz_missing",
    "try: import fz_missing\nexcept ImportError: fz_missing = None",
    "try: mcp_nope\nexcept NameError: mcp_nope = runtime",
    "try: pass\nexcept mcp_nope: pass",
    "try: 1 / 0\nexcept mcp_nope: pass",
    "async with mcp_nope: pass",
    "b = [n async for n in mcp_nope]",
    "class K:\n    def print(self): import fz_missing\nprint('x')",
    "def f():\n    def sorted(x): import fz_missing\nprint(sorted([2, 1]))",
    "def f():\n    yield mcp_nope\nf()",
    "async def f(): mcp_nope.x()\nb = f()",
    "import json; import fz_missing",
    "(lambda: mcp_nope)()",
    "sorted([1], key=lambda n: mcp_nope)",
    "sorted([], key=lambda n: mcp_nope)",
    "list(map(lambda n: mcp_nope, a))",
    "map(lambda n: mcp_nope, a)",
)

#: Nothing of this ends a program or changes what a name means.
PLAIN = (
    "a = []", "a = [1, 2]", "a = {'k': [1]}", "a = 'text'", "a = 0", "b = None", "n = 1",
    "import json", "import json, os.path", "import asyncio", "from datetime import date", "import re as regex",
    "print('x')", "print(a, sep='')", "print(f'{a!r:>3}')", "b = len(str(a))", "a = a or [3]", "b = not a",
    "a = list(map(str, [1, 2]))", "a = sorted([2, 1], key=lambda n: -n)", "a = [n for n in 'ab' if n]",
    "a = {n: 1 for n in 'ab'}", "a = sum(n for n in [1, 2])", "a, b = 1, [2]", "(c := 5)", "n += 1", "n -= 1",
    "r = await mcp_weather.get_weather(city='Oslo')", "print((await mcp_weather.get_weather(city='Oslo'))['city'])",
    "await mcp_todo.list_items()", "r = (await mcp_todo.list_items())[0].get('title', '').upper()",
    "import asyncio\nr = await asyncio.gather(*[mcp_weather.get_weather(city=c) for c in 'ab'])",
    "from mcp.servers.weather import get_weather\nr = await get_weather('Oslo')",
    "import json\nr = json.loads(json.dumps({'a': [1]}))", "from json import dumps\nb = dumps(a)", "import time\ntime.sleep(0)",
    "import asyncio\nawait asyncio.sleep(0)", "from asyncio import gather\nr = await gather(mcp_todo.list_items())", "r = await runtime.call_tool('weather', 'forecast', {'city': 'a'})",
    "def f(x: list[int] = (), *y, z=1) -> str:\n    return exit()", "async def g(): return exit()",
    "class P:\n    'text'\n    def print(self): exit()\n    def gather(self): exit()", "pass", "global z", "assert 1",
    "for n in [1, 2]:\n    if n: continue\n    break\nelse:\n    pass",
    "try:\n    a = {}['k']\nexcept (KeyError, TypeError) as e:\n    print(e)\nfinally:\n    n = 1",
)  # fmt: skip

#: Some of these make that the rest is not reached, or is right.
TURNS = (
    "exit()", "quit(0)", "import sys\nsys.exit()", "raise SystemExit", "from sys import exit as print\nprint()",
    "print = exit\nprint()", "str = exit\nstr()", "x = exit\nfor n in 'a': x()", "import json as x\nx.codecs.sys.exit()",
    "[exit() for n in 'a']", "list(map(exit, [0]))", "sorted([1], key=exit)", "sorted([1], key=lambda n: exit())",
    "f = lambda: exit()\nf()", "(lambda: exit())()", "own = exit\nown()", "own()", "print(own)", "len(odd)", "f'{odd}'",
    "odd + 1", "odd == 1", "1 in odd", "odd[0]", "odd.x", "for n in odd: pass", "[*odd]", "{odd: 1}", "{**odd}",
    "await odd", "if odd: pass", "a = [odd]\nprint(a)", "for odd in []: pass\nprint(odd)", "if 0: odd = 1\nprint(odd)",
    "with odd: pass", "with odd:\n    mcp_nope.x()", "with odd:\n    import fz_missing", "odd.x = 1", "odd[0] = 1", "del odd.x",
    "async with odd: pass", "async for n in odd: pass", "class K(odd): pass", "class K(type(odd)): pass", "@odd\ndef f(): pass",
    "@odd\nclass K: pass", "match odd:\n    case 1: pass", "x: odd[1] = 1", "def f(x: odd[1]): pass", "print(*odd)",
    "class K:\n    def __str__(self): exit()\nprint(K())", "class K:\n    def __init_subclass__(c): exit()\nclass L(K): pass",
    "class K:\n    exit()", "class K:\n    str = exit\n    x = [str() for n in 'a']", "class M(type):\n    def __or__(s, o): exit()\nclass K(metaclass=M): pass\nx: K | None = 1",
    "def f(): exit()\nf()", "def f(x=exit()): pass", "async def f(): exit()\nawait f()",
    "import asyncio\nasync def f(): exit()\nasyncio.run(f())", "import asyncio\nasync def f(): exit()\nawait asyncio.gather(f())",
    "def print(*x): exit()\nprint(1)", "def len(x): exit()\nprint(len('a'))", "async def gather(*x): exit()\nawait gather()",
    "class asyncio:\n    async def gather(*x): exit()\nawait asyncio.gather(1)", "class json:\n    def dumps(x): exit()\njson.dumps(1)",
    "class runtime:\n    def call_tool(*x): exit()\nruntime.call_tool(1)", "class K:\n    def run(s, f): pass\nK().run(lambda: mcp_nope.x())",
    "async def gather(*x): pass\nasync def f(): mcp_nope.x()\nawait gather(f())",
    "import contextlib\nwith contextlib.suppress(Exception):\n    mcp_nope.x()", "import unittest\nunittest.main(argv=['x'], module=None)",
    "mcp_nope = None", "mcp_nope = mcp_weather", "for mcp_nope in [1]: pass", "true = null = 1", "console = runtime",
    "import json as mcp_nope", "def mcp_nope(): pass", "class mcp_nope: x = print", "(mcp_nope := 1)", "null, true = 1, 2",
    "globals()['mcp_nope'] = mcp_weather", "exec('mcp_nope = true = null = 1')", "vars().update(mcp_nope=1)", "from fz_star import *",
    "import builtins\nbuiltins.true = builtins.null = 1", "import builtins as x\nx.mcp_nope = 1", "import fz_side", "import fz_leaves",
    "import sys, types\nsys.modules['fz_missing'] = types.ModuleType('x')", "import sys\nsys.path.insert(0, 'more')", "import os\nos.chdir('more')",
    "import importlib\nopen('fz_missing.py', 'w').close()\nimportlib.invalidate_caches()", "mcp_servers['nope'] = runtime",
    "import importlib\nsave_file('fz_missing.py', 'part = 1')\nimportlib.invalidate_caches()", "mcp_servers.update(nope=runtime)",
    "mcp_weather.get_wether = print", "setattr(mcp_weather, 'get_wether', print)", "mcp.servers.nope = 1", "mcp_weather = runtime",
    "import mcp.servers\nmcp.servers.nope = 1", "mcp = runtime", "mcp_servers = {'nope': 1}", "mcp_servers |= {'nope': 1}",
    "(n for n in '').gi_frame.f_globals.update(mcp_nope=1)", "print.__self__.mcp_nope = 1", "def f():\n    global mcp_nope\n    mcp_nope = 1\nf()",
    "import time\nprint(time.sleep(0))", "while True: break", "while a: break", "with open('f', 'w') as f: pass", "assert odd", "raise own",
    "import os\nprint(os.getcwd())", "import math\nmath.floor(odd)", "try:\n    exit()\nexcept SystemExit:\n    pass",
    "from unittest import __main__", "import unittest.__main__", "import colorsys", "from colorsys import hls_to_rgb", "import string.x",
    "[print := exit]\nprint()", "for print in [exit]: print()", "import sys as print\nprint.exit()", "*print, b = [exit]\nb()",
    "try:\n    1 / 0\nexcept Exception as print:\n    pass", "match exit:\n    case print: print()", "a = [exit]\na[0]()", "a = {'k': exit}\na['k']()",
    "a = map(exit, [1])\nfor n in a: pass", "print(*map(exit, [0]))", "a, b = map(exit, [1, 2])", "a[:] = map(exit, [1])", "b = zip(map(exit, [0]), [1])\nfor n in b: pass",
    "a = sorted\na([2], key=exit)", "b = {}.get('x', exit)\nb()", "b = None or exit\nb()", "b = exit if 1 else 1\nb()", "b = [n for n in [exit]][0]\nb()",
    "b = (lambda f: f)(exit)\nb()", "b = dict(f=exit)\nb['f']()", "b = str.format\nb('{0.x}', odd)", "'{0.x}'.format(odd)", "'%s' % odd", "a += odd", "a[odd]", "'x'.join(odd)",
    "[].extend(odd)", "{}.update(odd)", "[odd, odd].sort()", "odd in a", "max(odd, odd)", "a.index(odd)", "mcp_todo.list_items(odd)",
    "r = await mcp_weather.get_weather(city=odd)", "import asyncio\nawait asyncio.gather(odd)", "import asyncio\nawait asyncio.sleep(odd)",
    "import types\nmcp_nope = types.SimpleNamespace(x=print)", "__builtins__.true = __builtins__.mcp_nope = 1", "import sys\nsys.stdout = odd\nprint(1)",
    "import contextlib\n@contextlib.contextmanager\ndef own():\n    try: yield\n    except BaseException: pass\nwith own():\n    mcp_nope.x()",
    "class K:\n    def __enter__(self): pass\n    def __exit__(self, *_): return True\nwith K():\n    import fz_missing",
    "import os, pathlib\npathlib.Path('fz_missing.py').touch()\nimport importlib\nimportlib.invalidate_caches()", "import asyncio\nasync def f():\n    global mcp_nope\n    mcp_nope = 1\nasyncio.create_task(f())\nawait asyncio.sleep(0)",
    "a = type('K', (), {'__len__': exit})()\nlen(a)", "def f(n): exit()\na = filter(f, [1])\nlist(a)", "b = (exit() for n in [1])\nprint(*b)", "b = (exit() for n in [1])\n1 in b",
    "try:\n    own()\nfinally:\n    pass", "try:\n    odd.x\nexcept ValueError:\n    pass", "import json\njson.dumps(a, default=exit)\njson.dumps(odd, default=exit)",
)  # fmt: skip

#: Modules a program finds in its folder; one that ends it, one that makes another, one that makes a name.
MODULES = {
    "fz_leaves.py": "raise SystemExit\n",
    "fz_side.py": "import sys, types\nsys.modules['fz_missing'] = types.ModuleType('fz_missing')\n",
    "fz_star.py": "mcp_nope = true = null = console = 1\n",
    "more/fz_missing.py": "part = 1\n",
    "colorsys.py": "raise SystemExit\n",
}

_EARLIER = """
class Odd:
    def leave(self, *_):
        raise SystemExit
    __str__ = __len__ = __bool__ = __eq__ = __iter__ = __contains__ = __getitem__ = __getattr__ = __await__ = leave
    __add__ = __hash__ = __setitem__ = __call__ = __mro_entries__ = __format__ = __repr__ = __class_getitem__ = leave
    def __setattr__(self, name, value): raise SystemExit
    def __enter__(self): pass
    def __exit__(self, *_): return True
def own(*_): raise SystemExit
def harmless(*_): pass
odd, a, n = Odd(), [1], 1
"""

_OTHER_NAMES = "print = len = str = sorted = own\nasyncio = json = e = b = c = r = x = odd\n"
_OTHER_PARTS = "import asyncio, time\nasyncio.gather = asyncio.sleep = time.sleep = own\n"
_STILL_BUSY = """
import asyncio, sys, types
turn = asyncio.sleep
async def go_on():
    global mcp_nope, true, null, console, fz_missing
    for _ in range(5): await turn(0)
    mcp_nope = true = null = console = runtime
    sys.modules["fz_missing"] = types.ModuleType("fz_missing")
task = asyncio.create_task(go_on())
del go_on
"""

#: What a session may have had before: other meanings of names and parts of modules, or a task that goes on.
SESSIONS = (
    "",
    "",
    _EARLIER,
    _EARLIER,
    _EARLIER + _OTHER_NAMES,
    _EARLIER + _OTHER_PARTS,
    _EARLIER + _STILL_BUSY,
)

_FRAMES = (
    "if a:\n{}", "if not a:\n{}", "for n in a:\n{}", "for n in []:\n{}", "try:\n{}\nexcept Exception: pass",
    "try:\n{}\nfinally: pass", "try: pass\nexcept Exception:\n{}", "while True:\n{}\n    break", "with odd:\n{}",
    "def f():\n{}", "async def f():\n{}\nawait f()", "async def f():\n{}", "def print(*x):\n    pass\n{}\nprint(1)",
    "class K:\n    def f(self):\n        pass\n{}", "class K:\n{}", "if 1:\n{}\nelse:\n    pass", "match 1:\n  case 1:\n{}",
)  # fmt: skip


def random_program(rng: random.Random) -> str:
    """One of about ten lines."""
    kinds = [PLAIN] * rng.randrange(8) + [TURNS] * rng.choice((0, 0, 1, 1, 2)) + [WRONG] * rng.choice((1, 1, 2))
    rng.shuffle(kinds)
    return "\n".join(_framed(rng, rng.choice(kind)) for kind in kinds) + "\n"


def _framed(rng: random.Random, statement: str) -> str:
    framed = rng.choice(_FRAMES).format(textwrap.indent(statement, "    "))
    try:
        compile(framed, "", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    except SyntaxError:
        # Such as an `await` in a plain function.
        return statement
    return framed if rng.random() < 0.2 else statement
