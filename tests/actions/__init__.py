"""GitHub Actions as its runner does them, so far as this project's action and workflows use it."""
