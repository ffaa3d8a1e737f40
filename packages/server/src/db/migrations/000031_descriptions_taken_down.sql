-- An operator may take these down (acts/take-down-description.ts), so no samples of them stay in pg_statistic.
alter table etch
  alter column description set statistics 0, alter column description type text;
alter table challenge
  alter column question set statistics 0, alter column question type text;
alter table challenge_search
  alter column question set statistics 0, alter column question type text collate "C";

-- No restored backup may bring them back: ids, reasons and times, never the words. No foreign key, as in other
-- ledgers.
create table description_takedown (
  target_id      uuid primary key,
  target         text not null check (target in ('etch', 'challenge')),
  reason         text not null,
  taken_down_at  timestamptz(3) not null,
  written_at     timestamptz(3) not null default clock_timestamp()
);
create index description_takedown_written on description_takedown (written_at, target_id);

alter table operator_act add column challenge_id uuid;
alter table operator_act drop constraint operator_act_act_check;
alter table operator_act add constraint operator_act_act_check
  check (act in ('suspend', 'restore', 'revoke', 'hide', 'unhide', 'take_down', 'take_down_description'));
