import { Gauge, type Registry } from 'prom-client';
import type { StandbyFacts } from '../standby/standby.ts';

/** What a process measures of the standby it asks. */
export function createStandbyGauges(facts: () => StandbyFacts, registers: Registry[]): () => void {
  const age = new Gauge({
    name: 'svc_standby_age_seconds',
    help: "How old the standby's copy was at the last look",
    aggregator: 'max',
    registers,
  });
  const lists = new Gauge({
    name: 'svc_standby_lists',
    help: 'Lists since this process runs, by who answered: the standby, or the primary for this reason',
    labelNames: ['answered'],
    aggregator: 'sum',
    registers,
  });
  return () => {
    const { ageSeconds, lists: answered } = facts();
    if (ageSeconds !== null) age.set(ageSeconds);
    for (const [by, count] of Object.entries(answered)) lists.set({ answered: by }, count);
  };
}
