import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { freshHome, type Ran, svc } from '../../../testing/clients/svc.ts';
import { newDataDir } from '../../../testing/database/embedded.ts';
import { newFolder } from '../../../testing/machine/folder.ts';
import { lastingPort } from '../../../testing/machine/free-port.ts';
import { changeLog, inventedTree } from '../../../testing/system/changed-log.ts';
import type { ServiceProcess } from '../../../testing/system/service-process.ts';
import { startForTests } from '../../../testing/system/start-for-tests.ts';
import { eventually } from '../../../testing/wait.ts';
import { useCountingProxy } from './support/counting-proxy.ts';
import { svcHere } from './support/svc-here.ts';
import { ends, jsonOf } from '../../../testing/clients/ends.ts';

// 300 trees never reached the chain. An older copy is the restored backup.
const service = { url: '' };
const proxy = useCountingProxy(service);
const home = freshHome();
const author = freshHome();
const older = join(newFolder('older'), 'data');
let dataDir: string;
let running: ServiceProcess;
let username: string;

const start = async (folder: string) => {
  running = await startForTests(folder, { PORT: new URL(service.url).port });
};
const run = (args: string[], of = author) => svcHere(args, { home: of, env: { SVC_BASE_URL: service.url } });
const etch = async (text: string): Promise<void> => {
  const before = await logSize();
  await ends(run(['etch', text, '--description', 'Text', '--wait']), 0);
  await eventually('its tree is in the checkpoint', async () => (await logSize()) > before);
};
const logSize = async (): Promise<number> => {
  const checkpoint = await fetch(`${service.url}/log/checkpoint`);
  return checkpoint.ok ? Number((await checkpoint.text()).split('\n')[1]) : 0;
};
const audit = (of = home, ...more: string[]): Promise<Ran> =>
  svcHere(['audit', username, ...more], { home: of, env: { SVC_BASE_URL: proxy.url } });
const tiles = (): string[] => {
  const sent = Buffer.concat(proxy.sent.splice(0)).toString('latin1');
  return [...sent.matchAll(/^GET \/log\/tile\/(\S+)/gm)].map(([, path]) => path!);
};

beforeAll(async () => {
  dataDir = await newDataDir();
  service.url = `http://127.0.0.1:${await lastingPort()}`;
  await start(dataDir);
  expect(await run(['register'])).toMatchObject({ status: 0 });
  username = JSON.parse((await run(['whoami', '--json'])).out).user.username;
  await etch('It was here before the backup.');
  await running.stop();
  await changeLog(dataDir, (trees) => [
    ...trees,
    ...Array.from({ length: 300 }, (_, at) => inventedTree(at)),
  ]);
  await cp(dataDir, older, { recursive: true });
  await start(dataDir);
});
afterAll(() => running.stop());

test('an audit without the key of the log reads no log, and says so', async () => {
  const unpinned = freshHome();
  await svcHere(['trust', proxy.url], { home: unpinned });
  const without = freshHome();
  const pins = JSON.parse(readFileSync(join(unpinned, 'svc/trust.json'), 'utf8'));
  expect(pins[proxy.url].log_keys).toHaveLength(1);
  delete pins[proxy.url].log_keys;
  mkdirSync(join(without, 'svc'));
  writeFileSync(join(without, 'svc/trust.json'), JSON.stringify(pins));
  const ran = await ends(audit(without), 0);
  const note = `INFO  the log of trees was not audited, because you have not pinned its key: run svc trust ${proxy.url}\n`;
  expect(ran.out).toContain(note);
  expect((await audit(freshHome())).out).toContain(note);
  await ends(svcHere(['score', username], { home: without, env: { SVC_BASE_URL: proxy.url } }), 0, {
    without: 'log of trees',
  });
  expect(tiles()).toEqual([]);
  expect((await svcHere(['trust', proxy.url], { home: without })).out).toContain('log key');
  expect((await audit(without)).out).toContain('the log of trees: 1 of 1 attested tree in 301 entries');
});

test('reads only what is new in the log', async () => {
  tiles();
  expect(await svcHere(['trust', proxy.url], { home })).toMatchObject({ status: 0 });
  await ends(audit(), 0, {
    out: [
      'the log of trees: 1 of 1 attested tree in 301 entries',
      'logged trees that are not attested yet, within their promise: 300',
      'INFO  this is the first audit of the log',
    ],
  });
  expect(tiles()).toEqual(['entries/000', 'entries/001.p/45']);
  expect(await audit()).toMatchObject({ status: 0 });
  expect(tiles()).toEqual([]);
  await etch('It came after the backup.');
  await ends(audit(), 0, {
    out: [
      '2 of 2 attested trees in 302 entries',
      'INFO  the log continues the checkpoint of size 301 that an earlier audit kept',
    ],
  });
  expect(tiles()).toEqual(['entries/001.p/46']);
  const fresh = await audit(home, '--fresh', '--json');
  expect(JSON.parse(fresh.out)).toMatchObject({
    result: 'pass',
    log: { entries: 302, attested: 2, faults: [] },
  });
  expect(tiles()).toHaveLength(2);
});

