-- The embedded issuer stores a name as typed; `name` is its lower-case form, which identifies the person.
alter table embedded_person add column typed text;
