-- Without it, an account's page would scan its other etches.
create index etch_scope on etch (user_id, created_at, id) where content like 'svc-scope:v1%';
