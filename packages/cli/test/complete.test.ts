import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { freshHome } from '../../../testing/clients/svc.ts';
import { svcHere } from './support/svc-here.ts';
import { ends } from '../../../testing/clients/ends.ts';

const home = freshHome();
mkdirSync(join(home, 'svc'), { mode: 0o700 });
const profiles = { work: { base_url: 'http://a' }, home: { base_url: 'http://b' } };
writeFileSync(join(home, 'svc', 'profiles.json'), JSON.stringify({ current: 'work', profiles }), {
  mode: 0o600,
});

const offered = async (...typed: string[]): Promise<string[]> => {
  const { out } = await ends(svcHere(['complete', '--', ...typed], { home }), 0, { err: '' });
  return out
    .split('\n')
    .slice(0, -1)
    .map((line) => line.split('\t')[0]!);
};

describe('completion offers', () => {
  test('commands, sub-commands and options with descriptions', async () => {
    expect(await offered('re')).toEqual(['register', 'rename', 'reveal', 'retract', 'receipt', 'record']);
    expect(await offered('keys', 're')).toEqual(['revoke']);
    expect(await offered('etch', '--sea')).toEqual(['--sealed-until']);
    expect(await offered('keys', 'create', 'name', '--wr')).toEqual(['--write']);
    expect(await offered('help', 'keyg')).toEqual(['keygen']);
    expect((await svcHere(['complete', '--', 'keyg'])).out).toMatch(/^keygen\tmake an Ed25519 key pair/);
    expect(await offered('comple'), 'not what shells ask').toEqual(['completion']);
  });

  test('fixed words, also in lists and after =', async () => {
    expect(await offered('etch', '--topic', 'sp')).toEqual(['sports']);
    expect(await offered('etch', '--topic=sp')).toEqual(['--topic=sports']);
    expect(await offered('etch', '--topic', '=', 'sp'), 'as bash parts it').toEqual(['sports']);
    expect(await offered('etch', '--topic', '='), 'as bash parts it').toContain('sports');
    expect(await offered('search', 'x', '--status', 'sealed,r')).toEqual([
      'sealed,revealed',
      'sealed,retracted',
    ]);
    expect(await offered('watch', 'abc234', '--until', '')).toEqual(['anchored', 'revealed']);
    expect(await offered('events', '--types', 'ch')).toEqual(['challenge.closed', 'challenge.resolved']);
    expect(await offered('completion', '')).toEqual(['bash', 'zsh', 'fish']);
    expect(await offered('api', 'G')).toEqual(['GET']);
    expect(await offered('api', 'GET', '/me/l')).toEqual(['/me/limits']);
  });

  test('stored profiles, file names where files are accepted, and nothing for free text', async () => {
    expect(await offered('whoami', '--profile', '')).toEqual(['work', 'home']);
    expect(await offered('profile', 'use', 'h')).toEqual(['home']);
    for (const typed of [
      ['verify', ''],
      ['etch', '--file', ''],
      ['receipt', 'abc234', '--out', 'x'],
      ['open', ''],
    ])
      expect(await offered(...typed), typed.join(' ')).toEqual([':files']);
    for (const typed of [
      ['etch', ''],
      ['etch', '--description', 're'],
      ['etch', '--', '--se'],
      ['keys', 'no', ''],
    ])
      expect(await offered(...typed), typed.join(' ')).toEqual([]);
  });
});

test('completion offers nothing and prints no error when the profiles cannot be read', async () => {
  writeFileSync(join(home, 'svc', 'profiles.json'), '{');
  expect(await offered('profile', 'use', '')).toEqual([]);
});
