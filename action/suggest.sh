#!/usr/bin/env bash
# Has reviewdog write the SUGGESTIONS into pull request CI_PULL_REQUEST, at CI_COMMIT.
set -euo pipefail

# reviewdog looks for the folder of a repository, and needs nothing of it: what it compares with, it asks GitHub for.
folder="$(mktemp -d -- "$RUNNER_TEMP/recipelint-review.XXXXXX")"
cd -- "$folder"
git init --quiet

# What reviewdog prints comes from another run. Nothing of it is to be a workflow command.
token="$(od -An -N 16 -t x1 /dev/urandom | tr -d ' \n')"
echo "::stop-commands::$token"
trap 'echo "::$token::"' EXIT

# Within GitHub Actions reviewdog knows only pull requests of the run's own event; this run is about that of another one.
export CI_REPO_OWNER="${GITHUB_REPOSITORY%%/*}" CI_REPO_NAME="${GITHUB_REPOSITORY#*/}"
env --unset=GITHUB_ACTIONS reviewdog -f=rdjson -name=recipelint -reporter=github-pr-review \
  -filter-mode=diff_context -fail-level=none <"$SUGGESTIONS"
