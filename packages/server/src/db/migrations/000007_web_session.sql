-- The cookie's value is stored as its SHA-256; the issuer's tokens are encrypted.

create table web_session (
  hash              bytea primary key,
  user_id           uuid not null references account (id),
  tokens            bytea not null,
  created_at        timestamptz(3) not null,
  used_at           timestamptz(3) not null,
  refreshing_until  timestamptz(3),
  ended_at          timestamptz(3)              -- signed out here, before signing out at the issuer
);
create index web_session_used on web_session (used_at);
