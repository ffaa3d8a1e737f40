-- People of the embedded issuer: who signed in there, and the social identity each said to have.

create table embedded_person (
  name                text primary key,
  social_handle       text,
  social_verified_at  timestamptz(3)
);
