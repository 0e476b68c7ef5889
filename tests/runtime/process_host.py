"""A host for the real ``entrypoint.py``: starts it, speaks the protocol, and leaves nothing running."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import subprocess
import sys
import threading
from typing import Any

from support import ENTRYPOINT

#: Far more than anything here takes: only a hang gets this far.
PATIENCE_SECONDS = 30.0


class RuntimeProcess:
    """One interpreter; use it with ``with``."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-u", str(ENTRYPOINT)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        self._lines: queue.Queue[bytes | None] = queue.Queue()
        self._runs = 0
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self) -> RuntimeProcess:
        self.ready = self.receive()
        return self

    def __exit__(self, *_exc: object) -> None:
        # The whole group, whose leader it is: a test may leave children of it behind.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._reader.join(PATIENCE_SECONDS)
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            with contextlib.suppress(BrokenPipeError):
                stream.close()  # type: ignore[union-attr]

    def _read(self) -> None:
        for line in self._process.stdout:  # type: ignore[union-attr]
            self._lines.put(line)
        self._lines.put(None)

    def send(self, message: dict[str, Any]) -> None:
        """Send one message."""
        self.send_line(json.dumps(message).encode())

    def send_line(self, line: bytes) -> None:
        """Send one line as it is."""
        self._process.stdin.write(line + b"\n")  # type: ignore[union-attr]
        self._process.stdin.flush()  # type: ignore[union-attr]

    def receive(self) -> dict[str, Any]:
        """The next message; fails at the end of the stream, on a hang, and on a line that is not JSON."""
        line = self._lines.get(timeout=PATIENCE_SECONDS)
        if line is None:
            raise EOFError("The interpreter ended")
        return json.loads(line)

    def start(self, code: str) -> str:
        """Send code to run and give the run's id."""
        self._runs += 1
        run_id = f"run-{self._runs}"
        self.send({"type": "execute", "id": run_id, "code": code, "servers": [], "discovered": {}})
        return run_id

    def interrupt(self, run_id: str) -> None:
        """Ask for the end of a run."""
        self.send({"type": "interrupt", "id": run_id})

    def finish(self, run_id: str) -> Finished:
        """Wait for the end of a run."""
        messages: list[dict[str, Any]] = []
        while not messages or messages[-1]["type"] != "execution_done":
            messages.append(self.receive())
        return Finished(run_id, messages)

    def run(self, code: str) -> Finished:
        """Run code to its end."""
        return self.finish(self.start(code))

    def wait_for_stdout(self, text: str) -> None:
        """Wait until a run has printed a text."""
        seen = ""
        while text not in seen:
            message = self.receive()
            if message["type"] == "execution_done":
                raise AssertionError(f"The run ended before it printed {text!r}: {message}")
            if message["type"] == "stdout":
                seen += message["data"]

    def close_stdin(self) -> None:
        """End our side of the protocol."""
        self._process.stdin.close()  # type: ignore[union-attr]

    def wait(self) -> int:
        """Wait for the process to end by itself and give its exit code."""
        return self._process.wait(PATIENCE_SECONDS)

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._process.pid


class Finished:
    """What came of one run."""

    def __init__(self, run_id: str, messages: list[dict[str, Any]]) -> None:
        self.messages = messages
        self.done = messages[-1]
        self.status = self.done["status"]
        self.error = self.done.get("error")
        self.stdout = self._text("stdout")
        self.stderr = self._text("stderr")
        if {message["id"] for message in messages} != {run_id}:
            raise AssertionError(f"Messages of another run than {run_id}: {messages}")

    def _text(self, name: str) -> str:
        return "".join(m["data"] for m in self.messages if m["type"] == name)
