import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { useSharedService } from '../../../testing/system/running-service.ts';
import { freshHome, svc } from './support/svc.ts';

const service = useSharedService();
const home = freshHome();
const run = (args: string[], { env = {} }: { env?: Record<string, string> } = {}) =>
  svc(args, { home, env: { SVC_BASE_URL: service.url, ...env } });
beforeAll(async () => {
  expect(await run(['register'])).toMatchObject({ status: 0 });
}, 200_000);

test('each kind has its exit status', async () => {
  const unknown = '11111111-2222-4333-8444-555555555555';
  expect(await run(['show', unknown])).toMatchObject({ status: 66, out: '' });
  expect(await run(['show', 'https://elsewhere.example/e/abc234'])).toMatchObject({ status: 64 });
  expect(await run(['show', 'what'])).toMatchObject({ status: 64 });
  expect(await run(['etch', 'x', '--description', 'X', '--topic', 'cooking'])).toMatchObject({
    status: 1,
    err: expect.stringContaining('category_id'),
  });
  expect(await run(['whoami'], { env: { SVC_BASE_URL: 'http://127.0.0.1:9' } })).toMatchObject({
    status: 69,
  });
  // An audit is patient with a service that is busy, and not with one that is not there.
  for (const patient of [
    ['score', 'ada'],
    ['audit', 'ada', '--chain-id', '1'],
  ])
    expect(await run(patient, { env: { SVC_BASE_URL: 'http://127.0.0.1:9' } }), patient[0]).toMatchObject({
      status: 69,
      err: expect.stringContaining('127.0.0.1:9'),
    });
  expect(await run(['whoami'], { env: { SVC_SECRET_KEY: 'abzz' } })).toMatchObject({
    status: 64,
    err: expect.not.stringContaining('abzz'),
  });
  expect(await run(['etch', '--file', '/nowhere/text'])).toMatchObject({ status: 66 });
  expect(await run(['fly'])).toMatchObject({ status: 64 });
});

test('a reader that stops early is no defect', async () => {
  const bin = join(import.meta.dirname, '../bin/svc.mjs');
  const script = `'${process.execPath}' '${bin}' etch --help | head -n 1; echo "\${PIPESTATUS[0]}"`;
  const { stdout, stderr } = await promisify(execFile)('bash', ['-c', script]);
  expect(stdout).toMatch(/^Usage: svc etch.*\n(?:0|141)\n$/);
  expect(stderr).toBe('');
});

test('help teaches; every command has an example', async () => {
  const { out } = await run(['--help']);
  expect(out).toContain('First steps:');
  const names = [...out.matchAll(/^ {2}([a-z]+)(?: |$)/gm)].map(([, name]) => name!);
  expect(names).toContain('etch');
  const groups = ['keys', 'profile', 'challenge', 'files'];
  for (const name of names.filter((found) => found !== 'help' && !groups.includes(found)))
    expect((await run([name, '--help'])).out, name).toContain('Examples:');
  expect((await run(['files', 'disclose', '--help'])).out).toContain('Examples:');
});

test('completion knows commands, sub-commands and options', async () => {
  const { out } = await run(['completion', 'bash']);
  const complete = async (line: string): Promise<string[]> => {
    const words = line.split(' ');
    const script = `${out}\nCOMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _svc; echo "\${COMPREPLY[@]}"`;
    const { stdout } = await promisify(execFile)('bash', ['-c', script]);
    return stdout.trim().split(' ');
  };
  expect(await complete('svc re')).toEqual(['register', 'reveal', 'retract', 'receipt']);
  expect(await complete('svc keys re')).toEqual(['revoke']);
  expect(await complete('svc etch --sea')).toEqual(['--sealed-until']);
  expect(await complete('svc keys create name --wr')).toEqual(['--write']);
  expect((await run(['completion', 'zsh'])).out).toContain('bashcompinit');
  expect(await run(['completion', 'fish'])).toMatchObject({ status: 64 });
});
