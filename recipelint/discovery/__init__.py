"""Which files to lint, and their bytes.

A file that is named is read, unless its extension says that it is something else than a shell script. A folder is
walked, in the order of names, for files with the extension of a launcher, or without one but with the shebang of a
shell; without what git ignores, `.git`, and anything behind a symbolic link.
"""

from recipelint.discovery.globs import matcher
from recipelint.discovery.reading import UnreadableFile, read
from recipelint.discovery.walk import DiscoveredFile, Discovery, discover

__all__ = ["DiscoveredFile", "Discovery", "UnreadableFile", "discover", "matcher", "read"]
