#!/usr/bin/env bash
# Commits to files, waits for the anchor, and writes receipt and manifest. action.yml sets the variables; any other CI can set them too.
set -uo pipefail

out=${SVC_OUT:-${RUNNER_TEMP:-.}/svc}
manifest=$out/manifest.json receipt=$out/receipt.json answer=$out/etch.json
mkdir -p "$out" || exit

fail() { echo "::error title=svc::$1"; exit 1; }
away() {
  [ "${SVC_WHEN_AWAY:-fail}" = warn ] || fail "$1"
  echo "::warning title=svc::$1; nothing was committed, and the job continues (when-away: warn)"
  exit 0
}

arguments=(etch --description "${SVC_DESCRIPTION:?}" --manifest "$manifest" --wait --timeout "${SVC_TIMEOUT:-900}" --json)
[ -z "${SVC_SEALED_UNTIL:-}" ] || arguments+=(--sealed-until "$SVC_SEALED_UNTIL")
while IFS= read -r path; do
  [ -z "$path" ] || arguments+=(--files "$path")
done <<< "${SVC_FILES:?}"

svc "${arguments[@]}" > "$answer"
status=$?
case $status in
  0) ;;
  2) echo "::warning title=svc::the etch is made, and is not anchored after ${SVC_TIMEOUT:-900} seconds" ;;
  69) away "the service $SVC_BASE_URL cannot be reached" ;;
  *) fail "svc etch ended with status $status; its message is above" ;;
esac

value() { node -p 'JSON.parse(fs.readFileSync(process.argv[1], "utf8")).etch[process.argv[2]]' "$answer" "$1"; }
url=$(value short_url)
svc receipt "$(value id)" --out "$receipt" || fail "the receipt of $url cannot be read; its message is above"

printf '%s\n' "etch-url=$url" "receipt=$receipt" "manifest=$manifest" >> "${GITHUB_OUTPUT:-/dev/stdout}"
cat >> "${GITHUB_STEP_SUMMARY:-/dev/stdout}" <<SUMMARY
### Committed to files

- Etch: $url
- Receipt: \`$receipt\`
- Manifest: \`$manifest\`. It proves the files later: store it where only you can read it.
SUMMARY
