// Runs without a database.
import { join } from 'node:path';
import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { newFolder } from '../../../../testing/machine/folder.ts';
import { readConfig } from '../../src/settings/read-config.ts';
import { createHostGauges } from '../../src/vitals/host-metrics.ts';
import { recordBackup } from '../../src/vitals/last-backup.ts';

test('shows the disks and the last backup, and leaves out a folder that does not exist', async () => {
  const folder = newFolder('host');
  const config = readConfig({ DATA_DIR: join(folder, 'missing'), LEDGER_DIR: folder });
  const registry = new Registry();
  const set = createHostGauges(config, [registry]);
  await set();
  expect(await registry.metrics()).toContain('svc_backup_last_timestamp_seconds 0\n');
  await recordBackup(config, join(folder, 'monday'), '2030-01-02T03:04:05Z');
  await set();
  const text = await registry.metrics();
  expect(text).toContain(`svc_backup_last_timestamp_seconds ${Date.parse('2030-01-02T03:04:05Z') / 1_000}\n`);
  const [, free] = /svc_disk_free_bytes\{disk="ledgers"\} (\d+)/.exec(text)!;
  const [, size] = /svc_disk_size_bytes\{disk="ledgers"\} (\d+)/.exec(text)!;
  expect(Number(size)).toBeGreaterThan(Number(free));
  expect(text).not.toContain('disk="data"');
});
