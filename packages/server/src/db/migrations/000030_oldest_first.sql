-- The oldest commitments that wait, in their order: a tree is taken from the head of the queue, however many wait behind it.
create index anchor_job_oldest on anchor_job (created_at, etch_id) where kind = 0;
