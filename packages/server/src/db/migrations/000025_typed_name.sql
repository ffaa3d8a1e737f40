-- The embedded issuer's people keep the name as it was typed; `name` is the same in small letters, by which they are known.
alter table embedded_person add column typed text;
