create table inbox_seen (
  user_id  uuid primary key references account (id),
  seen_at  timestamptz(3) not null
);

alter table embedded_person alter column typed set statistics 0;
