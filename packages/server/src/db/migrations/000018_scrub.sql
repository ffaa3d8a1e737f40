-- Erasure would miss samples in pg_statistic. Setting a column to its own type drops them: PostgreSQL rewrites no row
-- but checks the table's constraints again. acts/scrub/texts.ts lists the columns.

alter table account
  alter column display_name set statistics 0, alter column display_name type text,
  alter column agent_url set statistics 0, alter column agent_url type text,
  alter column agent_domain set statistics 0, alter column agent_domain type text,
  alter column social_handle set statistics 0, alter column social_handle type text;
alter table account_search
  alter column handle set statistics 0, alter column handle type text collate "C",
  alter column names set statistics 0, alter column names type text collate "C",
  alter column source set statistics 0, alter column source type text;
alter table embedded_person
  alter column social_handle set statistics 0, alter column social_handle type text;
alter table etch
  alter column sealed set statistics 0, alter column sealed type bytea,
  alter column content set statistics 0, alter column content type text,
  alter column salt set statistics 0, alter column salt type bytea,
  alter column signature set statistics 0, alter column signature type bytea,
  alter column signature_key set statistics 0, alter column signature_key type text;
alter table etch_search
  alter column text set statistics 0, alter column text type text collate "C";
alter table idempotency
  alter column fingerprint set statistics 0, alter column fingerprint type bytea;
alter table webhook
  alter column url set statistics 0, alter column url type text;

-- Texts erased before a table's last rewriting are in none of its files.
create table scrub_mark (
  relation     text primary key,
  scrubbed_at  timestamptz(3) not null
);
