"""The heart of the sandbox: takes the host's messages, runs one piece of code at a time, answers.

Does not know where messages come from; an entry (``pyodide_entry``, ``entrypoint.py``) feeds it and
gives it a ``send``, and a ``take`` for code that waits for the next message inside a call. All methods
belong to the event loop's thread.
"""

from __future__ import annotations

import asyncio
import contextvars
import functools
import io
import platform
import sys
from typing import Any, Callable

from .files import artifacts
from .helpers import saved_tools
from .loop.interrupts import USER_FILE_PREFIX, InterruptGate
from .loop.loops import KernelLoop
from .loop.waiting import Waiting
from .names import api
from .names.namespace import Helpers, Namespace
from .rpc import RpcClient
from .run.echo import Echo
from .run.execute import Outcome, describe, execute
from .run.forgotten import settle, tell_of_coroutines
from .run.pristine import Pristine
from .servers.catalog import Catalog
from .wire import messages
from .wire.streams import Outbox, OutputStream


class Kernel:
    """One interpreter's state and its conversation with the host."""

    def __init__(
        self,
        send: Callable[[bytes], None],
        *,
        loop: KernelLoop,
        take: Callable[[], messages.HostMessage | None],
        engine: str,
        before_done: Callable[[], None] = lambda: None,
    ) -> None:
        self._loop = loop
        self._take = take
        self._engine = engine
        self._before_done = before_done
        self.outbox = Outbox(send)
        # What was printed before an interrupt reaches the host even if the code swallows it and is killed.
        self.gate = InterruptGate(self.outbox.flush)
        self.gate.run_code = Kernel._run.__code__
        self._streams = {
            name: OutputStream(name, fd, self.outbox, self.gate.checkpoint)
            for fd, name in ((1, "stdout"), (2, "stderr"))
        }
        loop.gate = self.gate
        self.waiting = Waiting(self._take_one, self.gate, self.outbox)
        self.rpc = RpcClient(self.outbox.send, self.waiting)
        self._catalog = Catalog()
        self._api = api.Api(self.rpc)
        helpers = Helpers(self.rpc)
        self._namespace = Namespace(api.publish(self._api, helpers), self.rpc, helpers)
        self._saved_tools = saved_tools.Shelf(self._namespace.names)
        self._folder = artifacts.current().folder
        self._echo = Echo(self._namespace.names, self._folder.describe)
        self._pristine: Pristine
        self._run_id: str | None = None
        self._task: asyncio.Task[None] | None = None
        self._runs = 0
        self._context = contextvars.copy_context()
        self._handlers: dict[str, Callable[[Any], None]] = {
            "execute": self._execute,
            "rpc_response": self.rpc.receive,
            "interrupt": self._interrupt,
            "ping": lambda _message: self.outbox.send(messages.pong()),
        }

    def start(self) -> None:
        """Take over the interpreter's streams and tell the host that runs may come."""
        self.gate.install()
        self._claim_streams()
        sys.argv = ["program.py"]
        # Now, when an entry has put its own in the place of what it cannot use.
        self._pristine = Pristine()
        self.outbox.send(messages.ready(platform.python_version(), self._engine))

    @property
    def run_id(self) -> str | None:
        """The run that is going on."""
        return self._run_id

    def _claim_streams(self) -> None:
        """Point the standard streams at the host, whatever the run before did to them."""
        for name, stream in self._streams.items():
            setattr(sys, name, stream)
            setattr(sys, f"__{name}__", stream)
        sys.stdin = sys.__stdin__ = io.StringIO()  # type: ignore[misc]

    def receive(self, message: messages.HostMessage) -> None:
        """Take one message of the host."""
        handler = self._handlers.get(message["type"])
        if handler is not None:
            handler(message)

    def _take_one(self) -> None:
        message = self._take()
        if message is not None:
            self.receive(message)

    def _execute(self, message: messages.Execute) -> None:
        if self._run_id is not None:
            self.outbox.send(messages.execution_done(message["id"], "error", "A run is going on already"))
            return
        self._run_id = message["id"]
        self._runs += 1
        self.gate.begin()
        self.rpc.leave_behind()
        self._claim_streams()
        self.outbox.begin(message["id"])
        self._loop.forget_settings()
        # In one context for all runs, as variables are, and out of reach of what a program does to its tasks.
        self._task = asyncio.Task(self._run(message), loop=self._loop, context=self._context)
        asyncio.tasks._unregister_task(self._task)  # type: ignore[attr-defined]
        # A task that is cancelled before its first step never runs: the callback ends such a run.
        self._task.add_done_callback(self._on_task_done)

    async def _run(self, message: messages.Execute) -> None:
        # In the task, so that a run is ended even if an earlier one broke what this needs.
        servers = self._catalog.begin(message["servers"], message.get("discovered"))
        discovered = self._catalog.discovered
        self._api.begin(servers, discovered)
        self._namespace.begin(servers)
        self._folder.begin()
        self._pristine.expect(message["code"])
        self._saved_tools.add(message.get("saved_tools", []))
        self._saved_tools.take(message["code"])
        outcome = await execute(
            message["code"],
            f"{USER_FILE_PREFIX}{self._runs}>",
            self._namespace.names,
            report=self._report,
            gate=self.gate,
            settle=self._settle,
            echo=functools.partial(self._echo.show, run=self._runs),
            discovered=discovered,
            restore=self._pristine.restore,
        )
        self._finish(message["id"], outcome)

    async def _settle(self) -> None:
        await settle(self.rpc)
        self._report(tell_of_coroutines(self._namespace.names))

    def _report(self, text: str) -> None:
        self.outbox.write("stderr", text)

    def _on_task_done(self, task: asyncio.Task[None]) -> None:
        if task is not self._task or self._run_id is None:
            return
        error = None if task.cancelled() else task.exception()
        self._finish(
            self._run_id,
            Outcome("interrupted")
            if error is None
            else Outcome("error", f"The runtime failed: {describe(error)}"),
        )

    def _interrupt(self, message: messages.Interrupt) -> None:
        """Cancel the run where it awaits; code that is running has had its signal already."""
        if message["id"] == self._run_id and self._task is not None:
            self.gate.request(self._task.cancel)

    def give_up(self) -> bool:
        """End a run that awaits what never comes; false if a reply of the host may still wake it.

        For an entry where nothing but the host can wake a loop that has nothing to do.
        """
        if self._task is None or self.rpc.futures():
            return False
        self.gate.request_end(self._task.cancel)
        return True

    def _finish(self, run_id: str, outcome: Outcome) -> None:
        """Send files, the rest of the output and the end of the run, the last two in one go."""
        self._folder.collect(outcome.status == "interrupted", self._report)
        self._run_id = self._task = None
        self.gate.end()
        self.rpc.leave_behind()
        try:
            self._before_done()
        finally:
            done = messages.execution_done(
                run_id, outcome.status, outcome.error, outcome.exit_code, outcome.place
            )
            self.outbox.end(done)
