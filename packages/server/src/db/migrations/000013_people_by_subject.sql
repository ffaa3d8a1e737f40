-- People are looked up by their subject, whichever way their issuer's name was written when they came first.
create index account_subject on account (subject) where subject is not null;
