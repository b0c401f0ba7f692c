"""The language server: what recipelint says, in an editor, of the text that is in it. Nowhere else is pygls imported.

The event loop keeps the open documents, and one worker thread judges them: what is judged is a snapshot, and what comes
of it is said only while it is still so. Nothing of a document is run, and no file outside of its tree is read.
"""
