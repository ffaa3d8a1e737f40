-- What an operator does about accounts and texts. Words and times are never changed.

-- Why an account is suspended, and why its texts stand neither in the feed nor on the first page; null: it is not.
alter table account add column suspended_for text;
alter table account add column hidden_for text;
create index account_hidden on account (id) where hidden_for is not null;

-- Why an operator took a text down; null: its author took it back. In the ledger of erasures, so that no backup forgets it.
alter table erasure add column taken_down text;
create index erasure_taken_down on erasure (etch_id) where taken_down is not null;

-- What operators did, in its order. Rows are added only.
create table operator_act (
  id          bigint generated always as identity primary key,
  at          timestamptz(3) not null default clock_timestamp(),
  act         text not null check (act in ('suspend', 'restore', 'revoke', 'hide', 'unhide', 'take_down')),
  user_id     uuid not null,                    -- whose account, or whose text; without a foreign key, as ledgers are
  etch_id     uuid,
  reason      text,
  by          text not null                     -- who says to have done it
);
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'rows of % are added only', tg_table_name;
end
$$;
create trigger operator_act_kept before update or delete on operator_act
  for each row execute function refuse_change();
