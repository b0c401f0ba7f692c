"""Which files to lint, and their bytes.

A file that is named is read, unless its extension says that it is neither a shell script nor Python. A folder is
walked, in the order of names, for files with the extension of a launcher or of Python, or without one but with the
shebang of a shell; without what git ignores, `.git`, and anything behind a symbolic link.
"""

from recipelint.discovery.globs import matcher
from recipelint.discovery.reading import UnreadableFile, read
from recipelint.discovery.walk import DiscoveredFile, Discovery, discover

__all__ = ["DiscoveredFile", "Discovery", "UnreadableFile", "discover", "matcher", "read"]
