-- That a block holds a transaction of ours, for files that are checked without a node: of each final transaction once, out of
-- answers of which the block's hash and its receipts root were computed anew.
create table evidence (
  tx_id              bigint primary key,
  block_hash         bytea,             -- the block that holds it, as long as it is the transaction's
  header             bytea,             -- null: not made
  transaction_index  integer,
  nodes              bytea,             -- of the block's receipt trie, down to the transaction's receipt, as a list in RLP
  wait               text,              -- why it could not be made
  tries              smallint not null default 0,
  tried_at           timestamptz(3),
  due_at             timestamptz(3)     -- when it is tried; null: made, or given up
);
create index evidence_due on evidence (due_at) where due_at is not null;
