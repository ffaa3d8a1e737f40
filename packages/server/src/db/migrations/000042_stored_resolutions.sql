-- The etch that decides a question: its first resolution that counts, or that its author retracted. Readers check that
-- it still decides, because an operator may take it down and the chain may lose its attestation.
create table resolution (
  target_id  uuid primary key,
  etch_id    uuid not null
);

-- `quiet` rows make no events. The task "events" stores what older resolutions decide in the background, after the
-- new ones.
alter table resolution_queue add column quiet boolean not null default false;
create index resolution_queue_next on resolution_queue (quiet, id);

insert into resolution_queue (etch_id, quiet)
select distinct on (split_part(description, ' ', 2)) id, true from etch
where split_part(description, ' ', 1) = 'svc-resolution:v1' and mode = 'instant' and challenge_id is null
order by split_part(description, ' ', 2);
