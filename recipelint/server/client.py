"""What a client can, of all that the protocol lets it choose."""

from __future__ import annotations

from typing import Any

from lsprotocol import types


class Client:
    """The capabilities that matter here."""

    def __init__(self, capabilities: types.ClientCapabilities) -> None:
        self.capabilities = capabilities

    def _get(self, path: str) -> Any:
        """The value at a dotted path, or None."""
        at: Any = self.capabilities
        for name in path.split("."):
            at = getattr(at, name, None)
        return at

    @property
    def pulls(self) -> bool:
        """Whether it asks for diagnostics, also when we say that they changed; else they are sent to it."""
        return self._get("text_document.diagnostic") is not None and bool(
            self._get("workspace.diagnostics.refresh_support")
        )

    @property
    def versions(self) -> bool:
        """Whether an edit may name the version of its document."""
        return bool(self._get("workspace.workspace_edit.document_changes"))

    @property
    def configurable(self) -> bool:
        """Whether it wants to be asked for its settings."""
        return bool(self._get("workspace.configuration"))

    @property
    def watches(self) -> bool:
        """Whether it can be asked to watch files."""
        return bool(self._get("workspace.did_change_watched_files.dynamic_registration"))

    @property
    def told_settings(self) -> bool:
        """Whether it must be asked to tell of changed settings."""
        return bool(self._get("workspace.did_change_configuration.dynamic_registration"))

    @property
    def refreshes_hints(self) -> bool:
        """Whether it asks for inlay hints again when we say so."""
        return bool(self._get("workspace.inlay_hint.refresh_support"))

    @property
    def markdown(self) -> bool:
        """Whether a hover may be Markdown."""
        formats = self._get("text_document.hover.content_format")
        return formats is None or types.MarkupKind.Markdown in formats
