"""Servers as Python objects: methods, signatures, calls."""

from __future__ import annotations

import asyncio
import collections
import datetime
import inspect
import json
import unittest
from typing import Any

from support import told
from sandbox_runtime.rpc import MCPError, RpcClient
from sandbox_runtime.servers.catalog import LoadedServer
from sandbox_runtime.servers.proxies import ServerProxy, server_module
from sandbox_runtime.servers.results import Blob, unwrap
from sandbox_runtime.wire import jsonable, messages

WEATHER = {
    "name": "get-weather",
    "alias": "get_weather",
    "description": "Weather of a city",
    "input_schema": {
        "type": "object",
        "properties": {
            "city": {"type": "string"},
            "units": {"enum": ["c", "f"], "default": "c"},
            "days": {"type": "array", "items": {"type": "integer"}},
            "from": {"type": "string"},
        },
        "required": ["city"],
    },
}


def tool(name: str, alias: str) -> dict[str, Any]:
    """One that takes everything."""
    return {"name": name, "alias": alias, "description": "", "input_schema": {"type": "object"}}


def server(*tools: dict[str, Any], **fields: Any) -> LoadedServer:
    anything = told(tool("f", "f"))
    all_told = [told(WEATHER) if one is WEATHER else {**anything, **one} for one in tools]
    return LoadedServer({"name": "Weather!", "alias": "weather", "tools": all_told, **fields})


class ProxyTest(unittest.IsolatedAsyncioTestCase):
    def setUp(self) -> None:
        self.sent: list[dict[str, Any]] = []
        self.rpc = RpcClient(self.sent.append)

    def proxy(self, *tools: dict[str, Any], **fields: Any) -> ServerProxy:
        return ServerProxy(self.rpc, server(*tools, **fields))

    def answer(self, **payload: Any) -> None:
        message = {"type": "rpc_response", "id": self.sent[-1]["id"], "payload": payload}
        self.rpc.receive(message)  # type: ignore[arg-type]

    async def test_a_call_is_sent_at_once_under_the_raw_names(self) -> None:
        call = self.proxy(WEATHER).get_weather(city="Oslo")
        payload = self.sent[0]["payload"]
        self.assertEqual(
            payload,
            {
                "type": "call_tool",
                "server": "Weather!",
                "tool": "get-weather",
                "arguments": {"city": "Oslo"},
            },
        )
        self.answer(success=True, result={"celsius": -2})
        self.assertEqual(await call, {"celsius": -2})

    async def test_the_signature_is_that_of_the_schema(self) -> None:
        method = self.proxy(WEATHER).get_weather
        self.assertEqual(
            str(inspect.signature(method)),
            "(city: str, *, units: Literal[\"c\", \"f\"] = 'c', days: list[int] = ..., from_: str = ...)",
        )
        self.assertEqual(method.__doc__, "Weather of a city")

    async def test_arguments_that_do_not_fit_are_refused_before_anything_is_sent(self) -> None:
        method = self.proxy(WEATHER).get_weather
        for call, message in (
            (lambda: method(), "is missing 'city'"),
            (lambda: method("a", "c"), "takes 1 argument without a name, got 2"),
            (lambda: method("a", city="b"), "got 'city' twice"),
            (lambda: method(citi="a"), "did you mean 'city'?"),
            (lambda: method(*"abcde"), "takes 1 argument without a name, got 5"),
        ):
            with self.assertRaisesRegex(TypeError, message.replace("?", r"\?")):
                call()
        self.assertEqual(self.sent, [])

    async def test_a_keyword_can_be_passed_under_its_safe_name(self) -> None:
        self.proxy(WEATHER).get_weather(city="a", from_="b").cancel()
        self.assertEqual(self.sent[0]["payload"]["arguments"], {"city": "a", "from": "b"})

    async def test_a_schema_without_properties_takes_everything(self) -> None:
        self.proxy(tool("any", "any")).any(x=1).cancel()
        self.assertEqual(self.sent[0]["payload"]["arguments"], {"x": 1})

    async def test_values_that_are_no_json_are_refused_with_the_tool_named(self) -> None:
        method = self.proxy(WEATHER).get_weather
        self.rpc = RpcClient(self._encode)
        method = self.proxy(WEATHER).get_weather
        with self.assertRaises(TypeError) as refused:
            method(city=["Oslo", {1}])
        self.assertEqual(
            str(refused.exception),
            'Cannot send the arguments of Weather!.get-weather: arguments["city"][1] is a set: use sorted(…)',
        )
        with self.assertRaises(MCPError) as failed:
            method(city=float("nan"))
        self.assertEqual(
            str(failed.exception),
            'Cannot send the arguments of Weather!.get-weather: arguments["city"] is nan, '
            "which JSON does not have: use None or a string",
        )

    async def test_arguments_are_written_by_the_rule_of_what_can_be_kept(self) -> None:
        moment = datetime.datetime(2026, 7, 28, 12, 30, tzinfo=datetime.timezone.utc)
        arguments = {
            "when": [moment, moment.date(), moment.time()],
            "pair": (1, (2,)),
            "id": 2**70,
            "numbers": [1.0, -0.0, 1e300, 0.1],
            "keys": collections.Counter({"9": 1, "10": 2}),
        }
        lines: list[bytes] = []
        self.rpc = RpcClient(lambda message: lines.append(messages.encode(message)))
        self.proxy(tool("any", "any")).any(**arguments).cancel()
        sent = json.loads(lines[0])["payload"]["arguments"]
        self.assertEqual(repr(sent), repr(json.loads(jsonable.dumps(arguments, "arguments"))))
        self.assertEqual(sent["when"], ["2026-07-28T12:30:00+00:00", "2026-07-28", "12:30:00"])

    async def test_other_keys_are_written_as_json_writes_them(self) -> None:
        lines: list[bytes] = []
        self.rpc = RpcClient(lambda message: lines.append(messages.encode(message)))
        self.proxy(tool("any", "any")).any(counts={1: 2, None: 3, False: 4, 1.5: 5}).cancel()
        sent = json.loads(lines[0])["payload"]["arguments"]["counts"]
        self.assertEqual(sent, {"1": 2, "null": 3, "false": 4, "1.5": 5})

    def _encode(self, message: dict[str, Any]) -> None:
        messages.encode(message)

    async def test_an_exact_raw_name_wins_over_an_alias(self) -> None:
        proxy = self.proxy(tool("a-b", "a_b"), tool("a_b", "a_b_2"))
        proxy.a_b().cancel()
        self.assertEqual(self.sent[0]["payload"]["tool"], "a_b")

    async def test_a_raw_name_that_cannot_be_written_is_reached_by_getattr(self) -> None:
        proxy = ServerProxy(self.rpc, server(tool("a-b", "a_b_2"), tool("a_b", "a_b"), tool("class", "class_")))
        self.assertEqual(getattr(proxy, "a-b").__name__, "a_b_2")
        self.assertEqual(getattr(proxy, "class").__name__, "class_")
        self.assertEqual(dir(proxy), ["a_b", "a_b_2", "class_", "list_tools"])

    async def test_an_unknown_tool_is_answered_with_the_nearest(self) -> None:
        with self.assertRaisesRegex(AttributeError, "did you mean 'get_weather'"):
            self.proxy(WEATHER).get_wether

    async def test_a_server_that_did_not_start_raises_on_use(self) -> None:
        with self.assertRaisesRegex(MCPError, "it exited") as caught:
            self.proxy(error="it exited").get_weather
        self.assertEqual(caught.exception.server, "Weather!")

    async def test_list_tools_gives_way_to_a_tool_of_that_name(self) -> None:
        self.proxy(tool("list_tools", "list_tools")).list_tools().cancel()
        self.assertEqual(self.sent[0]["payload"]["type"], "call_tool")

    async def test_completion_shows_the_tools(self) -> None:
        names = dir(self.proxy(WEATHER, tool("class", "class_")))
        self.assertEqual(names, ["class_", "get_weather", "list_tools"])

    async def test_a_module_has_the_tools_as_functions(self) -> None:
        metadata = server(WEATHER)
        module = server_module(metadata, ServerProxy(self.rpc, metadata))
        self.assertEqual(module.TOOLS, [WEATHER])
        self.assertEqual(module.TOOL_MAP, {"get_weather": WEATHER})
        self.assertIs(module.get_weather, module.get_weather)
        self.assertEqual(module.get_weather.__name__, "get_weather")

    async def test_a_star_import_replaces_no_name_that_is_taken(self) -> None:
        tools = (tool("print", "print"), tool("size", "size"), tool("save_file", "save_file"))
        metadata = server(*tools)
        module = server_module(metadata, ServerProxy(self.rpc, metadata), {"print", "save_file"})
        self.assertEqual(module.__all__, ["list_tools", "size"])
        self.assertEqual(module.print.__name__, "print")

    async def test_a_cancelled_call_is_no_longer_waited_for(self) -> None:
        call = self.proxy(WEATHER).get_weather(city="a")
        call.cancel()
        self.answer(success=True, result=1)
        with self.assertRaises(asyncio.CancelledError):
            await call


