-- Nothing here is written with an etch: events follow anchoring, reveals, retractions and the closing of challenges.

-- Written in the transaction of the reveal or retraction.
create table event_queue (
  id        bigint generated always as identity primary key,
  type      text not null check (type in ('etch.revealed', 'etch.retracted')),
  etch_ids  uuid[] not null
);

-- A writer that assigns positions locks this row until it commits. Events become visible in order, and a reader that
-- continues from a position misses none.
create table event_state (
  singleton      boolean primary key default true check (singleton),
  last_position  bigint not null default 0
);
insert into event_state default values;

create table event (
  position   bigint primary key,
  id         uuid not null default gen_random_uuid(),
  user_id    uuid not null,
  type       text not null,
  record_id  uuid not null,
  at         timestamptz(3) not null,
  noted_at   timestamptz(3) not null
);
create index event_user on event (user_id, position);

-- The attestation that a tree's events were made from. If the chain replaces it, the events are made again.
alter table batch add column noted_uid bytea;
update batch set noted_uid = uid where anchored_at is not null;
create index batch_unnoted on batch (id) where kind = 0 and anchored_at is not null and noted_uid is distinct from uid;

alter table challenge add column noted boolean not null default false;
update challenge set noted = true where reveal_at <= now();
create index challenge_unnoted on challenge (reveal_at) where not noted;

create table webhook (
  id                 uuid primary key,
  user_id            uuid not null references account (id),
  url                text not null,
  types              text[] not null,
  secret             bytea not null,
  created_at         timestamptz(3) not null,
  not_before         timestamptz(3) not null,   -- not sent before: a delivery is running, or the next retry is later
  failures           integer not null default 0,
  failing_since      timestamptz(3),
  last_delivered_at  timestamptz(3),
  disabled_at        timestamptz(3),
  disabled_reason    text
);
create index webhook_user on webhook (user_id);
create index webhook_ready on webhook (not_before) where disabled_at is null;

-- The queue and the log of deliveries. It contains no text.
create table webhook_delivery (
  id          bigint generated always as identity primary key,
  webhook_id  uuid not null references webhook (id) on delete cascade,
  event_id    uuid not null,
  type        text not null,
  record_id   uuid not null,
  at          timestamptz(3) not null,
  state       text not null default 'pending' check (state in ('pending', 'delivered', 'failed')),
  attempts    integer not null default 0,
  created_at  timestamptz(3) not null,
  next_at     timestamptz(3) not null,
  last_at     timestamptz(3),
  last_status integer,
  problem     text
);
create index webhook_delivery_due on webhook_delivery (webhook_id, next_at) where state = 'pending';
create index webhook_delivery_log on webhook_delivery (webhook_id, id);
