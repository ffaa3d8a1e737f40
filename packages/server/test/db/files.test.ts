// Runs without a database.
import { mkdtemp, open, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { writeDurably } from '../../src/db/files.ts';

afterEach(() => vi.restoreAllMocks());

/** The sync of the folder fails. */
async function writeWith(code: string): Promise<string> {
  const path = join(await mkdtemp(join(tmpdir(), 'svc-files-')), 'file');
  const handle = await open(path, 'w');
  await handle.close();
  vi.spyOn(Object.getPrototypeOf(handle) as typeof handle, 'sync')
    .mockResolvedValueOnce(undefined)
    .mockRejectedValueOnce(Object.assign(new Error(code), { code }));
  await writeDurably(path, 'text');
  return readFile(path, 'utf8');
}

test('a write whose folder cannot be stored fails', async () => {
  await expect(writeWith('EIO')).rejects.toThrow('EIO');
});

test.each(['EINVAL', 'ENOTSUP'])('a write succeeds where folders cannot be synced (%s)', async (code) => {
  expect(await writeWith(code)).toBe('text');
});
