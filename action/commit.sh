#!/usr/bin/env bash
# Commits to files, waits for the anchor, and writes receipt and manifest. action.yml sets the variables; any other CI can set them too.
set -uo pipefail

# A job may run this more than once.
out=${SVC_OUT:-$(mktemp -d "${RUNNER_TEMP:-.}/svc.XXXXXX")} || exit
manifest=$out/manifest.json receipt=$out/receipt.json answer=$out/etch.json
mkdir -p "$out" || exit

fail() { echo "::error title=svc::$1"; exit 1; }
away() {
  [ "${SVC_WHEN_AWAY:-fail}" = warn ] || fail "$1"
  echo "::warning title=svc::$1; the job continues (when-away: warn)"
  exit 0
}
output() { printf '%s\n' "$1" >> "${GITHUB_OUTPUT:-/dev/stdout}"; }
summary() { printf '%s\n' "$@" >> "${GITHUB_STEP_SUMMARY:-/dev/stdout}"; }
value() { node -p "(({ etch, error }) => $1)(JSON.parse(fs.readFileSync(process.argv[1], 'utf8')))" "$answer"; }

arguments=(etch --description "${SVC_DESCRIPTION:?}" --manifest "$manifest" --json)
[ -z "${SVC_SEALED_UNTIL:-}" ] || arguments+=(--sealed-until "$SVC_SEALED_UNTIL")
while IFS= read -r path; do
  [ -z "$path" ] || arguments+=(--files "$path")
done <<< "${SVC_FILES:?}"

svc "${arguments[@]}" > "$answer"
status=$?
# An etch without its manifest proves no file, so this output never waits.
[ ! -e "$manifest" ] || output "manifest=$manifest"
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
output "etch-url=$url"
summary '### Committed to files' '' "- Etch: $url" "- Manifest: \`$manifest\`. It proves the files later: store it where only you can read it."

svc watch "$id" --timeout "${SVC_TIMEOUT:-900}" > "$out/watch.txt"
case $? in
  0) ;;
  2) echo "::warning title=svc::the etch $url is made, and is not anchored after ${SVC_TIMEOUT:-900} seconds" ;;
  69) away "the etch $url is made, but the service $SVC_BASE_URL did not answer until it was anchored" ;;
  *) fail "the etch $url is made, but svc watch failed; its message is above" ;;
esac

svc receipt "$id" --out "$receipt"
case $? in
  0) ;;
  69) away "the etch $url is made, but the service $SVC_BASE_URL did not answer with its receipt" ;;
  *) fail "the etch $url is made, but its receipt cannot be read; the message is above" ;;
esac
output "receipt=$receipt"
summary "- Receipt: \`$receipt\`"
