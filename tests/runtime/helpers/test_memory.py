"""The functions of memory, on a host that lives in this process."""

from __future__ import annotations

import unittest
from typing import Any

from .memory_host import MemoryHost
from sandbox_runtime.helpers import memory
from sandbox_runtime.rpc import MCPError


class MemoryTest(unittest.TestCase):
    def setUp(self) -> None:
        self.host = MemoryHost()
        self.call: Any = type("Memory", (), {})()
        functions = memory.functions(self.host)  # type: ignore[arg-type]
        vars(self.call).update(functions)

    def test_a_value_comes_back(self) -> None:
        self.call.save_memory("a", {"x": [1, 2**70]}, metadata={"by": "me"})
        self.assertEqual(self.call.load_memory("a"), {"x": [1, 2**70]})
        self.assertEqual(self.call.get_memory_info("a")["metadata"], {"by": "me"})
        self.assertEqual([info["key"] for info in self.call.list_memories()], ["a"])

    def test_what_is_not_there_is_the_default(self) -> None:
        self.assertIs(self.call.load_memory("a"), None)
        self.assertEqual(self.call.load_memory("a", default=[1]), [1])
        self.assertIs(self.call.get_memory_info("a"), None)

    def test_a_kept_none_is_not_the_default(self) -> None:
        self.call.save_memory("a", None)
        self.assertIs(self.call.load_memory("a", default=1), None)
        self.call.save_memory("b", True)
        self.assertIs(self.call.load_memory("b"), True)

    def test_yes_and_no_read_as_such(self) -> None:
        self.assertFalse(self.call.memory_exists("a"))
        self.call.save_memory("a", 1)
        shown = f"{self.call.memory_exists('a')} {[self.call.delete_memory('a')]} {self.call.delete_memory('a')}"
        self.assertEqual(shown, "True [True] False")
        self.assertEqual(self.call.memory_exists("a"), False)

    def test_wrong_arguments_are_named_before_anything_is_asked(self) -> None:
        wrong: list[tuple[Any, str]] = [
            (lambda: self.call.save_memory(1, 2), "key must be a string, not int"),
            (lambda: self.call.load_memory(None), "key must be a string, not NoneType"),
            (lambda: self.call.save_memory("a", {"f": print}), r'value\["f"\] is the function print'),
            (lambda: self.call.save_memory("a", 1, metadata=[]), "metadata must be a dict, not list"),
            (lambda: self.call.save_memory("a", 1, metadata={"m": {1}}), r'metadata\["m"\] is a set'),
            (lambda: self.call.update_memory("a", 5), "updater must be a function of the old value, not int"),
            (lambda: self.call.update_memory("a", str, default={1}), "default is a set"),
        ]
        for call, message in wrong:
            with self.subTest(message=message), self.assertRaisesRegex(TypeError, message):
                call()
        self.assertEqual(self.host.asked, [])

    def test_update_keeps_metadata_and_gives_the_new_value(self) -> None:
        self.call.save_memory("a", [1], metadata={"by": "me"})
        self.assertEqual(self.call.update_memory("a", lambda old: [*old, (2,)]), [1, [2]])
        self.assertEqual(self.call.load_memory("a"), [1, [2]])
        self.assertEqual(self.call.get_memory_info("a")["metadata"], {"by": "me"})

    def test_update_starts_again_with_what_came_between(self) -> None:
        self.call.save_memory("n", 1)
        others = [lambda: self.call.save_memory("n", 10), lambda: self.call.delete_memory("n"), lambda: None]
        self.host.before_update = lambda: others.pop(0)()
        seen: list[int] = []
        self.assertEqual(self.call.update_memory("n", lambda n: seen.append(n) or n + 1, default=5), 6)
        self.assertEqual(seen, [1, 10, 5])

    def test_a_default_that_was_changed_in_place_is_used_afresh(self) -> None:
        others = [lambda: self.call.save_memory("l", 0), lambda: self.call.delete_memory("l"), lambda: None]
        self.host.before_update = lambda: others.pop(0)()
        default: list[int] = []

        def add(old: Any) -> Any:
            return 0 if old == 0 else (old.append(1), old)[1]

        self.assertEqual(self.call.update_memory("l", add, default=default), [1])
        self.assertEqual(default, [])

    def test_update_gives_up_with_an_error(self) -> None:
        self.call.save_memory("n", 1)
        self.host.before_update = lambda: self.call.save_memory("n", 1)
        memory._PATIENT_TRIES, before = 998, memory._PATIENT_TRIES
        self.addCleanup(setattr, memory, "_PATIENT_TRIES", before)
        with self.assertRaisesRegex(MCPError, '^Cannot update the memory "n": others changed it 1,000 times'):
            self.call.update_memory("n", lambda n: n + 1)

    def test_an_updater_that_fails_leaves_the_value(self) -> None:
        self.call.save_memory("n", 1)
        with self.assertRaises(ZeroDivisionError):
            self.call.update_memory("n", lambda n: n / 0)
        self.assertEqual(self.call.load_memory("n"), 1)
        with self.assertRaises(TypeError) as caught:
            self.call.update_memory("new", lambda n: n + 1)
        self.assertIn("pass default=…", caught.exception.__notes__[0])

    def test_an_updater_must_return_the_new_value(self) -> None:
        self.call.save_memory("d", {"a": 1})
        with self.assertRaisesRegex(TypeError, "^updater returned None"):
            self.call.update_memory("d", lambda d: d.update(b=2))

        async def later(old: Any) -> Any:
            return old

        with self.assertRaisesRegex(TypeError, "^updater must be a plain function"):
            self.call.update_memory("d", later)
        self.assertEqual(self.call.load_memory("d"), {"a": 1})
        self.call.save_memory("n", 1)
        self.assertIs(self.call.update_memory("n", lambda _: None), None)

    def test_a_damaged_one_is_listed_with_its_error(self) -> None:
        self.host._list_memories = lambda: {"memories": [{"key": "a", "error": "damaged"}]}  # type: ignore[method-assign]
        self.assertEqual(self.call.list_memories(), [{"key": "a", "error": "damaged"}])


if __name__ == "__main__":
    unittest.main()
