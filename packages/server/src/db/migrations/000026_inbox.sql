-- When an account last said that it has seen what its inbox shows: one time each, and nothing else of what it reads.
create table inbox_seen (
  user_id  uuid primary key references account (id),
  seen_at  timestamptz(3) not null
);

-- What somebody typed leaves no sample behind in the planner's statistics.
alter table embedded_person alter column typed set statistics 0;
