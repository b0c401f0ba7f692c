"""`python -m recipelint`."""

from recipelint.cli import main

if __name__ == "__main__":
    main()
