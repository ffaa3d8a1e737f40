import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { bringPrograms } from '../../../testing/machine/debian.ts';
import { AT_FULL_COUNT } from '../../../testing/rounds.ts';
import { eventually } from '../../../testing/wait.ts';
import { freshHome } from '../../../testing/clients/svc.ts';
import { svcHere } from './support/svc-here.ts';
import { ends } from '../../../testing/clients/ends.ts';

function homeWithProfiles(): string {
  const home = freshHome();
  mkdirSync(join(home, 'svc'), { mode: 0o700 });
  const profiles = { work: { base_url: 'http://a' }, home: { base_url: 'http://b' } };
  const text = JSON.stringify({ current: 'work', profiles });
  writeFileSync(join(home, 'svc', 'profiles.json'), text, { mode: 0o600 });
  return home;
}
const home = homeWithProfiles();

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
    for (const typed of ['verify ', 'etch --file ', 'receipt abc234 --out x', 'open '])
      expect(await offered(...typed.split(' ')), typed).toEqual([':files']);
    for (const typed of ['etch ', 'etch --description re', 'etch -- --se', 'keys no '])
      expect(await offered(...typed.split(' ')), typed).toEqual([]);
  });
});

test('completion offers nothing and prints no error when the profiles cannot be read', async () => {
  writeFileSync(join(home, 'svc', 'profiles.json'), '{');
  expect(await offered('profile', 'use', '')).toEqual([]);
});

/** Real shells at a terminal, by the tabulator key. */
const SHELLS = {
  bash: ['bash --norc --noprofile -i', 'source <(svc completion bash)'],
  zsh: ['zsh -f -i', 'source <(svc completion zsh)'],
  fish: ['fish --no-config -i', 'svc completion fish | source'],
} as const;

const LINES = [
  ['svc wat', 'svc watch '],
  ['svc keys rev', 'svc keys revoke '],
  ['svc search --status sealed,rev', 'svc search --status sealed,revealed '],
  ['svc etch --topic=scie', 'svc etch --topic=science '],
  ['svc whoami --profile wo', 'svc whoami --profile work '],
  ['svc api GET /me/lim', 'svc api GET /me/limits '],
  ['svc verify /etc/hostna', 'svc verify /etc/hostname '],
] as const;

if (AT_FULL_COUNT)
  test.each(Object.entries(SHELLS))('%s completes a line', async (_, [shell, load]) => {
    bringPrograms('zsh', 'fish');
    const home = homeWithProfiles();
    const bin = join(home, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'svc'), `#!/bin/sh\nexec '${process.execPath}' '${inject('svcProgram')}' "$@"\n`);
    chmodSync(join(bin, 'svc'), 0o755);
    const terminal = spawn('script', ['-qfc', shell, '/dev/null'], {
      env: {
        PATH: `${bin}:${process.env['PATH']}`,
        HOME: home,
        XDG_CONFIG_HOME: home,
        TERM: 'dumb',
        PS1: '$ ',
      },
    });
    let seen = '';
    terminal.stdout.on('data', (text) => (seen += String(text)));
    const type = (text: string) => terminal.stdin.write(text);
    const shows = (text: string) => eventually(text, () => seen.includes(text), { seconds: 30 });
    try {
      // The split keeps the typed text unlike the output.
      type(`${load}; echo rea''dy\n`);
      await shows('ready');
      for (const [typed, completed] of LINES) {
        seen = '';
        type(`${typed}\t`);
        await shows(completed);
        type('\u0015');
      }
      expect(seen).not.toBe('');
    } finally {
      terminal.kill('SIGKILL');
    }
  });
