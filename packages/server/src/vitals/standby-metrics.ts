import { Gauge, type Registry } from 'prom-client';
import type { StandbyStatus } from '../platform/standby/standby.ts';

export function createStandbyGauges(status: () => StandbyStatus, registers: Registry[]): () => void {
  const age = new Gauge({
    name: 'svc_standby_age_seconds',
    help: "Age of the standby's copy at the last check",
    aggregator: 'max',
    registers,
  });
  const lists = new Gauge({
    name: 'svc_standby_lists',
    help: 'Lists since this process started: answered by the standby, or by the primary for this reason',
    labelNames: ['answered'],
    aggregator: 'sum',
    registers,
  });
  return () => {
    const { ageSeconds, lists: answered } = status();
    if (ageSeconds !== null) age.set(ageSeconds);
    for (const [by, count] of Object.entries(answered)) lists.set({ answered: by }, count);
  };
}
