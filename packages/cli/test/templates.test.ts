import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, inject, test } from 'vitest';
import { AT_FULL_COUNT } from '../../../testing/rounds.ts';
import { patient } from '../../../testing/wait.ts';
import { freshHome } from '../../../testing/clients/svc.ts';
import { ends } from '../../../testing/clients/ends.ts';
import { useAccount } from './support/account.ts';

const account = useAccount({ pins: true });
const { service, home } = account;
// Pastes docs/templates/ unchanged, except for shorter times and for ids.
const run = (...args: string[]) => account.run(args);

async function paste(page: string, change: (block: string) => string): Promise<string> {
  const text = readFileSync(join(import.meta.dirname, '../../../docs/templates', page), 'utf8');
  const blocks = [...text.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, block]) => change(block!));
  const folder = freshHome();
  for (const name of ['proof', 'analysis']) {
    mkdirSync(join(folder, name));
    for (const file of ['crash.bin', 'exploit.py', 'letter.txt'])
      writeFileSync(join(folder, name, file), `${file} of ${page}`);
  }
  copyFileSync(join(folder, 'proof', 'letter.txt'), join(folder, 'letter.txt'));
  const script = `
    svc() { '${process.execPath}' '${inject('svcProgram')}' "$@"; }
    etched() { ID=$(node -p 'JSON.parse(require("fs").readFileSync("made.json")).etch.id'); }
    ${blocks.join('\n')}`;
  const env = { PATH: process.env['PATH'], HOME: home, XDG_CONFIG_HOME: home, SVC_BASE_URL: service.url };
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: folder,
    env,
  }).catch((error: Error & { stdout?: string }) => {
    // stdout has the result; stderr has only messages.
    throw new Error(`${error.message}\n${error.stdout ?? ''}`, { cause: error });
  });
  return stdout;
}

const noting = (block: string): string =>
  /^svc etch (?!--template|--resolve)/.test(block)
    ? `${block.trimEnd()} --json > made.json; etched\n`
    : block;
const soon = (block: string): string =>
  block.replace(/--sealed-until \d+d/, `--sealed-until ${patient(5)}s`).replaceAll('<etch>', '"$ID"');
const manifest = (block: string): string => block.replace('svc-files-<root>.json', 'svc-files-*.json');

test('a forecast', async () => {
  const asked = await ends(
    run('challenge', 'create', 'Is the bridge open in May? [yes|no]', '--closes', '1h', '--json'),
    0,
  );
  const challenge = JSON.parse(asked.out).challenge.id as string;
  const said = await paste('forecast.md', (block) =>
    noting(block).replace('<challenge>', challenge).replace('<etch or challenge>', '"$ID"'),
  );
  expect(said).toContain('svc-resolution:v1 ');
  const { username } = JSON.parse((await run('whoami', '--json')).out).user;
  await expect
    .poll(async () => (await run('score', username as string)).out)
    .toMatch(/1 scored[^]*PASS: nothing is left out/);
});

const WAITED = 'svc watch "$ID" --until revealed\nsvc watch "$ID" --until anchored\nsvc verify';
const sealedPage = (page: string) =>
  paste(page, (block) => manifest(soon(noting(block))).replace('svc verify', WAITED));

test('a coordinated disclosure', async () => {
  const said = await sealedPage('disclosure.md');
  expect(said).toContain('crash.bin');
  expect(said).toContain('PASS: the receipt holds');
});

test('reports a missing file, also in a verification', async () => {
  await ends(run('verify', '--files', '/nowhere/letter.txt', '--disclosure', '/nowhere/letter.json'), 66, {
    without: 'etched',
  });
});

if (AT_FULL_COUNT)
  test('a preregistration', async () => {
    expect(await sealedPage('preregistration.md')).toContain('PASS: the receipt holds');
  });
