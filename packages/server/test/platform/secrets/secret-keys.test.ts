// Runs without a database.
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newFolder } from '../../../../../testing/machine/folder.ts';
import { generatedKeys } from '../../../src/platform/secrets/secret-keys.ts';

test('processes that start at once on a new directory use the one stored key', async () => {
  const dataDir = newFolder('keys');
  const made = await Promise.all(Array.from({ length: 8 }, () => generatedKeys(dataDir)));
  const kept = await generatedKeys(dataDir);
  expect(kept[0]).toHaveLength(32);
  for (const keys of made) expect(keys).toEqual(kept);
  expect(await readdir(dataDir)).toEqual(['secret-keys']);
  expect((await stat(join(dataDir, 'secret-keys'))).mode & 0o777).toBe(0o600);
});
