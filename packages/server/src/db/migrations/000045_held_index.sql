-- Why the service appends no index entry to the log of trees; null: it appends them.
alter table account_index_state add column held text;
