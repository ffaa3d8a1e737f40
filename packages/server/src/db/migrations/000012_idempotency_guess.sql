-- Requests under a key that stands for a sealed or retracted etch and that differ from the one that made it: each tells
-- that a guess of the text was wrong, so they are counted for an hour.
create table idempotency_guess (
  id        bigint generated always as identity primary key,
  user_id   uuid not null,
  key       text not null,
  tried_at  timestamptz(3) not null
);
create index idempotency_guess_key on idempotency_guess (user_id, key, tried_at);
