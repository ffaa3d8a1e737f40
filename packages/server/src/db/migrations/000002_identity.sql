-- People of the embedded issuer, with the social identity that each claimed.

create table embedded_person (
  name                text primary key,
  social_handle       text,
  social_verified_at  timestamptz(3)
);
