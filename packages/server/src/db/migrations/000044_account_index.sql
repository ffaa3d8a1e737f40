-- The index of accounts: each account's number of entries in the trees of the log, and the roots of their perfect subtrees.
create table account_index (
  key      bytea primary key check (octet_length(key) = 32),   -- SHA-256 of the user id's 16 bytes
  user_id  uuid not null,
  count    bigint not null check (count > 0),
  peaks    bytea not null,
  since    bigint not null                                     -- valid for an index that covers at least so many entries of the log
);

-- `covered`: the rows include the trees of the log below it. `generation` changes when all rows are computed again.
create table account_index_state (
  singleton   boolean primary key default true check (singleton),
  covered     bigint not null default 0,
  generation  integer not null default 0
);
insert into account_index_state default values;

-- The packed leaves of a given-up tree that stays in the log: its batch is deleted.
alter table log_entry add column leaves bytea;
create index log_entry_leaves on log_entry (index) where leaves is not null;
create index log_entry_index on log_entry (index) where get_byte(data, 63) = 2;
