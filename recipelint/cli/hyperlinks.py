"""Which terminals have hyperlinks, by what they set in the environment; one that is not known gets none.

The rules are those of the packages named supports-hyperlinks for Node and Rust; FORCE_HYPERLINK is theirs as well.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping

_PROGRAMS = {
    "iTerm.app": (3, 1),
    "vscode": (1, 72),
    "WezTerm": (20200620,),
    "tmux": (3, 4),
    "ghostty": (),
    "Hyper": (),
    "rio": (),
    "zed": (),
}
"""TERM_PROGRAM, and the version from which it has them."""
_TERMS = ("xterm-kitty", "xterm-ghostty", "alacritty", "foot", "contour", "wezterm")
_VARIABLES = ("WT_SESSION", "DOMTERM", "KONSOLE_VERSION")
_VTE = 5001
"""VTE_VERSION; 0.50.0 is said to have them, and crashes on them."""


def host(environ: Mapping[str, str], *, terminal: bool) -> str | None:
    """The host that the addresses of files name; None where no hyperlinks are wanted. TERMINAL: whether it is one."""
    forced = environ.get("FORCE_HYPERLINK", "").strip()
    if forced == "0" or not (forced or (terminal and known(environ))):
        return None
    if "WT_SESSION" in environ and environ.get("WSL_DISTRO_NAME"):
        return f"wsl$/{environ['WSL_DISTRO_NAME']}" if environ["WSL_DISTRO_NAME"].isalnum() else ""
    if environ.get("TERM_PROGRAM") == "vscode":
        return ""  # it takes a host for a share on the network
    name = os.uname().nodename
    return name if re.fullmatch(r"[\w.-]+", name, re.ASCII) else ""


def known(environ: Mapping[str, str]) -> bool:
    """Whether the terminal has hyperlinks. Inside tmux and screen, what is set by the one around them counts not."""
    term, program = environ.get("TERM", ""), environ.get("TERM_PROGRAM", "")
    if term == "dumb" or environ.get("CI"):
        return False
    if program in _PROGRAMS:
        return _version(environ.get("TERM_PROGRAM_VERSION", "")) >= _PROGRAMS[program]
    if "TMUX" in environ or "STY" in environ or term.startswith(("screen", "tmux")):
        return False
    vte = environ.get("VTE_VERSION", "")
    return (
        term.startswith(_TERMS)
        or (vte.isdecimal() and int(vte) >= _VTE)
        or any(environ.get(name) for name in _VARIABLES)
    )


def _version(text: str) -> tuple[int, ...]:
    """`3.4`, `3.5a`, `20240203-110809-5046fc22` as numbers, up to the first that is none."""
    found = re.match(r"\d+(?:\.\d+)*", text)
    return tuple(map(int, found[0].split("."))) if found else ()
