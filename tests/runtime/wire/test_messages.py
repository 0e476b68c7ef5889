"""``messages``: the examples that TypeScript checks as well, and what only Python decides."""

from __future__ import annotations

import json
import tracemalloc
import unittest

import support
from sandbox_runtime.wire import messages

FIXTURES = support.wire_fixtures()


class ParseTest(unittest.TestCase):
    def test_parse_takes_every_valid_message_with_and_without_its_newline(self) -> None:
        for message in FIXTURES["host_to_sandbox"]["valid"]:
            with self.subTest(message=message):
                line = json.dumps(message).encode()
                self.assertEqual(messages.parse(line), message)
                self.assertEqual(messages.parse(bytearray(line + b"\n")), message)

    def test_parse_takes_text_that_is_not_escaped(self) -> None:
        for message in FIXTURES["host_to_sandbox"]["valid"]:
            with self.subTest(message=message):
                line = json.dumps(message, ensure_ascii=False)
                self.assertEqual(messages.parse(line.encode()), message)

    def test_parse_refuses_every_invalid_line(self) -> None:
        for example in FIXTURES["host_to_sandbox"]["invalid"]:
            with self.subTest(why=example["why"]):
                with self.assertRaises(messages.WireError):
                    messages.parse(example["line"].encode())

    def test_parse_refuses_a_second_value_in_a_line(self) -> None:
        with self.assertRaisesRegex(messages.WireError, "more than one value, the second at 15"):
            messages.parse(b'{"type":"ping"}{"type":"ping"}')

    def test_parse_refuses_bytes_that_are_not_utf8(self) -> None:
        with self.assertRaises(messages.WireError):
            messages.parse(b'{"type":"interrupt","id":"\xff"}')

    def test_parse_refuses_what_is_nested_too_deeply_with_its_own_error(self) -> None:
        depth = 200_000
        deep = '{"type":"execute","id":"q1","payload":{"x":' + "[" * depth + "]" * depth + "}}"
        with self.assertRaises(messages.WireError):
            messages.parse(deep.encode())

    def test_a_result_that_python_cannot_read_fails_its_request_and_no_more(self) -> None:
        depth = 200_000
        for result, reason in (
            ("[" * depth + "]" * depth, "recursion"),
            ("1" * 5000, "4300 digits"),
            ("{1}", "property name"),
        ):
            with self.subTest(reason=reason):
                payload = '{"success":true,"result":' + result + "}"
                line = '{"type":"rpc_response","id":"q\\"1","payload":' + payload + "}\n"
                message: Any = messages.parse(line.encode())
                self.assertEqual((message["type"], message["id"]), ("rpc_response", 'q"1'))
                self.assertIs(message["payload"]["success"], False)
                error = message["payload"]["error"]
                self.assertRegex(error, f"^Its result cannot be read: .*{reason}")

    def test_parse_keeps_a_lone_surrogate(self) -> None:
        message = messages.parse(b'{"type":"interrupt","id":"\\ud800"}')
        self.assertEqual(message["id"], "\ud800")  # type: ignore[typeddict-item]


class BuildTest(unittest.TestCase):
    def test_builders_make_every_valid_message(self) -> None:
        for example in FIXTURES["sandbox_to_host"]["valid"]:
            with self.subTest(build=example["build"]):
                build = getattr(messages, example["build"]["function"])
                self.assertEqual(build(*example["build"]["arguments"]), example["message"])

    def test_every_builder_has_an_example(self) -> None:
        named = {example["build"]["function"] for example in FIXTURES["sandbox_to_host"]["valid"]}
        self.assertEqual(named, {"ready", "output", "rpc_request", "execution_done", "pong"})


class EncodeTest(unittest.TestCase):
    def test_encode_writes_every_valid_message_as_one_line(self) -> None:
        for example in FIXTURES["sandbox_to_host"]["valid"]:
            with self.subTest(message=example["message"]):
                line = messages.encode(example["message"])
                self.assertEqual(line.index(b"\n"), len(line) - 1)
                self.assertEqual(json.loads(line), example["message"])

    def test_encode_escapes_a_lone_surrogate(self) -> None:
        line = messages.encode(messages.rpc_request("q1", {"type": "x", "text": "a\udc80ä"}))
        self.assertIn(b"\\udc80", line)
        self.assertEqual(json.loads(line)["payload"]["text"], "a\udc80ä")

    def test_encode_refuses_numbers_that_json_does_not_have(self) -> None:
        for number in (float("nan"), float("inf"), -float("inf")):
            with self.subTest(number=number):
                with self.assertRaises(messages.WireError):
                    messages.encode(messages.rpc_request("q1", {"type": "x", "number": number}))

    def test_encode_refuses_a_cycle(self) -> None:
        cycle: list[object] = []
        cycle.append(cycle)
        with self.assertRaises(messages.WireError):
            messages.encode(messages.rpc_request("q1", {"type": "x", "list": cycle}))

    def test_encode_takes_a_line_of_64_mib_and_refuses_one_byte_more(self) -> None:
        empty = len(messages.encode(messages.output("stdout", "a", ""))) - 1
        room = 64 * 1024 * 1024 - empty
        line = messages.encode(messages.output("stdout", "a", "x" * room))
        self.assertEqual(len(line), 64 * 1024 * 1024 + 1)
        with self.assertRaisesRegex(messages.WireError, "67 MB is over the limit of 64 MiB"):
            messages.encode(messages.output("stdout", "a", "x" * (room + 1)))

    def test_encode_refuses_a_text_that_is_far_too_long_before_it_copies_it(self) -> None:
        request = messages.rpc_request("q1", {"type": "call_tool", "arguments": {"text": "x" * 100_000_000}})
        tracemalloc.start()
        try:
            with self.assertRaises(messages.WireError):
                messages.encode(request)
            self.assertLess(tracemalloc.get_traced_memory()[1], 1_000_000)
        finally:
            tracemalloc.stop()

    def test_encode_counts_bytes_and_not_characters(self) -> None:
        with self.assertRaises(messages.WireError):
            messages.encode(messages.output("stdout", "a", "€" * (22 * 1024 * 1024)))


if __name__ == "__main__":
    unittest.main()
