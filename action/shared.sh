# Functions of the actions, for the log of a job.

# A line feed in a value would begin a command of its own.
escaped() { local text=${1//'%'/%25}; text=${text//$'\r'/%0D}; printf '%s' "${text//$'\n'/%0A}"; }
annotate() { printf '::%s title=svc::%s\n' "$1" "$(escaped "$2")"; }
fail() { annotate error "$1"; exit 1; }

# logged <file> <arguments>: runs svc with its output in the file (- for the log) and its messages in the log. The messages may contain
# words of the service, so GitHub executes no workflow command in them.
logged() {
  local file=$1 token status
  shift
  token=$(node -p 'crypto.randomUUID()') || exit
  [ "${GITHUB_ACTIONS:-}" != true ] || echo "::stop-commands::$token"
  if [ "$file" = - ]; then svc "$@" 2>&1; else svc "$@" 2>&1 > "$file"; fi
  status=$?
  [ "${GITHUB_ACTIONS:-}" != true ] || echo "::$token::"
  return $status
}

# verified <receipt>... <flags>: the exit status of svc verify under the trust that the job supplies.
verified() {
  local trust=(--trust "$SVC_TRUST")
  [ -z "${SVC_RPC:-}" ] || trust+=(--rpc "$SVC_RPC")
  logged - verify "${trust[@]}" "$@"
}
