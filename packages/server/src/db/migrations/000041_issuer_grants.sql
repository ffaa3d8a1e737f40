-- Sign-ins of programs at the embedded issuer, and their refresh tokens. Ids are stored as SHA-256; `payload` is encrypted.
-- An access token is valid while the row of its grant exists.

create table issuer_grant (
  hash        bytea primary key,
  grant_hash  bytea not null,
  payload     bytea not null,
  used_at     timestamptz(3),                   -- a refresh token is valid once
  expires_at  timestamptz(3) not null
);
create index issuer_grant_of on issuer_grant (grant_hash);
create index issuer_grant_expires on issuer_grant (expires_at);
