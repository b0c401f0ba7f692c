"""Python files: what they say, read from their text. Nothing in them is imported or run."""
