-- Signatures of third parties over an attestation's data, at most one of a kind per batch. A second one would have a
-- later time.
create table witness (
  batch_id  bigint not null,
  kind      text not null,
  proof     bytea,
  time      timestamptz(3),
  wait      text,
  tries     smallint not null default 0,
  due_at    timestamptz(3),
  primary key (batch_id, kind)
);
create index witness_due on witness (due_at) where due_at is not null;
