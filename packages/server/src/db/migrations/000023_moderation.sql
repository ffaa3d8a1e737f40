-- Null: not suspended, or not hidden from the feed and the first page.
alter table account add column suspended_for text;
alter table account add column hidden_for text;
create index account_hidden on account (id) where hidden_for is not null;

-- Null: the author retracted. The ledger of erasures has it, so that no restored backup forgets it.
alter table erasure add column taken_down text;
create index erasure_taken_down on erasure (etch_id) where taken_down is not null;

-- Rows are only added.
create table operator_act (
  id          bigint generated always as identity primary key,
  at          timestamptz(3) not null default clock_timestamp(),
  act         text not null check (act in ('suspend', 'restore', 'revoke', 'hide', 'unhide', 'take_down')),
  user_id     uuid not null,
  etch_id     uuid,
  reason      text,
  by          text not null
);
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'rows of % are added only', tg_table_name;
end
$$;
create trigger operator_act_kept before update or delete on operator_act
  for each row execute function refuse_change();
