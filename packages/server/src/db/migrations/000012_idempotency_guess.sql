-- Each request that reuses a hidden etch's key with different content tests a guess of the text, so the service
-- counts them for an hour.
create table idempotency_guess (
  id        bigint generated always as identity primary key,
  user_id   uuid not null,
  key       text not null,
  tried_at  timestamptz(3) not null
);
create index idempotency_guess_key on idempotency_guess (user_id, key, tried_at);
