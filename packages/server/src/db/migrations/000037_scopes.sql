-- The scopes that an account declared, so that its page does not scan its other etches.
create index etch_scope on etch (user_id, created_at, id) where content like 'svc-scope:v1%';
