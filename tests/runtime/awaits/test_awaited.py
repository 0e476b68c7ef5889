"""Functions of ours whose value is there at once: it is plain, and may be awaited in every way there is."""

from __future__ import annotations

import unittest

from kernel_host import KernelHost

_FUNCTION = """
import asyncio, inspect
from sandbox_runtime.awaits.awaited import also_awaitable
@also_awaitable
def give(value, *, twice=False):
    "Gives it."
    return value
"""


class AlsoAwaitableTest(unittest.TestCase):
    def setUp(self) -> None:
        self.host = self.enterContext(KernelHost())
        self.host.run(_FUNCTION)

    def assert_prints(self, code: str, expected: str) -> None:
        run_id = self.host.start(code)
        self.host.finish(run_id)
        self.assertEqual((self.host.text("stderr", run_id), self.host.text("stdout", run_id)), ("", expected))

    def test_the_value_is_the_value(self) -> None:
        code = "x = give({})\nprint(type(give(True)), type(x) is dict, give(None) is None, [type(give(n)) for n in [1]])"
        self.assert_prints(code, "<class 'bool'> True True [<class 'int'>]\n")

    def test_every_kind_of_value_may_be_awaited(self) -> None:
        code = "import datetime\nfor value in (True, None, {}, [], 'a', 1, 1.5, (1,), datetime.date, b''):\n"
        self.assert_prints(f"{code}    print(await give(value) is value, end=' ')", "True " * 10)

    def test_by_whatever_awaits(self) -> None:
        for code in (
            "print(await asyncio.gather(give(1), give(2)))",
            "print([await asyncio.create_task(give(n)) for n in [1, 2]])",
            "xs = [give(n) for n in [1, 2]]\nprint(await asyncio.gather(*xs))",
            "async def f(n): return await give(n)\nprint([await f(1), await f(2)])",
            "def f(n): return give(n)\nprint([await f(1), f(2)])",
            "x, y = give(1), give(2)\nprint([await x, y])",
            "print([await asyncio.wait_for(give(1), 5), await asyncio.to_thread(give, 2)])",
        ):
            with self.subTest(code):
                self.assert_prints(code, "[1, 2]\n")

    def test_the_function_is_described_as_it_is(self) -> None:
        self.assert_prints("print(give.__name__, inspect.signature(give), give.__doc__)", "give (value, *, twice=False) Gives it.\n")


if __name__ == "__main__":
    unittest.main()
