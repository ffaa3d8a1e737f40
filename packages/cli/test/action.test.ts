import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { runProgram } from '../../../testing/machine/program.ts';
import { lastingPort } from '../../../testing/machine/free-port.ts';
import { freshHome } from '../../../testing/clients/svc.ts';
import { useLosingProxy } from '../../../testing/clients/losing-proxy.ts';
import { useAccount } from './support/account.ts';
import { folderOf } from './support/folder.ts';

const { service, home } = useAccount();
const proxy = useLosingProxy(service);
const clone = join(import.meta.dirname, '../../..');
let apiKey: string;

beforeAll(() => {
  const { profiles } = JSON.parse(readFileSync(join(home, 'svc', 'profiles.json'), 'utf8'));
  apiKey = profiles.default.api_key;
});
beforeEach(() => void (proxy.loses = undefined));

async function commit(more: Record<string, string> = {}) {
  const files = { 'plans/a.txt': 'the secret plan', 'plans/b.txt': 'two', 'one file.txt': 'three' };
  const folder = folderOf({ ...files, output: '', summary: '' });
  const env = {
    PATH: `${clone}:${process.env['PATH']}`,
    HOME: freshHome(),
    RUNNER_TEMP: folder,
    GITHUB_OUTPUT: join(folder, 'output'),
    GITHUB_STEP_SUMMARY: join(folder, 'summary'),
    SVC_BASE_URL: service.url,
    SVC_API_KEY: apiKey,
    SVC_DESCRIPTION: 'Plans of a job',
    SVC_FILES: `${join(folder, 'plans')}\n${join(folder, 'one file.txt')}\n`,
    ...more,
  };
  const { status, out, err } = await runProgram('bash', [join(clone, 'action/commit.sh')], { env });
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  return { status, stdout: out, stderr: err, folder, output: read('output'), summary: read('summary') };
}

const valueOf = (output: string, name: string): string =>
  new RegExp(`^${name}=(.*)$`, 'm').exec(output)?.[1] ?? '';

test('writes the outputs, the receipt, the manifest and a summary', async () => {
  const { status, stdout, output, summary } = await commit({ SVC_SEALED_UNTIL: '3d' });
  expect(status, stdout).toBe(0);
  expect(output).toMatch(/^manifest=.*\netch-url=http.*\/e\/\w{6}\nreceipt=.*\n$/);
  for (const name of ['etch-url', 'receipt', 'manifest']) expect(summary).toContain(valueOf(output, name));
  expect(JSON.parse(readFileSync(valueOf(output, 'receipt'), 'utf8'))).toMatchObject({ status: 'sealed' });
  expect(JSON.parse(readFileSync(valueOf(output, 'manifest'), 'utf8')).files).toHaveLength(3);
  expect(output + summary + stdout).not.toContain('secret plan');
});

test('runs twice in one job', async () => {
  const first = await commit();
  const second = await commit({ RUNNER_TEMP: first.folder });
  expect(second.status, second.stdout).toBe(0);
  const [one, two] = [first, second].map(({ output }) => valueOf(output, 'manifest'));
  expect(one).not.toBe(two);
  expect(dirname(dirname(two!))).toBe(dirname(dirname(one!)));
  expect([one, two].every((path) => existsSync(path!))).toBe(true);
});

test('fails when the service is away, or only warns', async () => {
  const url = `http://127.0.0.1:${await lastingPort()}`;
  const away = { SVC_BASE_URL: url };
  expect(await commit(away)).toMatchObject({
    status: 1,
    stdout: `::error title=svc::the service ${url} is not available; nothing was committed\n`,
    summary: '',
  });
  expect(await commit({ ...away, SVC_WHEN_AWAY: 'warn' })).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^::warning title=svc::the service .* the job continues/),
    summary: '',
  });
});

test('says that the etch may exist after a lost answer, and names the manifest', async () => {
  proxy.loses = 'POST';
  const { status, stdout, output } = await commit({ SVC_BASE_URL: proxy.url });
  expect(status).toBe(1);
  expect(stdout).toContain('did not confirm the etch, which may exist');
  expect(stdout).not.toContain('nothing was committed');
  expect(output).toMatch(/^manifest=.*\n$/);
  expect(stdout).toContain(valueOf(output, 'manifest'));
  expect(existsSync(valueOf(output, 'manifest'))).toBe(true);
});

test('writes etch and manifest when the wait for the anchor fails', async () => {
  proxy.loses = 'GET';
  const env = { SVC_BASE_URL: proxy.url, SVC_WHEN_AWAY: 'warn' };
  const { status, stdout, output, summary } = await commit(env);
  expect(status, stdout).toBe(0);
  expect(stdout).toMatch(/^::warning title=svc::the etch http.* is made, but the service/);
  expect(output).toMatch(/^manifest=.*\netch-url=http.*\n$/);
  expect(summary).toContain(valueOf(output, 'etch-url'));
});

test('fails on a missing file, and on one that changes during the read', async () => {
  for (const [path, message] of [
    ['/nowhere/plan', '/nowhere/plan cannot be read (ENOENT); nothing was etched'],
    ['/proc/self/status', 'changed while svc read it; try again; nothing was etched'],
  ] as const) {
    const { status, stdout, stderr, output } = await commit({ SVC_FILES: path });
    expect({ status, stdout, output }).toEqual({
      status: 1,
      output: '',
      stdout: '::error title=svc::svc etch ended with status 66; its message is above\n',
    });
    expect(stderr).toContain(message);
  }
});
