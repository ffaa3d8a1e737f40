#!/usr/bin/env bash
# Checks a forecast hub and comments the table on the pull request, or writes it to the job summary. action.yml sets the variables.
set -uo pipefail

[ "${SVC_HUB:?}" = check ] || { echo '::error title=svc::the input hub accepts check'; exit 1; }
table=$(mktemp "${RUNNER_TEMP:-.}/svc-hub.XXXXXX") || exit
arguments=(hub check --format markdown --record "${SVC_RECORD:-none}")
[ -z "${SVC_ROUND:-}" ] || arguments+=(--round "$SVC_ROUND")
[ -z "${SVC_TRUST:-}" ] || arguments+=(--trust "$SVC_TRUST")

# Messages may contain words of the hub or the service, so GitHub executes no workflow command in them.
token=$(node -p 'crypto.randomUUID()') || exit
[ "${GITHUB_ACTIONS:-}" != true ] || echo "::stop-commands::$token"
svc "${arguments[@]}" > "$table"
status=$?
[ "${GITHUB_ACTIONS:-}" != true ] || echo "::$token::"

# A pull request from a fork has a token that may not comment. The list of processes shows arguments, so curl reads the token from a file.
comment() {
  [ -n "${SVC_PULL_REQUEST:-}" ] && [ -n "${SVC_GITHUB_TOKEN:-}" ] || return 1
  node -e 'const text = fs.readFileSync(process.argv[1], "utf8");
    const body = text.length <= 65000 ? text : text.slice(0, text.lastIndexOf("\n", 65000)) + "\n\nThe rows above are not all: the job summary has the whole table.";
    process.stdout.write(JSON.stringify({ body }))' "$table" |
    curl --fail --silent --show-error --output /dev/null --data @- \
      --config <(printf 'header = "Authorization: Bearer %s"\n' "$SVC_GITHUB_TOKEN") --header 'Content-Type: application/json' \
      "${GITHUB_API_URL:-https://api.github.com}/repos/${GITHUB_REPOSITORY:?}/issues/$SVC_PULL_REQUEST/comments"
}
# A comment has at most 65,536 characters.
if [ -s "$table" ] && ! { comment && [ "$(wc -c < "$table")" -le 65000 ]; }; then
  cat "$table" >> "${GITHUB_STEP_SUMMARY:-/dev/stdout}"
fi
case $status in
  0) ;;
  2) echo '::warning title=svc::not everything in the hub can be proven now; the table names it' ;;
  1) echo '::error title=svc::a file of the hub was late, changed or never committed, or svc failed; see the table'; exit 1 ;;
  *) echo "::error title=svc::svc hub check ended with status $status; its message is above"; exit 1 ;;
esac
