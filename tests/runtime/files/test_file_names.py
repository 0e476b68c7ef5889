"""Names of files: the same examples as the host's own check."""

import json
import unittest

import support
from sandbox_runtime.files.file_names import name_problem

_EXAMPLES = json.loads((support.FIXTURES / "file_names.json").read_text(encoding="utf-8"))


class NameProblemTest(unittest.TestCase):
    def test_allowed_names_have_no_problem(self) -> None:
        for name in _EXAMPLES["allowed"]:
            with self.subTest(name):
                self.assertIsNone(name_problem(name))

    def test_refused_names_have_the_problem_the_host_sees(self) -> None:
        for name, problem in _EXAMPLES["refused"].items():
            with self.subTest(ascii(name)):
                self.assertEqual(name_problem(name), problem)

    def test_half_a_character_is_refused(self) -> None:
        self.assertEqual(name_problem("a\ud800"), "it is not valid Unicode")

    def test_the_bytes_of_a_name_are_counted(self) -> None:
        longest = _EXAMPLES["longest"]
        self.assertIsNone(name_problem("é" * (longest // 2)))
        for name in ("é" * (longest // 2) + "a", "%" * 67, "a/" * 60 + "a"):
            self.assertEqual(name_problem(name), "it is longer than 200 bytes")


if __name__ == "__main__":
    unittest.main()
