"""What `make fuzz` runs: far more generated input than `make test` has time for.

A part is a module with `fuzz(budget) -> Outcome`; `__main__` lists them.
"""
