-- Forecasts and resolutions whose outcomes have spaces, next to the index etch_judged, which stays as it is.
create index etch_judged_spaced on etch (user_id, created_at desc, id)
  where challenge_id is null and (content like 'svc-forecast:v2%' or content like 'svc-resolution:v2%');
