"""``RpcClient``: questions to the host and their answers."""

from __future__ import annotations

import asyncio
import unittest
from typing import Any

import support  # noqa: F401 - puts the runtime on the path
from sandbox_runtime.rpc import MCPError, RpcClient
from sandbox_runtime.servers.calls import ToolCall
from sandbox_runtime.wire import messages


class RpcClientTest(unittest.IsolatedAsyncioTestCase):
    def setUp(self) -> None:
        self.sent: list[dict[str, Any]] = []
        self.client = RpcClient(self.send)

    async def asyncSetUp(self) -> None:
        # The loop of a test case reports slow steps; here a step may well be slow.
        asyncio.get_running_loop().slow_callback_duration = 60

    def send(self, message: dict[str, Any]) -> None:
        messages.encode(message)  # As a kernel does: what cannot be sent raises here.
        self.sent.append(message)

    async def request(self, kind: str, **fields: Any) -> dict[str, Any]:
        return await ToolCall(self.client, lambda reply: reply, {"type": kind, **fields})

    def reply(self, request_id: str, **payload: Any) -> None:
        self.client.receive({"type": "rpc_response", "id": request_id, "payload": payload})

    async def ask(self, kind: str, **fields: Any) -> asyncio.Task[dict[str, Any]]:
        task = asyncio.create_task(self.request(kind, **fields))
        await asyncio.sleep(0)
        return task

    async def test_request_sends_its_fields_and_gives_the_payload(self) -> None:
        task = await self.ask("call_tool", server="s", tool="t", arguments={"a": 1})
        self.assertEqual(
            self.sent[0]["payload"],
            {"type": "call_tool", "server": "s", "tool": "t", "arguments": {"a": 1}},
        )
        self.reply(self.sent[0]["id"], success=True, result=[1])
        self.assertEqual(await task, {"success": True, "result": [1]})

    async def test_replies_may_come_in_any_order(self) -> None:
        tasks = [await self.ask("call_tool", server=f"s{number}") for number in range(100)]
        for message in reversed(self.sent):
            self.reply(message["id"], success=True, result=message["payload"]["server"])
        results = [payload["result"] for payload in await asyncio.gather(*tasks)]
        self.assertEqual(results, [f"s{number}" for number in range(100)])

    async def test_every_request_has_its_own_id(self) -> None:
        tasks = [await self.ask("list_servers") for _ in range(100)]
        self.assertEqual(len({message["id"] for message in self.sent}), 100)
        for task in tasks:
            task.cancel()

    async def test_a_refusal_raises_an_error_that_names_server_and_tool(self) -> None:
        task = await self.ask("call_tool", server="s", tool="t")
        self.reply(self.sent[0]["id"], success=False, error="Server 's' is not available")
        with self.assertRaisesRegex(MCPError, "^Server 's' is not available$") as caught:
            await task
        error = caught.exception
        self.assertIsInstance(error, RuntimeError)
        self.assertEqual((error.server, error.tool, error.result), ("s", "t", None))

    async def test_a_refusal_without_server_and_reason_is_still_an_error(self) -> None:
        task = await self.ask("list_servers")
        self.reply(self.sent[0]["id"], success=False)
        with self.assertRaisesRegex(MCPError, "no reason") as caught:
            await task
        self.assertEqual((caught.exception.server, caught.exception.tool), (None, None))

    async def test_a_reply_that_does_not_say_success_is_a_refusal(self) -> None:
        for payload in ({}, {"success": 1}, {"success": "true"}):
            with self.subTest(payload=payload):
                task = await self.ask("list_servers")
                self.reply(self.sent[-1]["id"], **payload)
                with self.assertRaises(MCPError):
                    await task

    async def test_a_reply_nobody_waits_for_is_dropped(self) -> None:
        self.reply("q999", success=True)
        task = await self.ask("list_servers")
        self.reply(self.sent[0]["id"], success=True, result=1)
        self.reply(self.sent[0]["id"], success=True, result=2)
        self.assertEqual((await task)["result"], 1)
        self.reply(self.sent[0]["id"], success=True, result=3)

    async def test_a_reply_to_a_cancelled_request_is_dropped(self) -> None:
        task = await self.ask("list_servers")
        task.cancel()
        with self.assertRaises(asyncio.CancelledError):
            await task
        self.reply(self.sent[0]["id"], success=True)
        self.assertEqual(self.client._waiting, {})

    async def test_a_request_too_long_to_send_raises_and_the_next_one_works(self) -> None:
        with self.assertRaisesRegex(MCPError, "over the limit") as caught:
            await self.request("call_tool", server="s", text="x" * (65 * 1024 * 1024))
        self.assertEqual(caught.exception.server, "s")
        self.assertEqual(self.sent, [])
        self.assertEqual(self.client._waiting, {})
        task = await self.ask("list_servers")
        self.reply(self.sent[0]["id"], success=True)
        self.assertEqual(await task, {"success": True})

    async def test_a_number_that_json_does_not_have_raises_and_sends_nothing(self) -> None:
        with self.assertRaises(MCPError):
            await self.request("call_tool", arguments={"x": float("nan")})
        self.assertEqual(self.sent, [])

    async def test_a_value_without_a_json_form_raises_and_sends_nothing(self) -> None:
        with self.assertRaises(TypeError):
            await self.request("call_tool", arguments={"x": {1, 2}})
        self.assertEqual(self.sent, [])
        self.assertEqual(self.client._waiting, {})


if __name__ == "__main__":
    unittest.main()
