import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Gauge, type Registry } from 'prom-client';
import type { Config } from '../settings/config.ts';
import { lastBackup } from './last-backup.ts';
import type { StandbyStatus } from '../platform/standby/standby.ts';

/** Leaves out a figure that cannot be read. */
export function createHostGauges(config: Config, registers: Registry[]): () => Promise<void> {
  const free = new Gauge({
    name: 'svc_disk_free_bytes',
    help: 'Free space of the disk with DATA_DIR (data) and with LEDGER_DIR (ledgers)',
    labelNames: ['disk'],
    registers,
  });
  const size = new Gauge({
    name: 'svc_disk_size_bytes',
    help: 'Size of the disk with DATA_DIR (data) and with LEDGER_DIR (ledgers)',
    labelNames: ['disk'],
    registers,
  });
  const backup = new Gauge({
    name: 'svc_backup_last_timestamp_seconds',
    help: 'Time of the last backup by svc-admin backup; 0 when none is recorded',
    registers,
  });
  const disks = { data: config.dataDir, ledgers: dirname(config.erasureLedger) };
  return async () => {
    const last = await lastBackup(config);
    backup.set(last === undefined ? 0 : Date.parse(last.made_at) / 1_000);
    for (const [disk, folder] of Object.entries(disks)) {
      const found = await statfs(folder).catch(() => undefined);
      if (found) {
        free.set({ disk }, found.bavail * found.bsize);
        size.set({ disk }, found.blocks * found.bsize);
      } else for (const gauge of [free, size]) gauge.remove({ disk });
    }
  };
}

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