test('reports a logged tree that is not attested within its promise, once', async () => {
  vi.setSystemTime(Date.now() + 4 * 86_400_000);
  try {
    await ends(audit(), 1, {
      out: [
        /FAIL {2}the log of trees: its entry 1, the tree [0-9a-f]{64}, was not attested within/,
        'FAIL  the log of trees: and 200 more like that',
      ],
      last: 'FAIL: the log of trees contradicts the chain or its own past.',
    });
    await ends(audit(), 0, {
      out: 'logged trees that were never attested, as an earlier audit reported: 300',
    });
  } finally {
    vi.useRealTimers();
  }
});

test('a monitor stays while the service is away, and ends when the log is shorter; then it is forked', async () => {
  let told = '';
  const monitor = svc(['audit', '--watch', '--every', '1'], {
    ...{ home, env: { SVC_BASE_URL: proxy.url } },
    onOut: (text) => (told += text),
    onErr: (text) => (told += text),
  });
  await eventually('a round', () =>
    /^\S+Z {2}PASS {2}2 of 2 attested trees in 302 entries; the log continues the checkpoint of size 302/m.test(
      told,
    ),
  );
  await running.stop();
  await eventually('it says so', () => /^\S+Z {2}WAIT {2}the service is away/m.test(told));
  await start(older);
  await ends(monitor, 1, { last: /Z {2}FAIL {2}it has 301 entries, and had 302: entries are missing$/ });
  expect((await audit()).out).toContain('FAIL  the log of trees: it has 301 entries, and had 302');

  await etch('Another history goes on from here.');
  const { log, result } = await jsonOf(audit(home, '--json'), 1);
  expect([result, log.faults]).toEqual([
    'fail',
    [expect.stringContaining('it is forked: its first 302 entries')],
  ]);
  expect(log.checkpoints).toHaveLength(2);
  const [kept, now] = log.checkpoints.map((note: string) => note.split('\n').slice(0, 3));
  expect(kept.slice(0, 2)).toEqual(now.slice(0, 2));
  expect(kept[2]).not.toBe(now[2]);
  await ends(svcHere(['audit', '--watch', '--json'], { home, env: { SVC_BASE_URL: proxy.url } }), 1, {
    out: /^{"time":"[^"]+","result":"fail","words":\["it is forked/,
  });
});

test('an attested tree that the log does not have is missing', async () => {
  await running.stop();
  await changeLog(older, (trees) => trees.slice(1));
  await start(older);
  const reader = freshHome();
  await svcHere(['trust', proxy.url], { home: reader });
  await eventually('it signs again', async () => (await logSize()) > 0);
  await ends(audit(reader), 1, {
    out: /FAIL {2}the log of trees: it does not have the tree [0-9a-f]{64}, which is attested/,
    last: 'FAIL: the log of trees contradicts the chain or its own past.',
  });
  tiles();
  expect(await audit(reader)).toMatchObject({ status: 1 });
  expect(tiles()).toEqual([]);
});

/** The audit passes although the checkpoint lacks two recent trees. */
async function readerOfRecentTrees(): Promise<string> {
  const reader = freshHome();
  await svcHere(['trust', proxy.url], { home: reader });
  await ends(audit(reader), 0, {
    out: 'attested trees of the last hour that its checkpoint does not have yet: 2',
  });
  return reader;
}

test('an attested tree that the checkpoint does not have yet is no fault for a day', async () => {
  await running.stop();
  await changeLog(older, (trees) => trees.filter(({ batchId }) => batchId === null));
  await start(older);
  await eventually('it signs again', async () => (await logSize()) === 300);
  const reader = await readerOfRecentTrees();
  try {
    vi.setSystemTime(Date.now() + 7_200_000);
    await ends(audit(reader), 2, {
      out: /WAIT {2}the log of trees: unproven: its checkpoint does not have the attested tree/,
    });
    vi.setSystemTime(Date.now() + 90_000_000);
    expect((await audit(reader)).status).toBe(1);
  } finally {
    vi.useRealTimers();
  }
});

test('a new service without a checkpoint passes for an hour', async () => {
  await running.stop();
  await changeLog(older, () => []);
  await start(older);
  expect(await logSize()).toBe(0);
  const reader = await readerOfRecentTrees();
  try {
    vi.setSystemTime(Date.now() + 7_200_000);
    await ends(audit(reader), 2, { out: 'the log of trees: unproven: the service has no checkpoint of it' });
  } finally {
    vi.useRealTimers();
  }
});

test('rejects a monitor without a pin, and a damaged state', async () => {
  const env = { SVC_BASE_URL: proxy.url };
  await ends(svcHere(['audit', '--watch'], { env }), 64, {
    err: 'no key of the log is pinned: run svc trust',
  });
  expect(await svcHere(['audit', '--watch', '--all'], { home, env })).toMatchObject({ status: 64 });
  const path = join(home, 'svc', `audit-127.0.0.1_${new URL(proxy.url).port}.json.log`);
  const text = readFileSync(path, 'utf8');
  for (const damaged of [text.replace('"late":[]', '"late":["x"]'), '{}', '[]', 'x']) {
    writeFileSync(path, damaged);
    expect(await audit(), damaged.slice(0, 40)).toMatchObject({ status: 64, out: '' });
  }
});
