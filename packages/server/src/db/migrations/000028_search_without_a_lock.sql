-- Indexing, reveals and retractions lock the etches first and the counts last (search-index/index-store.ts).
drop table search_lock;
