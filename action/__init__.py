"""What action.yml and suggest/action.yml run on a CI machine; nothing of it is part of the installed recipelint.

What comes from a workflow, an event or a checked-out repository is data here: it is checked, or passed on as one
argument, and never reaches a shell.
"""
