import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { runProgram } from '../../../testing/machine/program.ts';
import { lastingPort } from '../../../testing/machine/free-port.ts';
import { freshHome } from '../../../testing/clients/svc.ts';
import { useLosingProxy } from '../../../testing/clients/losing-proxy.ts';
import { type ChangingService, startChangingService } from '../../../testing/system/changing-service.ts';
import { useAccount } from './support/account.ts';
import { folderOf } from './support/folder.ts';

const { service, home } = useAccount();
const proxy = useLosingProxy(service);
const clone = join(import.meta.dirname, '../../..');
const programs = folderOf({ svc: `#!/bin/sh\nexec node '${inject('svcProgram')}' "$@"\n` });
chmodSync(join(programs, 'svc'), 0o755);
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
    PATH: `${programs}:${process.env['PATH']}`,
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

async function pins(of = service.url): Promise<string> {
  const info = await (await fetch(`${of}/.well-known/svc.json`)).text();
  return join(folderOf({ 'svc.json': info }), 'svc.json');
}

describe('verify: true', () => {
  test('passes when receipt and files verify under the pins of the job', async () => {
    const { status, stdout, summary } = await commit({ SVC_VERIFY: 'true', SVC_TRUST: await pins() });
    expect(status, stdout).toBe(0);
    expect(stdout).toMatch(/^PASS: /mu);
    expect(summary).toContain('verify under the pins of this job');
  });

  test('fails when the service is another one than the pinned', async () => {
    const trust = await pins();
    const info = JSON.parse(readFileSync(trust, 'utf8'));
    info.chain.relayers = [`0x${'7'.repeat(40)}`];
    writeFileSync(trust, JSON.stringify(info));
    const { status, stdout } = await commit({ SVC_VERIFY: 'true', SVC_TRUST: trust });
    expect(status).toBe(1);
    expect(stdout).toMatch(/^FAIL: /mu);
    expect(stdout).toMatch(/^::error title=svc::the etch http.* does not verify; the message is above$/mu);
  });

  test('etches nothing without pins, and with another value', async () => {
    for (const [more, message] of [
      [{ SVC_VERIFY: 'true' }, 'needs the input trust'],
      [{ SVC_VERIFY: 'yes' }, 'is true or false, not yes'],
    ] as const) {
      const { status, stdout, output } = await commit(more);
      expect({ status, output }).toEqual({ status: 1, output: '' });
      expect(stdout).toContain(message);
    }
  });
});

test('the action verify checks the receipts of a repository', async () => {
  const { output } = await commit();
  const receipt = readFileSync(valueOf(output, 'receipt'), 'utf8');
  const trust = await pins();
  const folder = folderOf({ 'receipts/a.json': receipt, 'receipts/b [1].json': receipt, 'broken.json': '' });
  const changed = JSON.parse(receipt);
  changed.hash = '7'.repeat(64);
  writeFileSync(join(folder, 'broken.json'), JSON.stringify(changed));
  const verify = async (receipts: string, more: Record<string, string> = {}) => {
    const env = { PATH: `${programs}:${process.env['PATH']}`, HOME: freshHome(), SVC_TRUST: trust, ...more };
    const script = join(clone, 'action/verify/verify.sh');
    const ran = await runProgram('bash', [script], { env: { ...env, SVC_RECEIPTS: receipts }, cwd: folder });
    expect(ran.err).toBe('');
    return ran;
  };
  expect(await verify('receipts/*.json\nreceipts/b [1].json\n')).toMatchObject({ status: 0 });
  expect(await verify('receipts/a.json\nbroken.json')).toMatchObject({
    status: 1,
    out: expect.stringContaining('::error title=svc::not every receipt verifies') as string,
  });
  expect(await verify('receipts/*.json\nnone/*.json')).toMatchObject({
    status: 1,
    out: expect.stringContaining('no receipt has the name none/*.json') as string,
  });
  expect(await verify('receipts/a.json', { SVC_TRUST: 'none.json' })).toMatchObject({ status: 1 });
  const dead = { SVC_RPC: `http://127.0.0.1:${await lastingPort()}` };
  expect(await verify('receipts/a.json', dead)).toMatchObject({
    status: 1,
    out: expect.stringContaining('not every receipt is proven') as string,
  });
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
    stdout: expect.stringMatching(
      /^::error title=svc::the service .* is not available; nothing was committed\n$/m,
    ),
    summary: '',
  });
  expect(await commit({ ...away, SVC_WHEN_AWAY: 'warn' })).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^::warning title=svc::the service .* the job continues/m),
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
  expect(stdout).toMatch(/^::warning title=svc::the etch http.* is made, but the service/m);
  expect(output).toMatch(/^manifest=.*\netch-url=http.*\n$/);
  expect(summary).toContain(valueOf(output, 'etch-url'));
});

