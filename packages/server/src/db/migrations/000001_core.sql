create table account (
  id                  uuid primary key,
  kind                text not null check (kind in ('human', 'agent')),
  username            text not null unique,
  display_name        text not null,
  created_at          timestamptz(3) not null,
  issuer              text,
  subject             text,
  public_key          text unique,
  agent_url           text,
  agent_domain        text,
  operator_id         uuid references account (id),
  social_handle       text,
  social_verified_at  timestamptz(3),
  unique (issuer, subject)
);

create table api_key (
  id            uuid primary key,
  user_id       uuid not null references account (id),
  name          text not null,
  scope         text not null check (scope in ('read', 'write')),
  prefix        text not null,
  hash          bytea not null unique,
  created_at    timestamptz(3) not null,
  last_used_at  timestamptz(3),
  revoked_at    timestamptz(3)
);
create index api_key_user on api_key (user_id);

create table used_signature (
  digest   bytea primary key,
  used_at  timestamptz(3) not null
);

-- Token buckets. An absent row is a full bucket.
create table allowance (
  user_id     uuid not null,
  kind        text not null check (kind in ('etch', 'challenge')),
  spent       double precision not null,
  updated_at  timestamptz(3) not null,
  primary key (user_id, kind)
) with (fillfactor = 50);

create table idempotency (
  user_id      uuid not null,
  key          text not null,
  endpoint     text not null,
  record_id    uuid not null,
  fingerprint  bytea not null,
  primary key (user_id, key)
);

create table etch (
  id             uuid primary key,
  user_id        uuid not null,                 -- accounts are never deleted, so a foreign key would only cost
  code           text not null unique,
  mode           text not null check (mode in ('instant', 'delayed')),
  status         text not null check (status in ('sealed', 'revealed', 'retracted')),
  hash           bytea not null,
  description    text not null,
  category_id    text not null,
  challenge_id   uuid,
  created_at     timestamptz(3) not null,
  reveal_at      timestamptz(3),
  revealed_at    timestamptz(3),
  retracted_at   timestamptz(3),
  sealed         bytea,
  content        text,
  salt           bytea,
  signature      bytea,
  signature_key  text,
  unreadable     boolean not null default false,  -- no key decrypts `sealed`: set aside until an operator looks
  check (status = 'sealed' or sealed is null),
  check (status <> 'sealed' or (content is null and salt is null and signature is null)),
  check (status <> 'retracted' or (content is null and salt is null and signature is null and sealed is null))
);
create index etch_user on etch (user_id, created_at desc, id) include (status, reveal_at, category_id);
create index etch_hash on etch (hash);
create index etch_retracted on etch (retracted_at) where retracted_at is not null;
create index etch_due on etch (reveal_at) where status = 'sealed';
create unique index etch_once_per_challenge on etch (challenge_id, user_id) where challenge_id is not null;

-- Commitments that wait to be folded. Written with the etch (kind 0) or its retraction (kind 1).
create table anchor_job (
  kind        smallint not null check (kind in (0, 1)),
  etch_id     uuid not null,                    -- written in one statement with the etch, which is never deleted
  created_at  timestamptz(3) not null,
  tries       smallint not null default 0,
  retry_at    timestamptz(3),
  halted      text,                             -- why it is set aside: its row does not match its hash
  primary key (kind, etch_id)
);

-- Nonce and payload are fixed when the batch is folded.
create table anchor_tx (
  id            bigint generated always as identity primary key,
  sender        bytea not null,
  nonce         bigint not null,
  action        text not null check (action in ('attest', 'revoke', 'fill')),
  calldata      bytea not null,
  state         text not null check (state in ('SEALED', 'SIGNED', 'SENT', 'MINED', 'SAFE', 'HALTED', 'LOST')),
  tries         smallint not null default 0,    -- highest number of tries of its commitments before this transaction
  not_before    timestamptz(3) not null,        -- newest created_at in it; the chain must have reached this time
  sealed_at     timestamptz(3) not null,
  tx_hash       bytea,
  block_number  bigint,
  block_hash    bytea,
  block_time    timestamptz(3),
  note          text
);
create unique index anchor_tx_nonce on anchor_tx (sender, nonce) where state <> 'LOST';
create index anchor_tx_open on anchor_tx (id) where state not in ('SAFE', 'LOST');
create index anchor_tx_safe on anchor_tx (block_number) where state = 'SAFE';

create table tx_attempt (
  hash                      bytea primary key,
  tx_id                     bigint not null references anchor_tx (id),
  raw                       bytea not null,
  max_fee_per_gas           numeric not null,
  max_priority_fee_per_gas  numeric not null,
  gas                       bigint not null,
  signed_at                 timestamptz(3) not null,
  sent_at                   timestamptz(3)
);
create index tx_attempt_tx on tx_attempt (tx_id);

-- A root (tree_version 1 or 2) or a single etch (tree_version 0) and its attestation.
create table batch (
  id            bigint generated always as identity primary key,
  tx_id         bigint not null references anchor_tx (id),
  position      integer not null,
  kind          smallint not null check (kind in (0, 1)),
  tree_version  smallint not null check (tree_version in (0, 1, 2)),
  root          bytea not null,
  tree_size     integer not null check (tree_size between 1 and 10000),
  uid           bytea,
  anchored_at   timestamptz(3),                 -- block time; set when final, null again if the chain lost it
  unique (tx_id, position)
);
create index batch_root on batch (root, kind);
create index batch_open on batch (tx_id) where anchored_at is null;
create index batch_newest on batch (anchored_at desc, id desc) where anchored_at is not null;

-- The constraint allows one tree of each kind for an etch.
create table batch_leaf (
  kind      smallint not null check (kind in (0, 1)),
  etch_id   uuid not null references etch (id),
  batch_id  bigint not null references batch (id),
  proof     bytea not null,
  primary key (kind, etch_id)
);
create index batch_leaf_batch on batch_leaf (batch_id);

-- failing_since: since when every anchoring attempt has failed.
create table chain_state (
  singleton      boolean primary key default true check (singleton),
  chain_id       bigint,
  genesis_hash   bytea,
  contract       bytea,
  schema_uid     bytea,
  failing_since  timestamptz(3),
  failure        text
);
insert into chain_state default values;

create table lease (
  name        text primary key,
  holder      text not null,
  expires_at  timestamptz(3) not null
);

-- Startup compares the value: only the right SECRET_KEYS produce it.
create table secret_check (
  key_id  text primary key,
  value   bytea not null
);
