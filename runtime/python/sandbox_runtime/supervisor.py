"""Tells the host why the interpreter died, in the one case it cannot tell itself.

Memory that runs out ends the interpreter with a SIGKILL like any other, and a container that removes itself
takes the kernel's count of such kills along. So the entry goes on in a child, and the parent, which holds
next to nothing and is not the one that is chosen, turns that death into an exit code of its own.
"""

from __future__ import annotations

import os
import signal

#: Exit code that says: killed by the kernel for going over the memory limit.
MEMORY_EXIT_CODE = 86

# cgroup v2, then v1; both have a line "oom_kill <count>".
_COUNTERS = ("/sys/fs/cgroup/memory.events", "/sys/fs/cgroup/memory/memory.oom_control")


def supervise() -> None:
    """Return in a child; stay in the parent until the child is gone, and end as it did."""
    before = _memory_kills()
    child = os.fork()
    if child == 0:
        return
    # The child must be the only one that holds the protocol: its end is the end of the streams.
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(null, 1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if code == -signal.SIGKILL and _memory_kills() > before:
        os._exit(MEMORY_EXIT_CODE)
    if code == MEMORY_EXIT_CODE:
        code = 1
    os._exit(code if code >= 0 else 128 - code)


def _memory_kills() -> int:
    for path in _COUNTERS:
        try:
            with open(path, encoding="ascii") as counter:
                for line in counter:
                    name, _, value = line.partition(" ")
                    if name == "oom_kill":
                        return int(value)
        except (OSError, ValueError):
            continue
    return 0
