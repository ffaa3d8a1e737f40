import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { changeProfile, findProfile, readProfiles } from '../src/profiles.ts';
import { freshHome } from '../../../testing/clients/svc.ts';

test('replaces a stored secret key only with force, after storing a copy', () => {
  const path = join(freshHome(), 'profiles.json');
  const keep = (secret_key: string | undefined, options?: { force: boolean }) =>
    changeProfile(
      path,
      'default',
      (old) => ({
        base_url: 'https://svc.example.org',
        ...old,
        ...(secret_key !== undefined && { secret_key }),
      }),
      options,
    );
  const kept = () => findProfile(readProfiles(path), 'default')?.secret_key;
  expect(keep('first')).toBeNull();
  expect(keep('first'), 'what stays is no loss').toBeNull();

  const before = readFileSync(path, 'utf8');
  expect(() => keep('second')).toThrow(/has a different secret key: .*--force/);
  expect(() => changeProfile(path, 'default', () => ({ base_url: 'https://svc.example.org' }))).toThrow(
    /has a different secret key/,
  );
  expect(readFileSync(path, 'utf8')).toBe(before);
  expect(readdirSync(dirname(path)).filter((name) => name.includes('backup'))).toEqual([]);

  const copy = keep('second', { force: true });
  expect(kept()).toBe('second');
  expect(JSON.parse(readFileSync(copy!, 'utf8'))).toMatchObject({ default: { secret_key: 'first' } });
});
