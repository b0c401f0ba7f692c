"""Whether the file in the tree is the one that a launch runs: not elsewhere, in another folder, or rewritten before."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping, Sequence
from typing import Any

REVISION = re.compile(
    r"\bgit[ \t]+(?:-C[ \t]+\S+[ \t]+)?(?:checkout|switch|reset|pull|apply|stash|am|merge|rebase|restore|cherry-pick)\b"
    r"|\bpatch[ \t]+-|\bcp\b[^\n;|&]*\*[^\n;|&]*[ \t]\.(?:/)?(?:[ \t;&|]|$)",
    re.MULTILINE,
)
"""Commands that put another revision of the files in place."""
WRITERS = r"(?:>|\btee\b|\bcp\b|\bmv\b|\bsed[ \t]+-[a-zA-Z]*i|\bln\b|\brsync\b|\binstall\b|\bperl\b)[^\n;|&]*"
"""What may write a file that is named behind it."""
COMMENT = re.compile(r"^[ \t]*#.*$", re.MULTILINE)
SBATCH_FOLDER = re.compile(r"^#SBATCH[ \t]+(?:-D|--chdir)\b", re.MULTILINE)


def stands(data: Mapping[str, Any], wrappers: Sequence[str], command: str, text: str, entry_point: str) -> bool:
    """DATA is `rules/launchers.yaml`, COMMAND the launch and TEXT the launcher."""
    if not set(data.get("elsewhere", ())).isdisjoint(wrappers):
        return False
    if any(re.search(rf"(?<!\S){re.escape(option)}(?=[=\s])", command) for option in data.get("folder_options", ())):
        return False
    code = COMMENT.sub("", text)
    if SBATCH_FOLDER.search(text) or REVISION.search(code):
        return False
    name = posixpath.basename(entry_point) if entry_point.endswith(".py") else entry_point.rpartition(".")[2] + ".py"
    if name not in code:
        return True
    return not re.search(WRITERS + r"(?<![\w.-])" + re.escape(name) + r"(?![\w.-])", code)
