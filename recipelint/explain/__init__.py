"""What a line of a launcher does to its launches: by where their values come from, and by evaluating it otherwise.

Nothing is written; the evaluations with another line are those of the linter.
"""
