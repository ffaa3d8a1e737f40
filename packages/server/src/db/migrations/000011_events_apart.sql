-- The sources of events get their own tables, so that one module writes each table.

-- Written in the transaction that marks a tree anchored.
create table anchored_queue (
  id        bigint generated always as identity primary key,
  batch_id  bigint not null
);

-- The attestation that a tree's events were made from. If the chain replaces it, the events are made again.
create table anchored_told (
  batch_id  bigint primary key,
  uid       bytea not null
);

create table challenge_closing (
  challenge_id  uuid primary key,
  reveal_at     timestamptz(3) not null
);
create index challenge_closing_due on challenge_closing (reveal_at);

insert into anchored_told (batch_id, uid) select id, noted_uid from batch where kind = 0 and noted_uid is not null;
insert into anchored_queue (batch_id)
  select id from batch where kind = 0 and anchored_at is not null and noted_uid is distinct from uid order by id;
insert into challenge_closing (challenge_id, reveal_at) select id, reveal_at from challenge where not noted;

-- A process of the older version may still run and must not make the same events again. Without these columns its
-- collecting fails harmlessly.
drop index batch_unnoted;
alter table batch drop column noted_uid;
drop index challenge_unnoted;
alter table challenge drop column noted;
