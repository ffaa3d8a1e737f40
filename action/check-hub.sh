#!/usr/bin/env bash
# Checks a forecast hub, or the files that a pull request changes, and comments the table on the pull request, or writes it to the
# job summary. action.yml sets the variables.
set -uo pipefail

here=$(dirname "${BASH_SOURCE[0]}")
# shellcheck source=shared.sh
. "$here/shared.sh" || exit
# Only the program that comments needs the token.
export -n SVC_GITHUB_TOKEN

[ "${SVC_HUB:?}" = check ] || fail 'the input hub accepts check'
table=$(mktemp "${RUNNER_TEMP:-.}/svc-hub.XXXXXX") || exit
arguments=(hub check --format markdown --record "${SVC_RECORD:-none}")
[ -z "${SVC_ROUND:-}" ] || arguments+=(--round "$SVC_ROUND")
trust=${SVC_TRUST:-}
if [ -n "${SVC_PULL_REQUEST:-}" ]; then
  # The parents of the merge commit are the target of the pull request and its head.
  [ "$(git rev-parse --verify --quiet HEAD^2)" = "${SVC_HEAD:?}" ] ||
    fail 'the checkout is not the merge commit of this pull request with its parents: use actions/checkout with fetch-depth: 2, and without ref'
  arguments+=(--changed-since HEAD^1)
  # The author of the pull request does not supply the trust, if the target has that file.
  if git cat-file blob "HEAD^1:./$trust" > "$table.trust" 2> /dev/null; then
    cmp -s "$trust" "$table.trust" ||
      annotate warning "this pull request changes $trust; its files are checked under the file of the target branch"
    trust=$table.trust
  fi
fi
[ -z "$trust" ] || arguments+=(--trust "$trust")

logged "$table" "${arguments[@]}"
status=$?
[ -s "$table" ] || echo "svc hub check ended with status $status; nothing was checked" > "$table"
# A line of the table begins with a vertical bar or with the name of the hub.
! grep -q '^Careful: ' "$table" ||
  annotate warning 'this pull request changes the configuration or trust by which it is checked, or removes files; see the table'

# A pull request from a fork has a token that may not comment.
if ! { [ -n "${SVC_PULL_REQUEST:-}" ] && [ -n "${SVC_GITHUB_TOKEN:-}" ] &&
  SVC_GITHUB_TOKEN=$SVC_GITHUB_TOKEN node "$here/comment.mjs" "$table"; }; then
  cat "$table" >> "${GITHUB_STEP_SUMMARY:-/dev/stdout}"
fi
case $status in
  0) ;;
  2) annotate warning 'not everything in the hub can be proven now, or no file was checked; the table names it' ;;
  1) fail 'a file of the hub was late, changed or never committed, or svc failed; see the table' ;;
  *) fail "svc hub check ended with status $status; its message is above" ;;
esac
