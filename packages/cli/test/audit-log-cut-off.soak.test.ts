import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshHome, svc } from '../../../testing/clients/svc.ts';
import { newDataDir } from '../../../testing/database/embedded.ts';
import { lastingPort } from '../../../testing/machine/free-port.ts';
import { type LocalServer, startServer } from '../../../testing/machine/server.ts';
import { changeLog, inventedTree } from '../../../testing/system/changed-log.ts';
import type { ServiceProcess } from '../../../testing/system/service-process.ts';
import { startForTests } from '../../../testing/system/start-for-tests.ts';
import { eventually } from '../../../testing/wait.ts';
import { svcHere } from './support/svc-here.ts';
import { ends } from '../../../testing/clients/ends.ts';

const ENTRIES = 6_000;
const home = freshHome();
const others = freshHome();
let dataDir: string;
let running: ServiceProcess;
let proxy: LocalServer;
let url: string;
let username: string;
let tiles: string[] = [];
let held: string | null = null;

const start = async () => {
  running = await startForTests(dataDir, { PORT: new URL(url).port });
};
const log = (first: number) => (trees: Parameters<Parameters<typeof changeLog>[1]>[0]) => [
  ...trees.filter(({ batchId }) => batchId !== null),
  ...Array.from({ length: ENTRIES }, (_, at) => inventedTree(first + at)),
];
const options = (of: string) => ({ home: of, env: { SVC_BASE_URL: proxy.url } });
const audit = (of: string) => svcHere(['audit', username], options(of));

/** Kills at the tile after the first kept state. */
async function killAudit(of: string): Promise<void> {
  expect(await svcHere(['trust', proxy.url], options(of))).toMatchObject({ status: 0 });
  held = 'entries/020';
  tiles = [];
  const stop = new AbortController();
  const killed = svc(['audit', username], { ...options(of), signal: stop.signal });
  await eventually('it waits for the tile', () => tiles.includes(held!));
  stop.abort();
  expect(await killed).toMatchObject({ status: null });
  expect(existsSync(join(of, 'svc', `audit-127.0.0.1_${proxy.port}.json.log`))).toBe(true);
  held = null;
  tiles = [];
}

beforeAll(async () => {
  dataDir = await newDataDir();
  url = `http://127.0.0.1:${await lastingPort()}`;
  await start();
  const author = { home: freshHome(), env: { SVC_BASE_URL: url } };
  expect(await svcHere(['register'], author)).toMatchObject({ status: 0 });
  username = JSON.parse((await svcHere(['whoami', '--json'], author)).out).user.username;
  await ends(svcHere(['etch', 'The first tree.', '--description', 'Text', '--wait'], author), 0);
  await running.stop();
  await changeLog(dataDir, log(0));
  await start();
  proxy = await startServer((request, response) => {
    const [, tile] = /^\/log\/tile\/(.+)$/.exec(request.url!) ?? [];
    if (tile !== undefined) tiles.push(tile);
    if (tile !== undefined && tile === held) return;
    void (async () => {
      const body: Buffer[] = [];
      for await (const bytes of request as AsyncIterable<Buffer>) body.push(bytes);
      const { method = 'GET' } = request;
      const type = request.headers['content-type'];
      const answer = await fetch(url + request.url!, {
        ...{ method, headers: type === undefined ? {} : { 'content-type': type } },
        ...(method === 'GET' ? {} : { body: Buffer.concat(body) }),
      });
      response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
      response.end(Buffer.from(await answer.arrayBuffer()));
    })().catch(() => response.destroy());
  });
});
afterAll(async () => {
  await proxy.stop();
  await running.stop();
});

test('the next audit reads from the kept entries on, and compares all of them', async () => {
  await killAudit(home);
  await ends(audit(home), 0, {
    out: [
      'the log of trees: 1 of 1 attested tree in 6,001 entries',
      `logged trees that are not attested yet, within their promise: ${ENTRIES}`,
    ],
  });
  expect(tiles[0]).toBe('entries/016');
  tiles = [];
  expect(await audit(home)).toMatchObject({ status: 0 });
  expect(tiles).toEqual([]);
});

test('a different log than the one whose reading was cut off is a fork', async () => {
  await killAudit(others);
  await running.stop();
  await changeLog(dataDir, log(1));
  await start();
  await ends(audit(others), 1, {
    out: 'FAIL  the log of trees: it is forked: its first 6001 entries do not make the checkpoint that an earlier audit kept',
  });
});
