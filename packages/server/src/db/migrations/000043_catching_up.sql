-- True while the chain is searched for attestations that the database does not know: anchoring waits and does not fail.
alter table chain_state add column catching_up boolean not null default false;
