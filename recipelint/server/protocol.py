"""What pygls leaves to be said of the protocol: texts are kept by `documents` alone, and the exit status is told."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from lsprotocol import types
from pygls.protocol import LanguageServerProtocol, lsp_method

ABANDONED = 1
"""The status, as the protocol has it, of a server whose client goes without asking for a shutdown."""


class Protocol(LanguageServerProtocol):
    """The protocol of our server."""

    status = ABANDONED

    @lsp_method(types.EXIT)
    def lsp_exit(self, *args: Any) -> Generator[Any, Any, None]:
        """Note the exit status, which the event loop of pygls swallows."""
        self.status = 0 if self._shutdown else ABANDONED
        yield from super().lsp_exit(*args)

    @lsp_method(types.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: types.DidChangeTextDocumentParams) -> Generator[Any, Any, None]:
        """Let the handler change the text. pygls would change the positions of PARAMS, too."""
        handler = self.fm.features.get(types.TEXT_DOCUMENT_DID_CHANGE)
        if handler is not None:
            yield handler, (params,), None
