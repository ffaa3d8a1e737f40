-- Until their time deliveries are signed under these too, so that the receiver can switch without losing any.
create table webhook_old_secret (
  id          bigint generated always as identity primary key,
  webhook_id  uuid not null references webhook (id) on delete cascade,
  secret      bytea not null,
  until       timestamptz(3) not null
);
create index webhook_old_secret_of on webhook_old_secret (webhook_id, until);
