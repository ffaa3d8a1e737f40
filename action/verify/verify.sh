#!/usr/bin/env bash
# Checks receipts. action.yml sets the variables; any other CI can set them too.
set -uo pipefail

# shellcheck source=../shared.sh
. "$(dirname "${BASH_SOURCE[0]}")/../shared.sh" || exit

receipts=()
while IFS= read -r pattern; do
  [ -n "$pattern" ] || continue
  before=${#receipts[@]}
  # A path may have the characters of a pattern.
  while IFS= read -r file; do receipts+=("$file"); done < <([ -e "$pattern" ] && echo "$pattern" || compgen -G "$pattern")
  [ "${#receipts[@]}" -gt "$before" ] || fail "no receipt has the name $pattern"
done <<< "${SVC_RECEIPTS:?}"
[ "${#receipts[@]}" -gt 0 ] || fail 'the input receipts names no file'
[ -f "${SVC_TRUST:?}" ] || fail "the file $SVC_TRUST of the input trust is missing"

verified "${receipts[@]/#-/./-}"
case $? in
  0) ;;
  2) fail 'not every receipt is proven; the message is above' ;;
  *) fail 'not every receipt verifies; the message is above' ;;
esac
