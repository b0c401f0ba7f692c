"""Starts a program in place of this one: exactly the words and the environment that were given."""

from __future__ import annotations

import errno
import os
import signal
import sys
from collections.abc import Mapping, Sequence

from recipelint.cli.terminal import say

NOT_EXECUTABLE, NOT_FOUND = 126, 127
COERCED = "LC_CTYPE"


def environment() -> dict[str, str]:
    """The environment that this process was given: without the LC_CTYPE that Python itself puts in (PEP 538)."""
    found = dict(os.environ)
    if COERCED in found:
        try:
            with open("/proc/self/environ", "rb") as file:
                given = file.read().split(b"\0")
        except OSError:
            return found
        if not any(entry.startswith(COERCED.encode() + b"=") for entry in given):
            del found[COERCED]
    return found


def start(words: Sequence[str], given: Mapping[str, str]) -> int:
    """Become the program; comes back only where that fails, with the exit status that a shell would have."""
    sys.stdout.flush()
    sys.stderr.flush()
    # Python ignores these from its start; what is ignored stays ignored in the program that takes its place.
    for name in ("SIGPIPE", "SIGXFZ", "SIGXFSZ"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_DFL)
    program = words[0]
    try:
        if not program:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
        os.execvpe(program, list(words), given)
    except OSError as error:
        missing = error.errno in (errno.ENOENT, errno.ENOTDIR)
        reason = "command not found" if missing and "/" not in program else error.strerror or str(error)
        say(f"{program}: {reason}")
        return NOT_FOUND if missing else NOT_EXECUTABLE
