"""recipelint finds training recipes that cannot run as written, and fixes them."""

__version__ = "0.1.0"
