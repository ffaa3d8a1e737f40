-- Readers get a checkpoint once a quorum of WITNESS_POLICY cosigned it, or all its attestations are final.
alter table log_checkpoint add column served boolean not null default true;

-- The tree stays because a witness may have seen it; the chain never has it.
alter table log_entry add column given_up boolean not null default false;
