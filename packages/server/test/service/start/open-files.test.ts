// Runs without a database.
import { expect, test } from 'vitest';
import { judgeOpenFiles } from '../../../src/service/start/open-files.ts';
import { openFilesLimit } from '../../../src/settings/environment.ts';

test.each([
  [256, true, 'fail', 0, 'may have 256 files and connections open, and a service with the embedded database'],
  [511, true, 'fail', 63, 'needs 512'],
  [512, true, 'warn', 64, 'at most 64 connections'],
  [191, false, 'fail', 63, 'needs 192'],
  [256, false, 'warn', 128, 'at most 128 connections'],
  [1024, false, 'ok', 896, 'at most 896 connections'],
  [undefined, true, 'ok', undefined, 'no limit'],
] as const)('with a limit of %s, embedded database: %s', (limit, embedded, status, connections, words) => {
  const found = judgeOpenFiles(limit, { embedded });
  expect(found).toMatchObject({ status, connections, detail: expect.stringContaining(words) });
});

test('reads the limit of this process', () => {
  expect(openFilesLimit()).toBeGreaterThan(0);
});
