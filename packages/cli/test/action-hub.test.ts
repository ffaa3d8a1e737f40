import { execFileSync } from 'node:child_process';
import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ends } from '../../../testing/clients/ends.ts';
import { freshHome } from '../../../testing/clients/svc.ts';
import { runProgram } from '../../../testing/machine/program.ts';
import { useAccount } from './support/account.ts';
import { folderOf } from './support/folder.ts';
import { csv, fileOf, gitIn, GOOD, hubOf, PAST, ROUND, tasks } from './support/hub.ts';
import { startService, type StubService } from './support/service.ts';

const { service, run } = useAccount();
const clone = join(import.meta.dirname, '../../..');
const FILE = fileOf('weir-ar');
const COMMENTS = '/repos/weirs/weir-hub/issues/7/comments';
const MARKER = '<!-- svc hub check Times%20--%3E check  -->\n';
const RECORD = `.svc/${ROUND}/weir-ar.json`;
let github: StubService;
let hub: ReturnType<typeof hubOf> & ReturnType<typeof gitIn>;
/** The variables of a pull request that adds FILE and its record to a hub with another file. */
let added: Record<string, string>;

/** Merges a change of the hub, as GitHub does for a pull request, and returns the variables of the job. */
function merge(change: () => void): Record<string, string> {
  hub.git('checkout', '-q', '-B', 'change');
  change();
  const SVC_HEAD = hub.commit();
  hub.git('checkout', '-q', 'main');
  hub.git('merge', '-q', '--no-ff', 'change');
  return { SVC_PULL_REQUEST: '7', SVC_GITHUB_TOKEN: 'a-token', SVC_HEAD };
}

beforeAll(async () => {
  github = await startService();
  const { root, at, put } = hubOf({ [fileOf('flood-x')]: csv(GOOD) });
  hub = { root, at, put, ...gitIn(root) };
  hub.commit();
  hub.put(FILE, csv(GOOD));
  await ends(run(['hub', 'submit', hub.at(FILE), '--wait']), 0);
  added = merge(() => undefined);
  hub.git('tag', 'added');
});
beforeEach(() => void hub.git('reset', '-q', '--hard', 'added'));
afterAll(() => github.close());

/** GitHub stores the comments that the job adds or edits. */
function takeComments(...earlier: Partial<Record<'own' | 'other', string>>[]) {
  const sent: { id?: string; body: string }[] = [];
  github.answers[COMMENTS] = (comment: { body: string }) => {
    sent.push(comment);
    return {};
  };
  const nodes = earlier.map(({ own, other = '' }, at) => ({
    id: own === undefined ? `other-${at}` : 'own',
    body: own ?? other,
    viewerDidAuthor: own !== undefined,
  }));
  // A page has one comment.
  github.answers['/graphql'] = ({ variables: { before, input } }: any) => {
    if (input !== undefined) {
      sent.push(input);
      return { data: { updateIssueComment: { issueComment: { id: input.id } } } };
    }
    const at = before === null ? nodes.length - 1 : Number(before);
    const pageInfo = { hasPreviousPage: at > 0, startCursor: `${at - 1}` };
    const comments = { nodes: nodes.slice(at, at + 1), pageInfo };
    return { data: { repository: { pullRequest: { comments } } } };
  };
  return sent;
}

