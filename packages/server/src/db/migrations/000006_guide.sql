create table guide_answer (
  id          bigint generated always as identity primary key,
  user_id     uuid references account (id),
  anon_key    uuid,
  question    text not null,
  answer      text not null,
  created_at  timestamptz(3) not null
);
create index guide_answer_user on guide_answer (user_id) where user_id is not null;
