-- People are found by their subject, even if their issuer's name was written differently when they first signed in.
create index account_subject on account (subject) where subject is not null;
