"""Work that is done by several processes at once: numbered tasks in, plain values out.

The processes are copies of this one, so nothing has to be sent to them. They end with it: at its end, at Ctrl-C, and
when it is no longer there to read what they say.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Callable, Iterator
from typing import Any, NoReturn

LENGTH = 8
INTERRUPTED = 130
MOST = 250
"""Tasks: each is one byte in a pipe."""


class WorkerDied(Exception):
    """A process ended before its work was done, and did not say why."""


def processors() -> int:
    """How many processes may run at once."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def possible() -> bool:
    """Whether this system copies processes safely."""
    return hasattr(os, "fork") and sys.platform != "darwin"


def spread(work: Callable[[int], Any], tasks: int, workers: int) -> Iterator[tuple[int, Any]]:
    """What WORK makes of each number below TASKS, as it is done; None where it is not. Raises WorkerDied."""
    take, give = os.pipe()
    os.write(give, bytes(range(min(tasks, MOST))))
    os.close(give)
    running: dict[int, int] = {}  # the end of a pipe that we read: a process
    try:
        for _ in range(workers):
            ours, theirs = os.pipe()
            try:
                pid = copied()
            except OSError:  # there may be no more of them: those that there are do the work
                os.close(ours)
                os.close(theirs)
                break
            if pid == 0:
                for other in (ours, *running):
                    os.close(other)
                serve(work, take, theirs)
            os.close(theirs)
            running[ours] = pid
        if not running:
            yield from ((number, None) for number in range(tasks))
        yield from gathered(running)
    finally:
        os.close(take)
        for end, pid in running.items():
            os.close(end)
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)


def copied() -> int:
    """Fork. That the thread which draws how far we are is not copied is no harm: the copy draws nothing."""
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        return os.fork()


def serve(work: Callable[[int], Any], take: int, give: int) -> NoReturn:
    """Do tasks until there are no more; this process then ends, without the end of the one that it is a copy of."""
    from json import dumps

    status = 1
    try:
        gc.freeze()  # what the copies have in common is never garbage
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        while number := os.read(take, 1):
            try:
                made = work(number[0])
            except Exception:
                made = None  # done again in the process that reports it
            data = dumps([number[0], made]).encode("ascii")
            sent = memoryview(len(data).to_bytes(LENGTH, "big") + data)
            while sent:
                sent = sent[os.write(give, sent) :]
        status = 0
    except KeyboardInterrupt:  # before the signal had its default again
        status = INTERRUPTED
    finally:
        os._exit(status)


def gathered(running: dict[int, int]) -> Iterator[tuple[int, Any]]:
    """What the processes say, until all of them have ended well."""
    from json import loads
    from select import select

    said = {end: bytearray() for end in running}
    while running:
        for end in select(list(running), (), ())[0]:
            data, buffer = os.read(end, 1 << 20), said[end]
            buffer += data
            while len(buffer) >= LENGTH and len(buffer) >= (whole := LENGTH + int.from_bytes(buffer[:LENGTH], "big")):
                number, made = loads(bytes(buffer[LENGTH:whole]))
                del buffer[:whole]
                yield number, made
            if not data:
                pid = running.pop(end)
                os.close(end)
                status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
                if status in (INTERRUPTED, -signal.SIGINT):  # it heard of Ctrl-C before this one did
                    raise KeyboardInterrupt
                if status or buffer:
                    raise WorkerDied(f"a process that checks launchers ended with {status}")
