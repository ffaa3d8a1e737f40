-- Its account lets nothing be sent to it for a while; what happens meanwhile waits.
alter table webhook add column paused_at timestamptz(3);
