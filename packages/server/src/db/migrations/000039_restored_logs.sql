-- Adopted from the chain, by a key that the restored database did not know: entries of other keys may be missing before it.
alter table log_entry add column doubtful boolean not null default false;

-- JSON: the transaction count of each earlier relayer key when the contract's logs were last searched for it.
alter table chain_state add column searched text not null default '{}';
