-- No restored backup may make revoked API keys and ended sessions valid again. Hashes and times only. No foreign key:
-- a restored database may be older than the rows.
create table revocation (
  kind        text not null check (kind in ('api_key', 'session')),
  hash        bytea not null,
  revoked_at  timestamptz(3) not null,
  written_at  timestamptz(3) not null default clock_timestamp(),
  primary key (kind, hash)
);
create index revocation_written on revocation (written_at, kind, hash);
insert into revocation (kind, hash, revoked_at)
  select 'api_key', hash, revoked_at from api_key where revoked_at is not null;
