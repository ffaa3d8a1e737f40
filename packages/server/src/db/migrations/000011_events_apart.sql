-- What events were made of is noted beside the events, and no longer in the rows of anchoring and of challenges: each
-- table has one room that writes it. What was told already stays told, and what was not yet is told next.

-- Trees that became anchored, written in the transaction that says so.
create table anchored_queue (
  id        bigint generated always as identity primary key,
  batch_id  bigint not null
);

-- Which attestation of a tree events were made of: one that the chain lost and another took the place of is told again.
create table anchored_told (
  batch_id  bigint primary key,
  uid       bytea not null
);

-- Challenges that nobody was told of yet that they closed.
create table challenge_closing (
  challenge_id  uuid primary key,
  reveal_at     timestamptz(3) not null
);
create index challenge_closing_due on challenge_closing (reveal_at);

insert into anchored_told (batch_id, uid) select id, noted_uid from batch where kind = 0 and noted_uid is not null;
insert into anchored_queue (batch_id)
  select id from batch where kind = 0 and anchored_at is not null and noted_uid is distinct from uid order by id;
insert into challenge_closing (challenge_id, reveal_at) select id, reveal_at from challenge where not noted;

-- A process of the older version that goes on serving must not tell again what is told here from now on: without these
-- columns its collecting fails, and does no harm.
drop index batch_unnoted;
alter table batch drop column noted_uid;
drop index challenge_unnoted;
alter table challenge drop column noted;
