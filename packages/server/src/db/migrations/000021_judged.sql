-- What scores are made of, so that they need not look through all that an account wrote. Whatever is none of it is in neither
-- index: creating it costs a look at how it begins.
create index etch_judged on etch (user_id, created_at desc, id)
  where challenge_id is not null or content like 'svc-forecast:v1%' or content like 'svc-resolution:v1%'
    or (status = 'retracted' and mode = 'instant');
create index etch_taken_back on etch (user_id) where status = 'retracted';
