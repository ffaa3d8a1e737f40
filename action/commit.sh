#!/usr/bin/env bash
# Commits to files, waits for the anchor, and writes receipt and manifest. action.yml sets the variables; any other CI can set them too.
set -uo pipefail

# A job may run this more than once.
out=${SVC_OUT:-$(mktemp -d "${RUNNER_TEMP:-.}/svc.XXXXXX")} || exit
manifest=$out/manifest.json receipt=$out/receipt.json answer=$out/etch.json
mkdir -p "$out" || exit

# shellcheck source=shared.sh
. "$(dirname "${BASH_SOURCE[0]}")/shared.sh" || exit
away() {
  [ "${SVC_WHEN_AWAY:-fail}" = warn ] || fail "$1"
  annotate warning "$1; the job continues (when-away: warn)"
  exit 0
}
output() {
  case $2 in *[$'\r\n']*) fail "the output $1 contains a line break" ;; esac
  printf '%s=%s\n' "$1" "$2" >> "${GITHUB_OUTPUT:-/dev/stdout}"
}
summary() { printf '%s\n' "$@" >> "${GITHUB_STEP_SUMMARY:-/dev/stdout}"; }
value() { node -p "(({ etch, error }) => $1)(JSON.parse(fs.readFileSync(process.argv[1], 'utf8')))" "$answer"; }

case ${SVC_VERIFY:=false} in
  true) [ -n "${SVC_TRUST:-}" ] || fail "verify: true needs the input trust: a copy of the service's /.well-known/svc.json" ;;
  false) ;;
  *) fail "the input verify is true or false, not $SVC_VERIFY" ;;
esac

arguments=(etch --description "${SVC_DESCRIPTION:?}" --manifest "$manifest" --json)
[ -z "${SVC_SEALED_UNTIL:-}" ] || arguments+=(--sealed-until "$SVC_SEALED_UNTIL")
files=()
while IFS= read -r path; do
  [ -z "$path" ] || files+=(--files "$path")
done <<< "${SVC_FILES:?}"

logged "$answer" "${arguments[@]}" "${files[@]}"
status=$?
# An etch without its manifest proves no file, so this output never waits.
[ ! -e "$manifest" ] || output manifest "$manifest"
case $status in
  0) ;;
  69)
    if [ "$(value 'error.may_have_happened ?? error.status >= 500')" = false ]
    then away "the service $SVC_BASE_URL is not available; nothing was committed"
    else away "the service $SVC_BASE_URL did not confirm the etch, which may exist; keep $manifest, and repeat the request as the message above says"
    fi ;;
  *) fail "svc etch ended with status $status; its message is above" ;;
esac

id=$(value etch.id) url=$(value etch.short_url)
output etch-url "$url"
summary '### Committed to files' '' "- Etch: $url" "- Manifest: \`$manifest\`. It proves the files later: store it where only you can read it."

logged "$out/watch.txt" watch "$id" --timeout "${SVC_TIMEOUT:-900}"
case $? in
  0) ;;
  2) annotate warning "the etch $url is made, and is not anchored after ${SVC_TIMEOUT:-900} seconds" ;;
  69) away "the etch $url is made, but the service $SVC_BASE_URL did not answer until it was anchored" ;;
  *) fail "the etch $url is made, but svc watch failed; its message is above" ;;
esac

logged /dev/null receipt "$id" --out "$receipt"
case $? in
  0) ;;
  69) away "the etch $url is made, but the service $SVC_BASE_URL did not answer with its receipt" ;;
  *) fail "the etch $url is made, but its receipt cannot be read; the message is above" ;;
esac
output receipt "$receipt"
summary "- Receipt: \`$receipt\`"

[ "$SVC_VERIFY" = false ] && exit
verified "$receipt" --manifest "$manifest" "${files[@]}"
case $? in
  0) summary '- The receipt and the files verify under the pins of this job.' ;;
  2) fail "the etch $url is not proven yet; the message is above" ;;
  *) fail "the etch $url does not verify; the message is above" ;;
esac