async function check(more: Record<string, string> = {}, cwd = hub.root) {
  const folder = folderOf({ summary: '' });
  const env = {
    PATH: `${clone}:${process.env['PATH']}`,
    HOME: freshHome(),
    RUNNER_TEMP: folder,
    GITHUB_STEP_SUMMARY: join(folder, 'summary'),
    GITHUB_API_URL: github.origin,
    GITHUB_REPOSITORY: 'weirs/weir-hub',
    GITHUB_WORKFLOW: 'Times -->',
    GITHUB_JOB: 'check',
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

test('comments the rows of the files that the pull request changes', async () => {
  const sent = takeComments();
  const { status, out, summary } = await check(added);
  expect(status, out).toBe(0);
  const first = `${MARKER}Checked at commit ${added['SVC_HEAD']}\n\n`;
  expect(sent).toEqual([{ body: expect.stringContaining(first) }]);
  expect(sent[0]!.body).toContain(`| \`${ROUND}\` | \`weir-ar\` |`);
  expect(sent[0]!.body).toContain('| `on time` | `pass` |');
  expect(sent[0]!.body).not.toContain('flood-x');
  expect(summary + out).not.toMatch(/Careful|warning/);
});

test('edits its own comment, and no other one', async () => {
  const sent = takeComments({ other: MARKER }, { own: `${MARKER}earlier` }, { other: 'A text' });
  await ends(check(added), 0);
  expect(sent).toEqual([{ id: 'own', body: expect.stringContaining('| `on time` | `pass` |') }]);
  const others = takeComments(
    { other: MARKER },
    { own: `A text with ${MARKER}` },
    { own: MARKER.replace('check  -->', 'other  -->') },
  );
  await ends(check(added), 0);
  await ends(check({ ...added, SVC_ROUND: ROUND }), 0);
  const body = (round: string) => expect.stringContaining(MARKER.replace('  -->', ` ${round} -->`));
  expect(others).toEqual([{ body: body('') }, { body: body(ROUND) }]);
});

test('comments that nothing was checked, also over an earlier table', async () => {
  const sent = takeComments({ own: `${MARKER}earlier` });
  const { status } = await check({ ...added, SVC_RECORD: 'typo' });
  expect(status).toBe(1);
  expect(sent).toEqual([
    { id: 'own', body: expect.stringContaining('svc hub check ended with status 64; nothing was checked') },
  ]);
});

test('logs the error of GitHub, and writes the job summary', async () => {
  takeComments();
  github.answers['/graphql'] = { data: null, errors: [{ message: 'Resource not accessible' }] };
  const { out, summary } = await check(added);
  expect(out).toContain('No comment: Resource not accessible\n');
  expect(summary).toContain(`| \`${ROUND}\` | \`weir-ar\` |`);
});

test('passes the token in no argument, and only to the program that comments', async () => {
  takeComments();
  const seen = `#!/bin/bash
{ printf '%s\n' "$@"; case $0 in *node) ;; *) env ;; esac; } >> "$RUNNER_TEMP/summary"
PATH=$REAL_PATH exec "\${0##*/}" "$@"
`;
  const programs = folderOf(Object.fromEntries(['node', 'svc', 'git'].map((name) => [name, seen])));
  for (const name of ['node', 'svc', 'git']) chmodSync(join(programs, name), 0o755);
  const REAL_PATH = `${clone}:${process.env['PATH']}`;
  const { summary } = await check({ ...added, REAL_PATH, PATH: `${programs}:${REAL_PATH}` });
  for (const argument of ['comment.mjs', '--changed-since', 'HEAD^2']) expect(summary).toContain(argument);
  expect(summary).not.toContain(added['SVC_GITHUB_TOKEN']);
  expect(github.headers.at(-1)).toMatchObject({ authorization: `Bearer ${added['SVC_GITHUB_TOKEN']}` });
});

test('writes the job summary where comments are not allowed', async () => {
  takeComments();
  delete github.answers[COMMENTS];
  for (const more of [{}, { SVC_GITHUB_TOKEN: '' }] as const)
    expect((await check({ ...added, ...more })).summary).toContain(`| \`${ROUND}\` | \`weir-ar\` |`);
});

test('writes a table that is too long for a comment to the job summary too', async () => {
  const sent = takeComments();
  const names = Array.from({ length: 500 }, (_, at) => fileOf(`weir-m${at}`, at < 250 ? PAST : ROUND));
  const { summary } = await check(
    merge(() => {
      for (const name of names) hub.put(name, '');
    }),
  );
  for (const name of names) expect(summary).toContain(name);
  const { body } = sent[0]!;
  expect(body.length).toBeLessThan(65_536);
  expect(body).toMatch(/\|\n\nThe rows above are not all: the job summary has the whole table\.$/);
  expect(body).toContain(ROUND);
  expect(body.split(PAST).length).toBeLessThan(body.split(ROUND).length);
});

test('checks under the trust of the target branch, and warns of another window or trust', async () => {
  const sent = takeComments();
  const pins = await (await fetch(`${service.url}/.well-known/svc.json`)).text();
  const { chain } = JSON.parse(pins);
  const other = { ...JSON.parse(pins), chain: { ...chain, schema_uid: `0x${'7'.repeat(64)}` } };
  hub.put('svc.json', JSON.stringify(other));
  hub.git('rm', '-q', FILE, RECORD);
  hub.commit();
  const variables = merge(() => {
    hub.git('checkout', '-q', 'added', FILE, RECORD);
    hub.put('hub-config/tasks.json', JSON.stringify(tasks({ more: 1 })));
    hub.put('svc.json', pins);
    hub.put(fileOf('flood-x'), csv([...GOOD].reverse()));
  });
  const { out } = await check({ ...variables, SVC_TRUST: 'svc.json' });
  expect(out).toMatch(/^::warning title=svc::this pull request changes the configuration/m);
  expect(out).toMatch(/^::warning title=svc::this pull request changes svc.json/m);
  expect(sent[0]!.body).toMatch(/\nCareful: .*: `hub-config\/tasks.json`\n/);
  expect(sent[0]!.body).toMatch(new RegExp(`${FILE}. . .not proven. . .fail.`));
});

test('rejects a checkout without the parents of the merge commit, or of another commit', async () => {
  const shallow = folderOf({});
  execFileSync('git', ['clone', '-q', '--depth', '1', `file://${hub.root}`, shallow]);
  const deeper = folderOf({});
  execFileSync('git', ['clone', '-q', '--depth', '2', `file://${hub.root}`, deeper]);
  const err =
    /^::error title=svc::the checkout is not the merge commit of this pull request .* fetch-depth: 2/m;
  for (const [head, folder] of [
    [added['SVC_HEAD'], shallow],
    ['7'.repeat(40), deeper],
  ] as const) {
    const { status, out, summary } = await check({ ...added, SVC_HEAD: head! }, folder);
    expect([status, summary]).toEqual([1, '']);
    expect(out).toMatch(err);
  }
  await ends(check(added, deeper), 0);
});

test('checks the whole hub without a pull request, and warns without trust', async () => {
  const { status, out } = await check({ ...added, SVC_TRUST: '' });
  expect(status, out).toBe(0);
  expect(out).toMatch(/^::warning title=svc::not everything in the hub/m);
  expect(await check()).toMatchObject({
    status: 1,
    out: expect.stringMatching(/^::error title=svc::a file of the hub was late/m),
    summary: expect.stringContaining('| `never committed` | `fail` |'),
  });
  expect(await check({ SVC_HUB: 'score' })).toMatchObject({ status: 1, summary: '' });
});
