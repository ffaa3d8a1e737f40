-- No restored backup may bring a text back, so erasures store ids, hashes and times, never a text. The retraction's
-- transaction adds the row; rows never change. No foreign key: a restored database may be older than the rows.
create table erasure (
  etch_id       uuid primary key,
  hash          bytea not null,
  retracted_at  timestamptz(3) not null,
  written_at    timestamptz(3) not null default clock_timestamp()
);
create index erasure_written on erasure (written_at, etch_id);
insert into erasure (etch_id, hash, retracted_at) select id, hash, retracted_at from etch where status = 'retracted';

create table official_account (
  user_id    uuid primary key references account (id),
  marked_at  timestamptz(3) not null
);

-- Attestations whose leaves are not in this database, because the database is older than the chain.
alter table anchor_tx add column unplaced integer not null default 0;
