create table challenge (
  id           uuid primary key,
  code         text not null unique,
  question     text not null,
  category_id  text not null,
  creator_id   uuid not null references account (id),
  created_at   timestamptz(3) not null,
  reveal_at    timestamptz(3) not null
);
create index challenge_reveal on challenge (reveal_at, id) include (category_id);
create index challenge_created on challenge (created_at, id) include (category_id, reveal_at);
create index challenge_category_reveal on challenge (category_id, reveal_at, id);
create index challenge_category_created on challenge (category_id, created_at, id) include (reveal_at);
create index challenge_creator on challenge (creator_id);

-- Every entry to a busy challenge rewrites this row, so a narrow table keeps the question and its indexes untouched.
-- The copied columns never change; `most` and `least` filter and sort by them without a join.
create table challenge_tally (
  id           uuid primary key references challenge (id),
  category_id  text not null,
  created_at   timestamptz(3) not null,
  reveal_at    timestamptz(3) not null,
  etch_count   integer not null default 0
) with (fillfactor = 70);
create index challenge_tally_count on challenge_tally (etch_count, created_at, id) include (reveal_at, category_id);
create index challenge_tally_reveal on challenge_tally (reveal_at);

alter table etch add constraint etch_challenge foreign key (challenge_id) references challenge (id);
create index etch_in_challenge on etch (challenge_id, created_at, id) where challenge_id is not null;
create index etch_retracted_in_challenge on etch (challenge_id) where challenge_id is not null and status = 'retracted';
