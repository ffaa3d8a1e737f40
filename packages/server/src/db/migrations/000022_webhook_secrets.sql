-- After a rotation, the secrets that were in use before: until their time deliveries are signed under them as well, so that
-- a receiver can change its own in peace.
create table webhook_old_secret (
  id          bigint generated always as identity primary key,
  webhook_id  uuid not null references webhook (id) on delete cascade,
  secret      bytea not null,                   -- encrypted under SECRET_KEYS
  until       timestamptz(3) not null
);
create index webhook_old_secret_of on webhook_old_secret (webhook_id, until);
