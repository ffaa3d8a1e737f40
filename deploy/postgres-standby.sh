#!/bin/bash
# A standby: a copy of the primary that follows it under the name that the primary waits for. PGPASSWORD is the password.
set -euo pipefail
source=${PRIMARY:-host=primary port=5432 user=standby}
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  umask 0077
  # -R writes down whom to follow; the password goes with it into the data directory.
  until pg_basebackup -D "$PGDATA" -d "$source application_name=standby" -R -X stream -c fast; do
    find "$PGDATA" -mindepth 1 -delete
    sleep 2
  done
  # The copy holds the primary's own settings: after a promotion it must not wait for a standby that it does not have.
  sed -i '/^synchronous_standby_names/d' "$PGDATA/postgresql.auto.conf"
fi
exec postgres
