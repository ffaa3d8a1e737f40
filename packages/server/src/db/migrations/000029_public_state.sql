-- A random value per topic, renewed in each transaction that reveals, retracts, withholds or releases an etch there.
-- Hiding or showing an account renews one arbitrary topic's. A standby with the same values has replayed all of
-- these.
alter table topic_count add column state uuid not null default gen_random_uuid();
