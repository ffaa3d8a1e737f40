-- The log of trees (C2SP tlog-tiles): the 128 bytes of every attestation, in the order of staging. The index is the
-- key: of two concurrent appends one fails and is retried.
create table log_entry (
  index     bigint primary key check (index >= 0),
  data      bytea not null check (octet_length(data) = 128),
  batch_id  bigint references batch (id) on delete set null
);
create unique index log_entry_batch on log_entry (batch_id);

-- Hashes of complete subtrees of 256^level entries; level 0 has the entries' own hashes.
create table log_hash (
  level  smallint not null check (level between 0 and 7),
  index  bigint not null check (index >= 0),
  hash   bytea not null check (octet_length(hash) = 32),
  primary key (level, index)
);

create table log_checkpoint (
  origin     text not null,
  size       bigint not null check (size > 0),
  note       text not null,
  signed_at  timestamptz(3) not null,
  quorum_at  timestamptz(3),                    -- when the quorum of WITNESS_POLICY had cosigned, by the witnesses' clocks
  primary key (origin, size)
);

create table log_cosignature (
  origin   text not null,
  size     bigint not null,
  witness  text not null,
  line     text not null,
  primary key (origin, size, witness),
  foreign key (origin, size) references log_checkpoint (origin, size)
);

create table log_witness (
  origin   text not null,
  witness  text not null,
  size     bigint not null,
  tries    integer not null default 0,
  due_at   timestamptz(3) not null,
  fault    text,
  primary key (origin, witness)
);

insert into log_entry (index, data, batch_id)
  select row_number() over (order by t.id, b.position) - 1,
    b.root || decode(repeat('00', 31) || lpad(to_hex(b.kind::int), 2, '0') || repeat('00', 31) || lpad(to_hex(b.tree_version::int), 2, '0')
      || repeat('00', 28) || lpad(to_hex(b.tree_size), 8, '0'), 'hex'),
    b.id
  from batch b join anchor_tx t on t.id = b.tx_id where t.action = 'attest';
insert into log_hash (level, index, hash) select 0, index, sha256('\x00'::bytea || data) from log_entry;
