#!/usr/bin/env bash
# Lints a copy of a folder of launchers, fixes it, shows what changed, and lints it again.
# usage: RECIPELINT=path/to/recipelint demo.sh FOLDER
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -R "$1" "$work/before"
cp -R "$1" "$work/after"
cd "$work/after"

# step EXPECTED-STATUS TITLE COMMAND…
step() {
  local expected=$1 status=0
  printf '\n=== %s\n$ %s\n\n' "$2" "${*:3}"
  "${@:3}" || status=$?
  if ((status != expected)); then
    printf 'demo: exit status %s, not %s\n' "$status" "$expected" >&2
    exit 1
  fi
}

recipelint() { "$RECIPELINT" "$@"; }

step 1 'Which recipes cannot run as written?' recipelint .
step 0 'Fix them.' recipelint --fix .
step 1 'What changed?' diff -ru ../before .
step 0 'And now?' recipelint .
step 0 'What every trainer gets:' recipelint table .
