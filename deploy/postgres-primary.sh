#!/bin/bash
# Runs once, when the primary's data directory is made: who may follow it, and that a commit waits for the standby.
set -euo pipefail
echo "host replication $POSTGRES_USER all scram-sha-256" >> "$PGDATA/pg_hba.conf"
# Counts from the next start on: making the database would wait for a standby that is not there yet.
psql -v ON_ERROR_STOP=1 -U "$POSTGRES_USER" -d "$POSTGRES_DB" -q \
  -c "alter system set synchronous_standby_names = 'standby'" \
  -c "alter system set synchronous_commit = on"
