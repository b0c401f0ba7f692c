"""Which revision of a Python package a repository asks for, by its own files, and what that revision is known to do.

Pure: files come through a reader, the knowledge is data (`rules/packages/`), nothing is resolved, fetched or guessed.
"""
