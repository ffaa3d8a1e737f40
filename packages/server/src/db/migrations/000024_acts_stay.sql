create trigger operator_act_whole before truncate on operator_act
  for each statement execute function refuse_change();
