#!/usr/bin/env bash
# Installs recipelint into an environment of its own, and gives back the Python of that environment.
# PYTHON is the Python to make it with; VERSION is empty for the commit of this action, or a version from the index.
set -euo pipefail
export LC_ALL=C

refuse() {
  echo "::error title=recipelint::$1"
  exit 2
}

release='^[0-9]+(\.[0-9]+)*((a|b|rc)[0-9]+)?(\.post[0-9]+)?(\.dev[0-9]+)?$'
if [[ -n "$VERSION" && ! "$VERSION" =~ $release ]]; then
  refuse "version: must be empty, or a version such as 0.1.0"
fi
if [[ "$RUNNER_OS" == Windows ]]; then
  refuse "recipelint runs on Linux and macOS"
fi

what="$(cd -- "$GITHUB_ACTION_PATH" && pwd)"
if [[ -n "$VERSION" ]]; then
  what="recipelint==$VERSION"
fi
environment="$(mktemp -d -- "$RUNNER_TEMP/recipelint.XXXXXX")"
cd -- "$environment"
"$PYTHON" -I -m venv .
bin/python -I -m pip install --quiet --no-input --disable-pip-version-check -- "$what"

installed="$(bin/python -I -m recipelint --version)"
if [[ -n "$VERSION" && "$installed" != "recipelint $VERSION" ]]; then
  refuse "version: another one was installed"
fi
echo "$installed"
echo "python=$environment/bin/python" >>"$GITHUB_OUTPUT"
