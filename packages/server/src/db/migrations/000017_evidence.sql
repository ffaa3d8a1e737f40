-- Made from answers whose block hash and receipts root were recomputed.
create table evidence (
  tx_id              bigint primary key,
  block_hash         bytea,
  header             bytea,
  transaction_index  integer,
  nodes              bytea,             -- of the block's receipt trie, down to the transaction's receipt, as an RLP list
  wait               text,
  tries              smallint not null default 0,
  tried_at           timestamptz(3),
  due_at             timestamptz(3)
);
create index evidence_due on evidence (due_at) where due_at is not null;
