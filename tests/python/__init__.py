"""What generated texts show of the shell: every answer of recipelint is held against the one of real bash.

The texts are the same on every machine and in every run; see `examples`.
"""
