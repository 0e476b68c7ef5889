"""What a run says and does at its end about calls and coroutines that nobody awaited."""

from __future__ import annotations

import unittest

from programs import SERVERS, AnsweringHost

_MAIN = "import asyncio\nasync def main(): return await mcp_weather.get_weather('Oslo')\n"


class FailingHost(AnsweringHost):
    def _answer(self, request: dict) -> dict:  # type: ignore[type-arg]
        if request["payload"]["tool"] == "forecast":
            return {"type": "rpc_response", "id": request["id"], "payload": {"success": False, "error": "no"}}
        return super()._answer(request)


class ForgottenTest(unittest.TestCase):
    def setUp(self) -> None:
        self.host = self.enterContext(FailingHost())

    def run_code(self, code: str) -> tuple[str | None, str]:
        """The error and what is on stderr."""
        run_id = self.host.start(code, servers=SERVERS)
        return self.host.finish(run_id).get("error"), self.host.text("stderr", run_id)

    def test_a_coroutine_that_nobody_awaited_is_told_once(self) -> None:
        said = "hint: `m` is a call of main() that nobody awaited, so it has not run: write `await m`\n"
        self.assertEqual(self.run_code(f"{_MAIN}m = main()"), (None, said))
        self.assertEqual(self.run_code("1"), (None, ""))
        self.assertEqual(self.run_code("print((await m)['city'])"), (None, ""))

    def test_so_are_those_in_containers(self) -> None:
        for value in ("[main() for _ in 'ab']", "{'k': main()}", "[(1, {'k': [main()]})][0]"):
            with self.subTest(value):
                _, stderr = self.run_code(f"{_MAIN}ms = {value}")
                self.assertEqual(
                    stderr, "hint: `ms` holds calls of main() that nobody awaited, so they have not run: gather them\n"
                )
                self.run_code("for m in ms: getattr(m, 'close', str)()\ndel m, ms")

    def test_nothing_is_told_of_those_that_will_run_or_have_run(self) -> None:
        for code in ("m = main()\nt = asyncio.create_task(m)", "m = main()\nawait m", "m = main()\nm.close()", "m = main"):
            with self.subTest(code):
                self.assertEqual(self.run_code(_MAIN + code), (None, ""))

    def test_calls_that_nobody_awaited_fail_the_run_whoever_got_them(self) -> None:
        for form in (
            "g = asyncio.gather(mcp_weather.get_weather('Oslo'), mcp_weather.forecast('Oslo'))",
            "asyncio.gather(asyncio.gather(mcp_weather.forecast('Oslo')))",
            "g = asyncio.shield(mcp_weather.forecast('Oslo'))",
            "t = asyncio.create_task(mcp_weather.forecast('Oslo'))",
            "f = asyncio.ensure_future(mcp_weather.forecast('Oslo'))",
        ):
            with self.subTest(form):
                error, stderr = self.run_code(f"import asyncio\n{form};")
                self.assertEqual(error, "MCPError: no")
                self.assertRegex(stderr, r"^mcp.runtime.MCPError: no\nThe call is in line 2 of <run-\d>: write `await` there")
                self.assertEqual(stderr.count("\n"), 2, stderr)

    def test_failures_that_gather_returns_are_no_errors(self) -> None:
        code = "g = asyncio.gather(mcp_weather.forecast('Oslo'), return_exceptions=True)"
        self.assertEqual(self.run_code(f"import asyncio\n{code}"), (None, ""))
        self.assertEqual(self.run_code("print(await g)"), (None, ""))


if __name__ == "__main__":
    unittest.main()
