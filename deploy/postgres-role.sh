#!/bin/bash
# Runs once, when the data directory is made: the service's own role and database. It is no superuser and makes no others. The
# superuser has no password from then on, so that it comes in from this container alone.
set -euo pipefail
psql -v ON_ERROR_STOP=1 -v password="$POSTGRES_PASSWORD" -U "$POSTGRES_USER" -d postgres -q <<'SQL'
create role svc login nosuperuser nocreatedb nocreaterole noreplication password :'password';
create database svc owner svc template template0 encoding 'UTF8' locale 'C';
revoke all on database svc from public;
alter role current_user password null;
SQL
