"""``ThreadPoolExecutor`` for an interpreter without threads: work is done where it is handed in."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Callable


def _submit(self: Any, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
    """Do the work; gives a future that is done."""
    if self._shutdown:
        raise RuntimeError("cannot schedule new futures after shutdown")
    future: Future[Any] = Future()
    future.set_running_or_notify_cancel()
    try:
        if not hasattr(self, "_inline_worker"):
            self._inline_worker = self._create_worker_context()
            self._inline_worker.initialize()
        result = fn(*args, **kwargs)
    except KeyboardInterrupt:
        # It is meant for the program, which has no other thread.
        raise
    except BaseException as error:  # noqa: BLE001 - whoever asks for the result gets it
        future.set_exception(error)
    else:
        future.set_result(result)
    return future


def do_work_inline() -> None:
    """Let every pool of threads work in this one."""
    ThreadPoolExecutor.submit = _submit  # type: ignore[method-assign]
