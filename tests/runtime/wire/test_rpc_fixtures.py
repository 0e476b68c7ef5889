"""Every kind of request, with the examples that ``tests/unit/wire/rpc_test.ts`` checks as well.

Each program runs in a real kernel: what it asks must be the requests of the example, and what it prints or
raises must be made of their replies.
"""

from __future__ import annotations

import json
import unittest
from typing import Any

import support
from kernel_host import KernelHost

WEATHER = {
    "name": "weather",
    "alias": "weather",
    "revision": 1,
    "tools": [
        support.told({
            "name": "get-forecast",
            "alias": "get_forecast",
            "description": "Forecast for a city.",
            "input_schema": {
                "type": "object",
                "properties": {"city": {"type": "string"}, "days": {"type": "integer"}},
                "required": ["city"],
            },
        })
    ],
}


class AnsweringHost(KernelHost):
    """A host that answers one request after the other with the replies of an example."""

    def __init__(self, replies: list[dict[str, Any]]) -> None:
        super().__init__()
        self._replies = replies
        self._answered = 0

    def _give(self) -> Any:
        asked = self.requests()[self._answered]
        # To one request too many the answer is a refusal; the test then names the request.
        reply = self._replies[self._answered] if self._answered < len(self._replies) else {}
        self._answered += 1
        return {"type": "rpc_response", "id": asked["id"], "payload": reply}

    def step(self) -> None:
        super().step()
        while self._answered < len(self.requests()):
            self.send(self._give())


class RpcFixturesTest(unittest.TestCase):
    def test_programs_ask_what_the_host_knows_and_take_what_it_answers(self) -> None:
        files = sorted((support.FIXTURES / "rpc").glob("*.json"))
        self.assertTrue(files)
        for file in files:
            for example in json.loads(file.read_text(encoding="utf-8")):
                with self.subTest(file=file.name, program=example["program"]):
                    self._check(example)

    def _check(self, example: dict[str, Any]) -> None:
        asks = example["asks"]
        with AnsweringHost([ask["reply"] for ask in asks]) as host:
            run_id = host.start("\n".join(example["program"]), servers=[WEATHER])
            done = host.finish(run_id)
            asked = [message["payload"] for message in host.requests()]
            self.assertEqual(asked, [ask["request"] for ask in asks])
            self.assertEqual(done.get("error"), example.get("raises"))
            self.assertEqual(host.text("stdout", run_id), example.get("prints", ""))


if __name__ == "__main__":
    unittest.main()
