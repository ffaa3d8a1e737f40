-- The newest time that any process went by: after a restart no earlier one is told, or what was open would be sealed again.
create table clock_mark (
  singleton  boolean primary key default true check (singleton),
  newest     timestamptz(3)
) with (fillfactor = 50);
insert into clock_mark default values;
