import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { parseCheckpoint } from '@svc/protocol/tlog';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { sharedBrowser } from '../testing/browser/browser.ts';
import { ends } from '../testing/clients/ends.ts';
import { freshHome, svc } from '../testing/clients/svc.ts';
import { hideEtch } from '../testing/log/hide-etch.ts';
import { newFolder } from '../testing/machine/folder.ts';
import { lastingPort } from '../testing/machine/free-port.ts';
import { startServer } from '../testing/machine/server.ts';
import { AT_FULL_COUNT } from '../testing/rounds.ts';
import { newAuthor } from '../testing/system/author.ts';
import { makeTestWitness, type TestWitness } from '../testing/system/witness.ts';
import { embeddedWorld, useGround } from '../testing/system/world.ts';
import { eventually, PATIENCE_MS } from '../testing/wait.ts';

// The operator edits the database of a real service. A cache in front of it still has the leaves of every tree.
const ground = useGround({ postgres: false, chain: false });
let url: string;
let witness: TestWitness;
let policy: string;
let page: Page;
let username: string;
let hidden: { id: string; hash: string };
const home = freshHome();
const folder = newFolder('reader');
const receipt = join(folder, 'receipt.json');
const run = (...args: string[]) => svc(args, { home, env: { SVC_BASE_URL: url } });
const audit = (...more: string[]) => run('audit', username, '--index', ...more);
const COMPLETE = "WAIT: complete by the operator's index; nobody whom you named has recomputed it.";

async function startCache(target: () => string): Promise<string> {
  const kept = new Map<string, { type: string; bytes: Buffer }>();
  const port = await lastingPort();
  const cache = await startServer((request, response) => {
    void (async () => {
      const { method, url: path = '', headers } = request;
      const isTree = /^\/(?:log\/leaves|api\/v1\/batches)\/\w+/.test(path);
      const key = `${path} ${headers.accept}`;
      let answer = kept.get(key);
      if (answer === undefined) {
        const body = await buffer(request);
        const { host: _, connection: __, 'content-length': ___, ...rest } = headers;
        const found = await fetch(target() + path, {
          method: method!,
          headers: rest as Record<string, string>,
          ...(body.length > 0 && { body }),
        });
        answer = {
          type: found.headers.get('content-type') ?? '',
          bytes: Buffer.from(await found.arrayBuffer()),
        };
        response.statusCode = found.status;
        if (isTree && found.ok) kept.set(key, answer);
      }
      response.setHeader('content-type', answer.type);
      response.end(answer.bytes);
    })().catch(() => response.destroy());
  }, port);
  ground.keep(cache);
  return cache.url;
}

async function checkpoint() {
  const answer = await fetch(`${url}/log/checkpoint`);
  return answer.ok ? parseCheckpoint(await answer.text()) : { size: 0, signatures: [] };
}

async function checkOnPage(): Promise<string> {
  await page.goto(`${url}/u/${username}`);
  await page.getByRole('button', { name: 'Check that nothing is left out' }).click();
  const verdict = page.locator('[data-verdict]');
  await verdict.waitFor();
  return `${await verdict.getAttribute('data-verdict')}: ${await verdict.textContent()}`;
}

