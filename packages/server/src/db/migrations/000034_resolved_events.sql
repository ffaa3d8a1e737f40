create table resolution_queue (
  id          bigint generated always as identity primary key,
  etch_id     uuid not null,
  after_user  uuid
);

create index event_resolved on event (record_id, user_id) where type in ('challenge.resolved', 'etch.resolved');
