"""``Echo``: the value on the last line."""

from __future__ import annotations

import unittest

from execute_case import ExecuteTestCase


class EchoTest(ExecuteTestCase):
    def test_values_are_kept_by_the_number_of_their_run(self) -> None:
        self.assert_echoes("[1, 2]", "[1, 2]\n")
        self.assert_echoes("x = 3", "")
        self.assert_echoes("'a'", "'a'\n")
        self.assert_echoes("Out[1], _, Out[-1], Out[-2]", "([1, 2], 'a', 'a', [1, 2])\n")

    def test_a_value_that_is_not_there_is_named_with_those_that_are(self) -> None:
        self.run_code("5")
        self.assertIn("9: there are values of the runs 1", self.run_code("Out[9]").outcome.error or "")

    def test_only_the_last_values_are_kept(self) -> None:
        for number in range(30):
            self.run_code(str(number))
        self.assertEqual(len(self.namespace["Out"]), 20)
        self.assertEqual(self.namespace["_"], 29)

    def test_a_long_text_is_shown_in_part(self) -> None:
        stdout = self.run_code("'a' * 50_000 + 'z'").stdout
        self.assertLess(len(stdout), 11_000)
        self.assertTrue(stdout.startswith("'aaa"))
        self.assertIn("az'\n", stdout)
        self.assertTrue(
            stdout.endswith("... 40,001 of 50,001 characters not shown; the whole value is in `_` and `Out[1]`\n")
        )

    def test_many_bytes_are_not_turned_into_text_as_a_whole(self) -> None:
        for code in ("bytes(10**7)", "bytearray(10**7)"):
            stdout = self.run_code(code).stdout
            self.assertLess(len(stdout), 11_000)
            self.assertIn("of 10,000,000 bytes not shown", stdout)

    def test_a_long_repr_is_shown_in_part(self) -> None:
        stdout = self.run_code("{'rows': ['x' * 100] * 500}").stdout
        self.assertLess(len(stdout), 11_000)
        self.assertIn("characters not shown", stdout)

    def test_a_container_with_many_items_is_not_turned_into_text_as_a_whole(self) -> None:
        code = (
            "class Item:\n    made = 0\n    def __repr__(self):\n        Item.made += 1\n        return 'item'\n"
            "[Item() for _ in range(100_000)]"
        )
        stdout = self.run_code(code).stdout
        self.assertTrue(stdout.startswith("[item, item"))
        self.assertIn("... 99,000 of 100,000 items not shown", stdout)
        self.assert_echoes("Item.made", "1000\n")

    def test_every_kind_of_container(self) -> None:
        for code, start in (
            ("list(range(5000))", "[0, 1, 2"),
            ("tuple(range(5000))", "(0, 1, 2"),
            ("set(range(5000))", "{0, 1, 2"),
            ("frozenset(range(5000))", "frozenset({0, 1"),
            ("{n: n for n in range(5000)}", "{0: 0, 1: 1"),
        ):
            with self.subTest(code):
                stdout = self.run_code(code).stdout
                self.assertTrue(stdout.startswith(start), stdout[:50])
                self.assertIn("of 5,000 items not shown", stdout)

    def test_a_short_value_is_whole(self) -> None:
        self.assert_echoes("list(range(1000))", f"{list(range(1000))}\n")


if __name__ == "__main__":
    unittest.main()
