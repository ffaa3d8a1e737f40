alter table anchored_queue add column after_etch uuid;

-- A closed challenge is scanned again for entries that were committed after the first scan.
alter table challenge_closing add column after_user uuid;
alter table challenge_closing add column rounds smallint not null default 0;
alter table challenge_closing add column again_at timestamptz(3);
drop index challenge_closing_due;
create index challenge_closing_due on challenge_closing (coalesce(again_at, reveal_at));

create index event_challenge_closed on event (record_id, user_id) where type = 'challenge.closed';
