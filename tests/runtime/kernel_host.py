"""A host for a kernel in this same interpreter: messages in memory, a real event loop."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import time
from typing import Any, Callable

import support  # noqa: F401 - puts the runtime on the path
from sandbox_runtime.kernel import Kernel
from sandbox_runtime.loop.loops import KernelLoop
from sandbox_runtime.wire import messages

#: Far more than anything here takes: only a hang gets this far.
PATIENCE_SECONDS = 30.0

_STREAMS = ("stdout", "stderr", "stdin", "__stdout__", "__stderr__", "__stdin__")
_MODULES = ("__main__", "mcp", "mcp.runtime", "mcp.servers")
_VARIABLES = ("MCP_AVAILABLE_SERVERS", "MCP_DISCOVERED_SERVERS")


class TestLoop(KernelLoop, asyncio.SelectorEventLoop):
    """The loop of a process."""

    def __init__(self) -> None:
        super().__init__()
        self.errors: list[dict[str, Any]] = []

    def default_exception_handler(self, context: dict[str, Any]) -> None:
        """Keep what would be logged."""
        self.errors.append(context)

    def end(self) -> None:
        """Close it, which a program may not do."""
        asyncio.SelectorEventLoop.close(self)


class KernelHost:
    """One kernel; use it with ``with``, which gives the test its own streams and signals back."""

    def __init__(self, before_done: Callable[[], None] = lambda: None) -> None:
        self.sent: list[dict[str, Any]] = []
        self.loop = TestLoop()
        self.loop_errors = self.loop.errors
        #: Messages for code that waits for the host inside a call.
        self.coming: list[dict[str, Any]] = []
        self._modules = {name: sys.modules.get(name) for name in _MODULES}
        self.kernel = Kernel(
            self._take, loop=self.loop, take=self._give, engine="test", before_done=before_done
        )
        self._runs = 0

    def _take(self, lines: bytes) -> None:
        self.sent.extend(json.loads(line) for line in lines.splitlines())

    def _give(self) -> messages.HostMessage:
        assert self.coming, "the code waits for a message that the test does not send"
        return self.coming.pop(0)  # type: ignore[return-value]

    def __enter__(self) -> KernelHost:
        self._streams = {name: getattr(sys, name) for name in _STREAMS}
        self._sigint = signal.getsignal(signal.SIGINT)
        self._variables = {name: os.environ.get(name) for name in _VARIABLES}
        self.kernel.start()
        return self

    def __exit__(self, *_exc: object) -> None:
        for task in asyncio.all_tasks(self.loop):
            task.cancel()
        self.step()
        self.loop.end()
        for name, stream in self._streams.items():
            setattr(sys, name, stream)
        signal.signal(signal.SIGINT, self._sigint)
        for name, module in self._modules.items():
            sys.modules.pop(name, None)
            if module is not None:
                sys.modules[name] = module
        for name, value in self._variables.items():
            os.environ.pop(name, None)
            if value is not None:
                os.environ[name] = value

    def send(self, message: dict[str, Any]) -> None:
        """Hand one message to the kernel."""
        self.kernel.receive(messages.parse(json.dumps(message).encode()))

    def start(
        self,
        code: str,
        servers: list[dict[str, Any]] | None = None,
        discovered: dict[str, str] | None = None,
    ) -> str:
        """Send code to run and give the run's id; nothing happens before the loop takes a step."""
        return self.start_as_told(code, servers=servers or [], discovered=discovered or {})

    def start_as_told(self, code: str, **told: Any) -> str:
        """Send code with what the host tells, and leaves out, and give the run's id."""
        self._runs += 1
        run_id = f"run-{self._runs}"
        self.send({"type": "execute", "id": run_id, "code": code, **told})
        return run_id

    def interrupt(self, run_id: str) -> None:
        """Ask for the end of a run."""
        self.send({"type": "interrupt", "id": run_id})

    def step(self) -> None:
        """Let the event loop do all that is ready."""
        # Without a task, which a program would see among its own.
        self.loop.call_later(0.01, self.loop.stop)
        self.loop.run_forever()

    def finish(self, run_id: str) -> dict[str, Any]:
        """Wait for the end of a run and give its ``execution_done``."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < deadline:
            for message in self.sent:
                if message["type"] == "execution_done" and message["id"] == run_id:
                    return message
            self.step()
        raise AssertionError(f"{run_id} does not end")

    def run(self, code: str, **options: Any) -> dict[str, Any]:
        """Run code to its end and give its ``execution_done``."""
        return self.finish(self.start(code, **options))

    def value(self, expression: str) -> str:
        """What a run prints that only has this expression."""
        run_id = self.start(expression)
        self.finish(run_id)
        return self.text("stdout", run_id)

    def text(self, name: str, run_id: str) -> str:
        """All that a run wrote to a stream."""
        return "".join(
            message["data"]
            for message in self.sent
            if message["type"] == name and message["id"] == run_id
        )

    def requests(self) -> list[dict[str, Any]]:
        """What the sandbox has asked for so far."""
        return [message for message in self.sent if message["type"] == "rpc_request"]
