"""Random JSON documents, each sent to a server and compared with what comes back, types and order included."""

import asyncio
import json
import random
import struct

ODD_KEYS = ("__proto__", "toJSON", "constructor", "hasOwnProperty", "10", "9", "-1", "", "doc", "id", "result", "\u2028")
ODD_TEXTS = ('"doc":', '\\"', "\ud800", "\udfff\ud800", "\U0001f600", "\0\x1f\x7f", "\u2028\u2029", "\\ud800", "null", "1e400")
ODD_NUMBERS = (0, -0.0, 0.0, 1.0, -1, 2**53, 2**53 + 1, -(2**53) - 1, 2**63, 2**64, 10**400, 1e16, 1e22, 1e-7, 5e-324)


def text(rng):
    if rng.random() < 0.3:
        return rng.choice(ODD_TEXTS)
    top = rng.choice((0x7F, 0xFF, 0x2FFF, 0xFFFF, 0x10FFFF))
    return "".join(chr(rng.randrange(top + 1)) for _ in range(rng.randrange(20)))


def number(rng):
    kind = rng.randrange(4)
    if kind == 0:
        return rng.choice(ODD_NUMBERS)
    if kind == 1:
        return rng.choice((1, -1)) * rng.getrandbits(rng.choice((8, 31, 53, 54, 64, 65, 200, 3000)))
    if kind == 2:
        return round(rng.uniform(-1000, 1000), rng.randrange(4))
    while True:
        (value,) = struct.unpack("d", struct.pack("Q", rng.getrandbits(64)))
        if value - value == 0:
            return value


def document(rng, depth=0):
    kind = rng.randrange(7 if depth < 5 else 4)
    if kind == 0:
        return rng.choice((None, True, False))
    if kind == 1:
        return text(rng)
    if kind <= 3:
        return number(rng)
    size = rng.randrange(6)
    if kind == 4:
        return [document(rng, depth + 1) for _ in range(size)]
    return {rng.choice(ODD_KEYS) if rng.random() < 0.3 else text(rng): document(rng, depth + 1) for _ in range(size)}


def same(a, b):
    if type(a) is not type(b):
        return False
    if type(a) is dict:
        return list(a) == list(b) and all(same(a[key], b[key]) for key in a)
    if type(a) is list:
        return len(a) == len(b) and all(map(same, a, b))
    return struct.pack("d", a) == struct.pack("d", b) if type(a) is float else a == b


async def round_trips(tools, count, seed):
    """The documents that came back changed, of so many."""
    rng = random.Random(seed)
    changed = []

    async def one(number):
        sent = document(rng)
        came = (await tools[number % len(tools)](doc=sent))["doc"]
        # Two surrogates that make a pair are one character to Python's own JSON as well.
        if not same(json.loads(json.dumps(sent)), came):
            changed.append((number, sent, came))

    for start in range(0, count, 100):
        await asyncio.gather(*[one(number) for number in range(start, min(count, start + 100))])
    return changed
