create table follow (
  user_id      uuid not null references account (id),
  target_type  text not null check (target_type in ('user', 'category', 'challenge', 'etch')),
  target_id    text not null,
  created_at   timestamptz(3) not null,
  primary key (user_id, target_type, target_id)
);
create index follow_target on follow (target_type, target_id);
