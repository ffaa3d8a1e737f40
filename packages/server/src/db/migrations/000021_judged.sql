-- Without these, scoring would scan an account's other etches. Creating any other etch costs a check of its first
-- characters.
create index etch_judged on etch (user_id, created_at desc, id)
  where challenge_id is not null or content like 'svc-forecast:v1%' or content like 'svc-resolution:v1%'
    or (status = 'retracted' and mode = 'instant');
create index etch_taken_back on etch (user_id) where status = 'retracted';
