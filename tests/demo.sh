#!/usr/bin/env bash
# Lints a copy of a folder of launchers and a trainer, shows what a fix would change, makes all fixes, and lints again.
# usage: RECIPELINT=path/to/recipelint demo.sh FOLDER
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -R "$1" "$work/launchers"
cd "$work/launchers"

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

# Reads a patch, and prints how many lines it adds to each file and takes from it.
diffstat() {
  awk '
    /^--- / { next }
    /^\+\+\+ / { file = substr($2, 3); files[++count] = file; next }
    /^\+/ { added[file]++ }
    /^-/ { removed[file]++ }
    END { for (i = 1; i <= count; i++) printf "%-50s +%d -%d\n", files[i], added[files[i]], removed[files[i]] }
  '
}

first=$(recipelint --output-format concise --quiet --exit-zero . | sed -n '1s/:.*//p')

step 1 'Can this recipe run as written?' recipelint "$first"
step 1 'And the others?' recipelint --output-format concise .
step 1 'What would a fix change?' recipelint --diff "$first"
printf '\n=== And in all of them?\n$ recipelint --diff --quiet . | diffstat\n\n'
{ recipelint --diff --quiet . || true; } | diffstat
step 1 'Fix them.' recipelint --fix --output-format concise .
step 1 'And the trainer, which lets such a recipe start?' recipelint --diff --unsafe-fixes --quiet molt/cli
step 0 'Make it refuse, and let the comments say what is so.' recipelint --fix --unsafe-fixes .
step 0 'And now?' recipelint .
