"""How long recipelint takes, beside shellcheck and beside starting Python at all. Run it with `make bench`."""
