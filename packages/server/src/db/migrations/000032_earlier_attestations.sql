-- The newest attestation by our relayer under our schema, found at startup with an empty database
-- (tombstones/earlier-store.ts). The database is the wrong one, or its backup was not restored.
create table earlier_attestation (
  uid          bytea primary key,
  attested_at  timestamptz(3) not null,
  found_at     timestamptz(3) not null default clock_timestamp()
);
