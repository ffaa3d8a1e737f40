-- `name` is the lower-case form, which identifies the person.
alter table embedded_person add column typed text;
