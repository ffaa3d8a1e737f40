-- A random name of what is public of a topic: renewed in each transaction that reveals, retracts, withholds or gives back there
-- (and of any one topic when an account is hidden or shown). A standby that holds the same names has replayed all of these.
alter table topic_count add column state uuid not null default gen_random_uuid();
