// Runs without a database.
import { expect, test } from 'vitest';
import { createActivity } from '../../src/platform/flow/activity.ts';
import { createTaskTimes, runScheduler } from '../../src/platform/scheduler/scheduler.ts';
import { join } from 'node:path';
import { Registry } from 'prom-client';
import { newFolder } from '../../../../testing/machine/folder.ts';
import { readConfig } from '../../src/settings/read-config.ts';
import { createGauges, HOST, readHost } from '../../src/vitals/gauges.ts';
import { recordBackup } from '../../src/vitals/last-backup.ts';

test('a task is late by the time since its last success beyond its interval, also while it hangs', () => {
  let now = 0;
  const times = createTaskTimes(() => now);
  times.begun({ name: 'reveal', everySeconds: 5 });
  now = 4_000;
  expect(times.read()).toEqual([{ name: 'reveal', lagSeconds: 0, failures: 0 }]);
  now = 12_000;
  expect(times.read()).toEqual([{ name: 'reveal', lagSeconds: 7, failures: 0 }]);
  times.failed('reveal');
  expect(times.read()).toEqual([{ name: 'reveal', lagSeconds: 7, failures: 1 }]);
  times.succeeded('reveal');
  now = 17_500;
  expect(times.read()).toEqual([{ name: 'reveal', lagSeconds: 0.5, failures: 1 }]);
});

test('the scheduler records the outcome of each run', async () => {
  const stopped = new AbortController();
  const calls: string[] = [];
  const times = {
    begun: ({ name }: { name: string }) => void calls.push(`begun ${name}`),
    succeeded: (name: string) => void calls.push(`succeeded ${name}`),
    failed: (name: string) => void calls.push(`failed ${name}`),
    read: () => [],
  };
  let runs = 0;
  const run = async (): Promise<void> => {
    if (++runs === 1) throw new Error('once');
    stopped.abort();
  };
  await runScheduler(
    [{ name: 'one', everySeconds: 0.001, run }],
    { log: { warn() {} }, times, rest: createActivity(false).rest },
    stopped.signal,
  );
  expect(calls).toEqual(['begun one', 'failed one', 'succeeded one']);
});

test('logs a task that fails at each run less and less often, and again after a success', async () => {
  const stopped = new AbortController();
  const logged: unknown[] = [];
  let runs = 0;
  const run = async (): Promise<void> => {
    if (++runs === 41) stopped.abort();
    if (runs !== 35) throw new Error('no file');
  };
  await runScheduler(
    [{ name: 'one', everySeconds: 0, run }],
    {
      log: { warn: (fields) => void logged.push((fields as { failures: number }).failures) },
      rest: async () => {},
    },
    stopped.signal,
  );
  expect(logged).toEqual([1, 2, 4, 8, 16, 32, 1, 2, 4]);
});

test('shows the disks and the last backup, and leaves out a folder that does not exist', async () => {
  const folder = newFolder('host');
  const config = readConfig({ DATA_DIR: join(folder, 'missing'), LEDGER_DIR: folder });
  const registry = new Registry();
  const gauges = createGauges(registry, HOST);
  const set = async (): Promise<void> => gauges(await readHost(config));
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