class UnwrapTest(unittest.TestCase):
    def test_a_value_is_itself(self) -> None:
        self.assertEqual(unwrap({"success": True, "result": [1]}), [1])

    def test_a_text_is_read_as_json_if_python_reads_it(self) -> None:
        read = unwrap({"text": '{"id": 12345678901234567890, "f": 1.0, "neg": -0.0, "2": 1, "1": 2}'})
        self.assertEqual(repr(read), "{'id': 12345678901234567890, 'f': 1.0, 'neg': -0.0, '2': 1, '1': 2}")
        for text in ("{not json", "[1] [2]", "[" * 200_000, f"[{'1' * 5000}]"):
            self.assertEqual(unwrap({"text": text}), text)

    def test_one_item_is_itself_and_several_are_a_list(self) -> None:
        text = {"type": "text", "text": "a"}
        self.assertEqual(unwrap({"content": [text]}), "a")
        self.assertEqual(unwrap({"content": [text, text]}), ["a", "a"])
        self.assertIsNone(unwrap({"content": []}))

    def test_bytes_are_a_blob(self) -> None:
        blob = unwrap({"content": [{"type": "blob", "mime_type": "image/png", "data": "iVBO"}]})
        self.assertIsInstance(blob, Blob)
        self.assertEqual((blob.mime_type, blob.data), ("image/png", b"\x89PN"))
        self.assertEqual(repr(blob), "<Blob image/png, 3 bytes>")
