-- A key that the restored database lacked adopted it from the chain: entries of other keys may be missing before it.
alter table log_entry add column doubtful boolean not null default false;

-- JSON: each earlier relayer key's transaction count at the last search of the contract's logs for it.
alter table chain_state add column searched text not null default '{}';
