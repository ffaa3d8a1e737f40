-- The states take the names of the steps. To seal means only to hide a text.
alter table anchor_tx drop constraint anchor_tx_state_check;
drop index anchor_tx_open;
drop index anchor_tx_safe;
update anchor_tx set state = case state when 'SEALED' then 'STAGED' else 'FINAL' end where state in ('SEALED', 'SAFE');
alter table anchor_tx add constraint anchor_tx_state_check
  check (state in ('STAGED', 'SIGNED', 'SENT', 'MINED', 'FINAL', 'HALTED', 'LOST'));
alter table anchor_tx rename column sealed_at to staged_at;
create index anchor_tx_open on anchor_tx (id) where state not in ('FINAL', 'LOST');
create index anchor_tx_final on anchor_tx (block_number) where state = 'FINAL';
