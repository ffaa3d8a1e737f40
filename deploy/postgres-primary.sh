#!/bin/bash
# Runs once, when the primary's data directory is made, after deploy/postgres-role.sh: who may follow it, and that a commit waits
# for the standby.
set -euo pipefail
echo "host replication standby all scram-sha-256" >> "$PGDATA/pg_hba.conf"
# Counts from the next start on: making the database would wait for a standby that is not there yet.
psql -v ON_ERROR_STOP=1 -v password="$POSTGRES_PASSWORD" -U "$POSTGRES_USER" -d postgres -q <<'SQL'
create role standby login replication password :'password';
alter system set synchronous_standby_names = 'standby';
alter system set synchronous_commit = on;
SQL
