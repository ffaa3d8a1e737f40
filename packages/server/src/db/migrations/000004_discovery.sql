-- Search and ranking follow a creation within a second, and a reveal or retraction in its transaction.

create extension if not exists pg_trgm;

-- Etches missing in etch_search. One row per creating transaction keeps the write cheap.
create table search_queue (
  id        bigint generated always as identity primary key,
  etch_ids  uuid[] not null
);

-- A writer of the tables below locks this row first, so that counts stay exact and writers cannot deadlock.
create table search_lock (
  singleton  boolean primary key default true check (singleton)
);
insert into search_lock default values;

create table etch_search (
  etch_id      uuid primary key,
  user_id      uuid not null,
  category_id  text collate "C" not null,
  status       text collate "C" not null,       -- as stored; due reveals are written before a request reads them
  created_at   timestamptz(3) not null,
  reveal_at    timestamptz(3),
  text         text collate "C" not null        -- folded description, Z, folded text while it is public (fold.ts)
);
create index etch_search_text on etch_search using gin (text gin_trgm_ops) with (gin_pending_list_limit = 1024);
create index etch_search_newest on etch_search (created_at, etch_id) include (user_id, category_id, status, reveal_at);
create index etch_search_topic on etch_search (category_id, status, created_at, etch_id);
create index etch_search_author on etch_search (user_id, created_at, etch_id) include (category_id, status);
create index etch_search_revealed on etch_search (reveal_at, etch_id) include (user_id, category_id)
  where status = 'revealed' and reveal_at is not null;

-- '*': all topics of the account.
create table topic_count (
  category_id  text collate "C" primary key,
  sealed       integer not null,
  revealed     integer not null,
  retracted    integer not null
);
create table account_count (
  user_id      uuid not null,
  category_id  text collate "C" not null,
  total        integer not null,
  sealed       integer not null,
  revealed     integer not null,
  retracted    integer not null,
  primary key (user_id, category_id)
);
create index account_count_most on account_count (category_id, total desc, user_id);

-- `source` is the text that the account's row was made from.
create table account_search (
  user_id     uuid primary key,
  created_at  timestamptz(3) not null,
  username    text collate "C" not null,
  handle      text collate "C",
  names       text collate "C" not null,
  source      text not null
);
create index account_search_names on account_search using gin (names gin_trgm_ops) with (fastupdate = off);
create index account_search_username on account_search (username);
create index account_search_handle on account_search (handle);

create table challenge_search (
  challenge_id  uuid primary key,
  question      text collate "C" not null
);
create index challenge_search_question on challenge_search using gin (question gin_trgm_ops) with (fastupdate = off);

insert into search_queue (etch_ids) select array[id] from etch;
