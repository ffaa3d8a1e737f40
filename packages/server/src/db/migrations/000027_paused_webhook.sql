-- The account paused its webhook; its events wait.
alter table webhook add column paused_at timestamptz(3);
