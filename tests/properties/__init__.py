"""What generated texts show of the shell: every answer of recipelint is held against the one of real bash.

The strategies are deterministic (`derandomize`): the same texts on every machine and in every run.
"""

from __future__ import annotations

from hypothesis import HealthCheck, settings

settings.register_profile(
    "recipelint",
    derandomize=True,
    database=None,
    deadline=None,
    print_blob=False,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)
settings.load_profile("recipelint")
