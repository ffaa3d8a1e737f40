-- The newest time that any process has used. After a restart no earlier time is used, or a revealed text would be
-- sealed again.
create table clock_mark (
  singleton  boolean primary key default true check (singleton),
  newest     timestamptz(3)
) with (fillfactor = 50);
insert into clock_mark default values;
