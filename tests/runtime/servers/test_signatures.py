"""How calls are taken and shown, by what the host says of a tool. That the host's word fits any schema is tested in
``tests/unit/downstream/agreement_test.ts``."""

from __future__ import annotations

import unittest
from typing import Any

from support import told
from sandbox_runtime.servers.catalog import LoadedTool
from sandbox_runtime.servers.signatures import ToolSignature

TEXT = {"type": "string"}


def of_schema(schema: Any, **more: Any) -> ToolSignature:
    return LoadedTool(told({"name": "f", "alias": "f", "input_schema": schema, **more})).signed()


def signature(properties: Any, required: Any = ()) -> ToolSignature:
    return of_schema({"type": "object", "properties": properties, "required": list(required)})


class BindTest(unittest.TestCase):
    def bind(self, signed: ToolSignature, *args: Any, **kwargs: Any) -> dict[str, Any]:
        return signed.bind(args, kwargs)

    def test_required_ones_at_the_front_need_no_name(self) -> None:
        signed = signature({"a": TEXT, "b": TEXT, "c": TEXT, "d": TEXT}, ["a", "b", "d"])
        self.assertEqual(self.bind(signed, 1, 2, d=3), {"a": 1, "b": 2, "d": 3})
        with self.assertRaisesRegex(TypeError, "without a name, got \\d; expected f\\(a: str, b: str, \\*, d: str"):
            self.bind(signed, 1, 2, 3, d=4)

    def test_a_single_argument_needs_no_name(self) -> None:
        self.assertEqual(self.bind(signature({"q": TEXT}), "x"), {"q": "x"})

    def test_two_arguments_never_share_a_written_name(self) -> None:
        signed = signature({"from": TEXT, "from_": TEXT, "arguments": TEXT, "x-y": TEXT})
        self.assertEqual(self.bind(signed, from_="a", **{"from": "b"}), {"from_": "a", "from": "b"})
        self.assertIn("**arguments_: Unpack[", str(signed.signature))

    def test_arguments_behind_references_parts_and_choices_are_known(self) -> None:
        args = {"type": "object", "properties": {"a": TEXT}, "required": ["a"]}
        behind = of_schema({"$ref": "#/$defs/args", "$defs": {"args": args}})
        with self.assertRaisesRegex(TypeError, "is missing 'a'"):
            self.bind(behind)
        either = of_schema({"oneOf": [args, {"properties": {"b": TEXT}}]})
        self.assertEqual(self.bind(either, b=1), {"b": 1})
        with self.assertRaisesRegex(TypeError, "unexpected argument 'c'"):
            self.bind(either, c=1)

    def test_a_tool_without_arguments_takes_none(self) -> None:
        with self.assertRaisesRegex(TypeError, r"unexpected argument 'x'; expected f\(\) -> Any"):
            self.bind(signature({}), x=1)
        self.assertEqual(self.bind(of_schema({"type": "object"}), x=1), {"x": 1})


class ShowTest(unittest.TestCase):
    def test_the_result_is_in_the_signature_where_it_is_promised(self) -> None:
        output = {"type": "object", "properties": {"result": {"type": "array", "items": TEXT}}}
        signed = of_schema({"type": "object", "properties": {}}, output_schema=output)
        self.assertEqual(str(signed.signature), "() -> list[str]")
        with self.assertRaisesRegex(TypeError, r"expected f\(\) -> list\[str\]"):
            signed.bind((), {"x": 1})

    def test_a_docstring_has_the_parameters_that_are_described(self) -> None:
        signed = signature({"a": {**TEXT, "description": "An\n a"}, "from": {**TEXT, "description": "b"}})
        self.assertEqual(signed.docstring("Does it."), "Does it.\n\na: An a\nfrom_: b")
        self.assertIsNone(signature({"a": TEXT}).docstring(""))


if __name__ == "__main__":
    unittest.main()
