-- A domain vouches for a key as long as its file says so: it is asked again. What was claimed before was checked at a time
-- that nobody noted, and is due at once.
alter table account add column agent_domain_checked_at timestamptz(3);            -- when its file last listed the key
alter table account add column agent_domain_next_at timestamptz(3);               -- when it is asked again
alter table account add column agent_domain_failures integer not null default 0;  -- checks in a row that failed, a day apart
create index account_domain_due on account (agent_domain_next_at) where agent_domain is not null;
