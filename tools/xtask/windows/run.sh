#!/usr/bin/env bash
# Runs a test program under Wine, whose path is the first argument. On a busy machine Wine ends now and then before the program
# has begun: what has failed with not a word is run again, twice at most. A test program's first words come before its first test.
set -o pipefail
said=$(mktemp)
trap 'rm -f "$said"' EXIT
for attempt in 1 2 3; do
  # What it says as an error may be Wine's own.
  "$@" | tee "$said"
  status=$?
  if [[ $status -eq 0 || -s $said || $status -gt 1 ]]; then
    exit "$status"
  fi
  echo "attempt $attempt: Wine ended with $status before $2 had begun" >&2
done
exit "$status"
