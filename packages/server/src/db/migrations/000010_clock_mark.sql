-- The newest time that any process has used. Without it a restart could use an earlier time and seal a revealed text
-- again.
create table clock_mark (
  singleton  boolean primary key default true check (singleton),
  newest     timestamptz(3)
) with (fillfactor = 50);
insert into clock_mark default values;