test('fails on a missing file, and on one that changes during the read', async () => {
  for (const [path, message] of [
    ['/nowhere/plan', '/nowhere/plan cannot be read (ENOENT); nothing was etched'],
    ['/proc/self/status', 'changed while svc read it; try again; nothing was etched'],
  ] as const) {
    const { status, stdout, output } = await commit({ SVC_FILES: path });
    expect({ status, output }).toEqual({ status: 1, output: '' });
    expect(stdout).toMatch(/\n::error title=svc::svc etch ended with status 66; its message is above\n$/);
    expect(stdout).toContain(message);
  }
});

describe('a service that is not honest', () => {
  let changing: ChangingService;
  beforeAll(async () => void (changing = await startChangingService(service.url)));
  afterAll(() => changing.stop());
  const INJECTED = '\nmanifest=/etc/passwd\n::error::';

  test('cannot write an output by a link', async () => {
    changing.change = (operation, body) => {
      if (operation !== 'createEtch') return body;
      const { id, code } = body.etch;
      const origin = `${service.url}${INJECTED}`;
      const links = { url: `${origin}/e/${id}`, short_url: `${origin}/e/${code}` };
      return { ...body, etch: { ...body.etch, ...links, verify_url: `${links.url}/verify` } };
    };
    const { status, output, stdout, summary } = await commit({ SVC_BASE_URL: changing.url });
    expect(status).toBe(1);
    expect(output).toMatch(/^manifest=.*\n$/);
    expect(output + summary).not.toContain('/etc/passwd');
    expect(stdout).toContain('etch.url');
    expect(stdout).not.toMatch(/^(manifest=|::error::)/m);
  });

  test('cannot run a workflow command by a message', async () => {
    const message = `no${INJECTED} ##[add-mask]a`;
    const body = { error: { code: 'forbidden', message, details: [{ path: '::debug', message: 'b' }] } };
    changing.given.set('createEtch', { status: 403, body });
    const { status, stdout, stderr } = await commit({ SVC_BASE_URL: changing.url, GITHUB_ACTIONS: 'true' });
    expect(status).toBe(1);
    expect(stderr).toBe('');
    const [, token, between, after] = /^::stop-commands::(\S+)\n([^]*?)^::\1::\n([^]*)$/m.exec(stdout)!;
    expect(token).toHaveLength(36);
    expect(between).toContain('##[add-mask]a');
    expect(after).toBe('::error title=svc::svc etch ended with status 77; its message is above\n');
  });
});

test('escapes line feeds in workflow commands, and writes no output with one', async () => {
  const url = `http://127.0.0.1:${await lastingPort()}`;
  const { stdout } = await commit({ SVC_BASE_URL: `${url}/%0A\n::debug::` });
  expect(stdout).toMatch(/^::error title=svc::the service http.*\/%250A%0A::debug:: is not available/m);
  const folder = join(folderOf({}), 'a\nmanifest=b');
  const { status, output } = await commit({ SVC_OUT: folder });
  expect([status, output]).toEqual([1, '']);
});
