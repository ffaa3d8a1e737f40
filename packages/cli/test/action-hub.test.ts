import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ends } from '../../../testing/clients/ends.ts';
import { freshHome } from '../../../testing/clients/svc.ts';
import { runProgram } from '../../../testing/machine/program.ts';
import { useAccount } from './support/account.ts';
import { folderOf } from './support/folder.ts';
import { csv, fileOf, GOOD, hubOf, ROUND } from './support/hub.ts';
import { startService, type StubService } from './support/service.ts';

const { service, run } = useAccount();
const clone = join(import.meta.dirname, '../../..');
const FILE = fileOf('weir-ar');
const COMMENTS = '/repos/weirs/weir-hub/issues/7/comments';
let github: StubService;
let hub: ReturnType<typeof hubOf>;

beforeAll(async () => {
  github = await startService();
  hub = hubOf({ [FILE]: csv(GOOD) });
  await ends(run(['hub', 'submit', hub.at(FILE), '--wait']), 0);
});
afterAll(() => github.close());

async function check(more: Record<string, string> = {}, cwd = hub.root) {
  const folder = folderOf({ summary: '' });
  const env = {
    PATH: `${clone}:${process.env['PATH']}`,
    HOME: freshHome(),
    RUNNER_TEMP: folder,
    GITHUB_STEP_SUMMARY: join(folder, 'summary'),
    GITHUB_API_URL: github.origin,
    GITHUB_REPOSITORY: 'weirs/weir-hub',
    SVC_BASE_URL: service.url,
    SVC_HUB: 'check',
    SVC_TRUST: service.url,
    ...more,
  };
  const ran = await runProgram('bash', [join(clone, 'action/check-hub.sh')], { env, cwd });
  return { ...ran, summary: readFileSync(join(folder, 'summary'), 'utf8') };
}
test('action.yml is valid, and declares each input that its steps use', () => {
  for (const name of ['action/action.yml', 'action/verify/action.yml']) {
    const text = readFileSync(join(clone, name), 'utf8');
    const { inputs } = parse(text) as { inputs: object };
    const used = [...text.matchAll(/inputs\.([\w-]+)/g)].map(([, input]) => input!);
    expect(Object.keys(inputs).sort(), name).toEqual([...new Set(used)].sort());
  }
});

const PULL_REQUEST = { SVC_PULL_REQUEST: '7', SVC_GITHUB_TOKEN: 'a-token' };

test('comments the table on a pull request', async () => {
  const bodies: string[] = [];
  github.answers[COMMENTS] = ({ body }: { body: string }) => {
    bodies.push(body);
    return {};
  };
  const { status, out, summary } = await check(PULL_REQUEST);
  expect(status, out).toBe(0);
  expect(bodies).toHaveLength(1);
  expect(bodies[0]).toContain(`| \`${ROUND}\` | \`weir-ar\` |`);
  expect(bodies[0]).toContain('| `on time` | `pass` |');
  expect(summary).toBe('');
});

test('does not pass the token in the arguments of curl', async () => {
  github.answers[COMMENTS] = {};
  const seen =
    '#!/bin/bash\nprintf "%s\\n" "$@" >> "$RUNNER_TEMP/summary"\nexec /usr/bin/env PATH="$REAL_PATH" curl "$@"\n';
  const programs = folderOf({ curl: seen });
  chmodSync(join(programs, 'curl'), 0o755);
  const REAL_PATH = `${clone}:${process.env['PATH']}`;
  const { summary } = await check({ ...PULL_REQUEST, REAL_PATH, PATH: `${programs}:${REAL_PATH}` });
  expect(summary).toContain('/issues/7/comments');
  expect(summary).not.toContain(PULL_REQUEST.SVC_GITHUB_TOKEN);
  expect(github.headers.at(-1)).toMatchObject({ authorization: `Bearer ${PULL_REQUEST.SVC_GITHUB_TOKEN}` });
});

test('writes the job summary where comments are not allowed', async () => {
  delete github.answers[COMMENTS];
  for (const more of [PULL_REQUEST, {}] as const)
    expect((await check(more)).summary).toContain(`| \`${ROUND}\` | \`weir-ar\` |`);
});

test('writes a table that is too long for a comment to the job summary too', async () => {
  const bodies: string[] = [];
  github.answers[COMMENTS] = ({ body }: { body: string }) => {
    bodies.push(body);
    return {};
  };
  const names = Array.from({ length: 500 }, (_, at) => fileOf(`weir-m${at}`));
  const many = hubOf(Object.fromEntries(names.map((name) => [name, ''])));
  const { summary } = await check(PULL_REQUEST, many.root);
  for (const name of names) expect(summary).toContain(name);
  expect(bodies[0]!.length).toBeLessThan(65_536);
  expect(bodies[0]).toMatch(/\|\n\nThe rows above are not all: the job summary has the whole table\.$/);
});

test('fails for a file that was never committed, and warns without trust', async () => {
  expect(await check({ SVC_TRUST: '' })).toMatchObject({
    status: 0,
    out: expect.stringMatching(/^::warning title=svc::not everything/m),
  });
  hub.put(fileOf('flood-x'), csv(GOOD));
  expect(await check()).toMatchObject({
    status: 1,
    out: expect.stringMatching(/^::error title=svc::a file of the hub was late/m),
    summary: expect.stringContaining('| `never committed` | `fail` |'),
  });
  expect(await check({ SVC_HUB: 'score' })).toMatchObject({ status: 1, summary: '' });
});
