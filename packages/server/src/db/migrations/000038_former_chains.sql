-- The attestations on chains that the service left (svc-admin chain migrate) prove the first time.
create table former_chain (
  id            bigint generated always as identity primary key,
  name          text not null,
  chain_id      bigint not null,
  genesis_hash  bytea not null,
  contract      bytea not null,
  schema_uid    bytea not null,
  left_at       timestamptz(3) not null
);

create table former_tx (
  id                 bigint primary key,
  chain              bigint not null references former_chain (id),
  sender             bytea not null,
  tx_hash            bytea,
  block_hash         bytea,
  header             bytea,
  transaction_index  integer,
  nodes              bytea
);
create index former_tx_chain on former_tx (chain);

-- No foreign key to the batch: a batch may be deleted when its etches are folded again.
create table former_attestation (
  batch_id     bigint not null,
  tx_id        bigint not null references former_tx (id),
  uid          bytea not null,
  anchored_at  timestamptz(3) not null,
  primary key (batch_id, tx_id)
);
create index former_attestation_tx on former_attestation (tx_id);

-- A batch without a transaction waits to be attested again.
alter table batch alter column tx_id drop not null;
alter table batch
  add column tries smallint not null default 0,
  add column retry_at timestamptz(3);
create index batch_waiting on batch (kind, id) where tx_id is null;
