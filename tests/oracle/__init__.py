"""Bash as the judge: what a launcher really hands to its trainers.

`launches()` runs a launcher with real bash, alone in a copy of its tree, where every outside command is a stand-in
(`standins/`) that starts nothing: a trainer's words and environment are written down, a wrapper hands its inner
command on as the real one would, and everything else does nothing, successfully.
"""

from __future__ import annotations

from .machine import MACHINES, Machine
from .record import RecordedLaunch
from .sandbox import launches

__all__ = ["MACHINES", "Machine", "RecordedLaunch", "launches"]
