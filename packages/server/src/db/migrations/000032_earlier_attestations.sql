-- An attestation by our relayer under our schema that is older than this database, found at startup while the
-- database was empty (tombstones/earlier.ts). The database is the wrong one, or its backup was not restored. The
-- newest such attestation is enough.
create table earlier_attestation (
  uid          bytea primary key,
  attested_at  timestamptz(3) not null,
  found_at     timestamptz(3) not null default clock_timestamp()
);
