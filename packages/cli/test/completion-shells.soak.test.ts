import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, inject, test } from 'vitest';
import { bringPrograms } from '../../../testing/machine/debian.ts';
import { eventually } from '../../../testing/wait.ts';
import { freshHome } from '../../../testing/clients/svc.ts';

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

beforeAll(() => bringPrograms('zsh', 'fish'));

test.each(Object.entries(SHELLS))('%s completes a line', async (_, [shell, load]) => {
  const home = freshHome();
  const bin = join(home, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'svc'), `#!/bin/sh\nexec '${process.execPath}' '${inject('svcProgram')}' "$@"\n`);
  chmodSync(join(bin, 'svc'), 0o755);
  mkdirSync(join(home, 'svc'));
  writeFileSync(
    join(home, 'svc', 'profiles.json'),
    JSON.stringify({ current: 'work', profiles: { work: { base_url: 'http://127.0.0.1:9' } } }),
    { mode: 0o600 },
  );
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
