create table embedded_person (
  name                text primary key,
  social_handle       text,
  social_verified_at  timestamptz(3)
);
