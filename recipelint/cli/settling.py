"""From options to settings, with the folders of what is kept; nothing here needs click."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from recipelint.settings import Settings, resolve


def settle(
    options: Mapping[str, Any], *, config: str | None, isolated: bool, pieces: Sequence[str], no_cache: bool
) -> Settings:
    """The settings of options, of which None and an empty tuple were not given. Raises SettingsError."""
    given = {name: value for name, value in options.items() if value not in (None, ())}
    settings = resolve(given, config=config, isolated=isolated, pieces=pieces)
    return settings if no_cache else settings._replace(cache=_cache(settings))


def _cache(settings: Settings) -> tuple[str, str] | None:
    """The folder for what is kept, and that of the secret: a folder that a repository names has none that counts."""
    from recipelint.store import user_folder

    users = user_folder()
    if not settings.cache_dir:
        return (users, users) if users else None
    if settings.origin("cache_dir") == "--cache-dir":
        return settings.cache_dir, settings.cache_dir
    return (settings.cache_dir, users) if users else None
