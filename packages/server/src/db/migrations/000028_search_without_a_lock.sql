-- Whoever indexes, reveals or retracts locks the etches in question, and the counts last of all (search-index/index-store.ts).
drop table search_lock;
