-- A paused webhook's events wait.
alter table webhook add column paused_at timestamptz(3);
