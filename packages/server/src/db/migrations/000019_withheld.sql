-- Tombstones on the chain that the database lacks, because it is older than its chain.
create table chain_tombstone (
  uid           bytea primary key,              -- in the single scheme the revoked attestation
  root          bytea not null,                 -- in the single scheme the etch's hash
  tree_version  smallint not null check (tree_version in (0, 1, 2)),
  tree_size     integer not null,
  attested_at   timestamptz(3) not null,
  state         text not null check (state in ('unmatched', 'matched', 'dismissed')),
  noted_at      timestamptz(3) not null default clock_timestamp()
);

create table tombstone_search (
  singleton     boolean primary key default true check (singleton),
  genesis_hash  bytea not null,
  read_to       bigint not null
);

-- Etches with such a tombstone but no retraction here are answered as retracted. Only this table has their encrypted
-- content, until an operator erases or releases it.
create table withheld (
  etch_id      uuid primary key references etch (id),
  uid          bytea not null references chain_tombstone (uid),
  status       text not null check (status in ('sealed', 'revealed')),
  revealed_at  timestamptz(3),
  parts        bytea,
  withheld_at  timestamptz(3) not null default clock_timestamp()
);
create index withheld_tombstone on withheld (uid);
alter table withheld alter column parts set statistics 0;

create index batch_uid on batch (uid) where uid is not null;