beforeAll(async () => {
  let service = '';
  url = await startCache(() => service);
  const world = ground.keep(await embeddedWorld({ BASE_URL: url }));
  service = world.url;
  await world.start();
  witness = await makeTestWitness('witness.example/w');
  ground.keep({ stop: () => witness.stop('SIGKILL') });
  const { log } = await (await fetch(`${url}/.well-known/svc.json`)).json();
  witness.watch(log.keys[0], `${url}/log`);
  await witness.start('--check-index');
  const lines = `witness checker ${witness.key} ${witness.url}\n`;
  const settings = { WITNESS_POLICY: join(folder, 'service') };
  writeFileSync(settings.WITNESS_POLICY, `${lines}quorum none\n`);
  policy = join(folder, 'policy');
  writeFileSync(policy, `log ${log.keys[0]}\n${lines}quorum checker\n`);
  await world.service.stop();
  await world.start(settings);

  const [author, other] = [await newAuthor(world), await newAuthor(world)];
  const made = await Promise.all([author.etch({ content: 'It rained.' }), other.etch(), author.etch()]);
  const [etch] = await author.anchored(...made.map(({ id }) => id));
  ({ username } = etch.author);
  hidden = etch;
  await eventually('the witness cosigned the whole log', async () => {
    const { size, signatures } = await checkpoint();
    return size >= 2 && signatures.length === 2;
  });
  await ends(run('trust', url), 0);
  await ends(run('receipt', hidden.id, '--out', receipt), 0);
  await ends(audit(), 2, { out: '2 of 2 attested etches', last: COMPLETE });
  await ends(audit('--policy', policy, '--index-witness', 'checker'), 0, {
    last: /^PASS: the record has every etch of the log/,
  });
  await ends(run('audit', '--all'), 0);
  await ends(run('verify', receipt, '--against-index'), 0, { out: /Etch [12] of 2 of its author/ });
  if (AT_FULL_COUNT) {
    page = await (await sharedBrowser()).newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    ground.keep({ stop: () => page.close() });
    expect(await checkOnPage()).toMatch(/^operator: /);
  }

  const { size } = await checkpoint();
  await world.service.stop();
  await world.withDb((db) => hideEtch(db, hidden.id));
  await world.start(settings);
  await author.anchored((await author.etch({ content: 'Nobody will notice.' })).id);
  await eventually('the service signed the false index', async () => (await checkpoint()).size > size + 2);
});

describe('an operator who removes an etch from record and index', () => {
  test('deceives only a reader who kept nothing and names no witness', async () => {
    const stranger = { home: freshHome(), env: { SVC_BASE_URL: url } };
    await ends(svc(['trust', url], stranger), 0);
    await ends(svc(['audit', username, '--index'], stranger), 2, { out: '2 of 2', last: COMPLETE });
    const named = ['--policy', policy, '--index-witness', 'checker'];
    await ends(svc(['audit', username, '--index', ...named], stranger), 2, {
      out: 'checker recomputes the index and has not cosigned the checkpoint',
    });
  });

  test('is caught by a reader who kept the last audit', async () => {
    await ends(audit(), 1, {
      out: 'FAIL  the index of accounts: the first 2 entries are not those of an earlier reading',
    });
  });

  test('is caught by a witness that recomputes the index', () =>
    eventually('it names the entry', () =>
      /not cosigned: .*, size \d+: the index|not cosigned: .*: its index entry \d+ has the root/.test(
        witness.said(),
      ),
    ));

  test('is caught by an audit of all leaves', async () => {
    await ends(run('audit', '--all'), 1, {
      out: /its index entry \d+ has the root [0-9a-f]{64}, and the leaves of the trees before it make [0-9a-f]{64}/,
    });
  });

  test('is convicted by one old receipt', async () => {
    const here = process.cwd();
    process.chdir(folder);
    const verified = run('verify', receipt, '--against-index');
    process.chdir(here);
    await ends(verified, 1, { out: 'FAIL  The index of accounts: omitted' });
    const file = join(folder, `svc-omission-${hidden.hash.slice(0, 12)}.json`);
    expect(JSON.parse(readFileSync(file, 'utf8'))._format).toBe('svc-omission:v1');
    await ends(svc(['verify', file, '--policy', policy, '--offline'], { network: false }), 0, {
      last: 'PASS: the omission is proven: the key of the log signed an index that leaves out the etch.',
    });
  });

  test.runIf(AT_FULL_COUNT)('is caught by a browser that checked the page before', async () => {
    expect(await checkOnPage()).toMatch(/^fail: .*are not those of an earlier reading/s);
  });
});
