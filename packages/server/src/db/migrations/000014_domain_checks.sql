-- A domain vouches for a key as long as its file lists the key. Existing claims are due at once.
alter table account add column agent_domain_checked_at timestamptz(3);
alter table account add column agent_domain_next_at timestamptz(3);
alter table account add column agent_domain_failures integer not null default 0;
create index account_domain_due on account (agent_domain_next_at) where agent_domain is not null;
