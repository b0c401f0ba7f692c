"""How many examples a property is tried with.

They are derived from the test, never from chance or from an earlier run.
"""

from __future__ import annotations

from hypothesis import HealthCheck, settings

SLOW = (HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much, HealthCheck.large_base_example)


def examples(count: int) -> settings:
    """The settings of a property, as a decorator."""
    return settings(
        max_examples=count, derandomize=True, database=None, deadline=None, print_blob=False, suppress_health_check=SLOW
    )
