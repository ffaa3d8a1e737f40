-- What was erased, so that no backup brings it back: ids, hashes and times, never a text. Rows are added only, in the
-- transaction of the retraction. Without a foreign key: a restored database may be older than what the list names.
create table erasure (
  etch_id       uuid primary key,
  hash          bytea not null,
  retracted_at  timestamptz(3) not null,
  written_at    timestamptz(3) not null default clock_timestamp()
);
create index erasure_written on erasure (written_at, etch_id);
insert into erasure (etch_id, hash, retracted_at) select id, hash, retracted_at from etch where status = 'retracted';

-- Accounts marked as official by the operator, beside those that OFFICIAL_ACCOUNTS names.
create table official_account (
  user_id    uuid primary key references account (id),
  marked_at  timestamptz(3) not null
);

-- Attestations of a transaction whose leaves this database does not have: it is older than the chain.
alter table anchor_tx add column unplaced integer not null default 0;
