-- Tombstones of this service that the chain holds and the database did not know of: it is older than its chain.
create table chain_tombstone (
  uid           bytea primary key,              -- the attestation; of the single scheme the one that was revoked
  root          bytea not null,                 -- of the single scheme the etch's hash
  tree_version  smallint not null check (tree_version in (0, 1, 2)),
  tree_size     integer not null,
  attested_at   timestamptz(3) not null,
  state         text not null check (state in ('unmatched', 'matched', 'dismissed')),
  noted_at      timestamptz(3) not null default clock_timestamp()
);

-- Up to which block of which chain they were looked for.
create table tombstone_search (
  singleton     boolean primary key default true check (singleton),
  genesis_hash  bytea not null,
  read_to       bigint not null
);

-- What such a tombstone names and nobody here had retracted: answered as retracted everywhere, its row holds nothing any
-- more, and what it held stands here alone, encrypted, until an operator erases it or gives it back.
create table withheld (
  etch_id      uuid primary key references etch (id),
  uid          bytea not null references chain_tombstone (uid),
  status       text not null check (status in ('sealed', 'revealed')),
  revealed_at  timestamptz(3),
  parts        bytea,                           -- AES-256-GCM of content, salt and signature, as in etch.sealed
  withheld_at  timestamptz(3) not null default clock_timestamp()
);
create index withheld_tombstone on withheld (uid);
alter table withheld alter column parts set statistics 0;

-- What the chain attested is looked up by its uid.
create index batch_uid on batch (uid) where uid is not null;
