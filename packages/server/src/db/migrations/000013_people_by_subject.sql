-- The issuer's name may have been written differently before.
create index account_subject on account (subject) where subject is not null;
