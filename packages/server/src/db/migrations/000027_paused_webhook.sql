alter table webhook add column paused_at timestamptz(3);
