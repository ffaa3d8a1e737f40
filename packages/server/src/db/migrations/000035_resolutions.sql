-- A description never loses its mark, so the index is complete.
create index etch_resolution on etch (split_part(description, ' ', 2), user_id)
  where split_part(description, ' ', 1) = 'svc-resolution:v1' and mode = 'instant' and challenge_id is null;

create table resolution_told (
  target_id  uuid primary key,
  etch_id    uuid not null
);

insert into resolution_told (target_id, etch_id)
select distinct on (split_part(e.description, ' ', 2)::uuid) split_part(e.description, ' ', 2)::uuid, e.id
from event v join etch e on e.id = v.record_id
where v.type in ('challenge.resolved', 'etch.resolved')
order by split_part(e.description, ' ', 2)::uuid, v.position desc;
