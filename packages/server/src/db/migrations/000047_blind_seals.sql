-- The page of an account counts its blind seals as sealed. Without this index, it would scan the other etches.
create index etch_blind on etch (user_id, created_at desc) where content like 'svc-tlock:v1|%';
