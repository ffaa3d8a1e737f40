-- What others signed over the data of an attestation, beside the chain: of each batch at most one of a kind. It cannot be had again
-- with the same time.
create table witness (
  batch_id  bigint not null,
  kind      text not null,           -- rfc3161: a token of a time-stamping authority
  proof     bytea,                   -- null: not had
  time      timestamptz(3),          -- that it tells
  wait      text,                    -- why it was not had
  tries     smallint not null default 0,
  due_at    timestamptz(3),          -- when it is asked for; null: had, or given up
  primary key (batch_id, kind)
);
create index witness_due on witness (due_at) where due_at is not null;
