-- A tree is taken from the head of the queue at the same cost for any length.
create index anchor_job_oldest on anchor_job (created_at, etch_id) where kind = 0;
