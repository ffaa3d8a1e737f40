import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { encodeBase64, proveConsistency } from '@svc/protocol/tlog';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ends } from '../../../testing/clients/ends.ts';
import { makeLog } from '../../../testing/log/made-log.ts';
import { useServer } from '../../../testing/machine/server.ts';
import { makeTestWitness, type TestWitness } from '../../../testing/system/witness.ts';
import { eventually } from '../../../testing/wait.ts';
import { originHash } from '../src/witness/witness-folder.ts';
import { svcHere } from './support/svc-here.ts';

const ORIGIN = 'svc.example/log';
const ADA = '00000000-0000-4000-8000-000000000000';
let log = makeLog(ORIGIN);
let isAway = false;
/** null: the service answers at once */
let waiting: (() => void)[] | null = null;
const service = useServer((request, response) => {
  if (isAway) return response.destroy();
  const answer = () => {
    const bytes = log.answer(request.url!.replace('/log/', ''));
    response.writeHead(bytes === null ? 404 : 200).end(bytes ?? '');
  };
  if (waiting === null) answer();
  else waiting.push(answer);
});

let witness: TestWitness;
beforeEach(async () => {
  [log, isAway, waiting] = [makeLog(ORIGIN), false, null];
  log.addTree(ADA, 'aa', 'bb');
  log.addIndex();
  witness = await makeTestWitness('witness.example/w');
  witness.watch(log.vkey, `${service.url}/log`);
});
afterEach(() => witness.stop('SIGKILL'));

async function post(old: number) {
  const size = log.entries.length;
  const proof = await proveConsistency(old, size, log.read);
  const body = `old ${old}\n${proof.map((hash) => `${encodeBase64(hash)}\n`).join('')}\n${await log.note()}`;
  const answer = await fetch(`${witness.url}/add-checkpoint`, { method: 'POST', body });
  return { status: answer.status, text: await answer.text() };
}
const leavesRead = () => log.asked.filter((path) => path.startsWith('leaves/'));
const mapPath = () => join(witness.folder, `index-${originHash(ORIGIN)}`);

test('cosigns a right index, refuses a wrong one by name, and continues from its map after a restart', async () => {
  await witness.start('--check-index');
  expect(await post(0)).toMatchObject({ status: 200 });
  expect(leavesRead()).toEqual(['leaves/0']);
  await witness.stop();
  expect(readdirSync(witness.folder)).toContain(`index-${originHash(ORIGIN)}`);
  log.asked = [];
  log.addTree(ADA, 'cc');
  log.addIndex();
  await witness.start('--check-index');
  expect(await post(2)).toMatchObject({ status: 200 });
  expect(leavesRead()).toEqual(['leaves/2']);
  log.addIndex(log.entries.length, new Uint8Array(32));
  const refused = await post(4);
  expect(refused.status).toBe(422);
  expect(refused.text).toContain('the index of accounts is wrong: its index entry 4 has the root 000000');
  await eventually('it says so', () => witness.said().includes(`not cosigned: ${ORIGIN}, size 5`));
});

test('cosigns nothing while the log cannot be read, and catches up afterwards', async () => {
  await witness.start('--check-index');
  isAway = true;
  const refused = await post(0);
  expect(refused.status).toBe(503);
  expect(refused.text).toContain('the index of accounts cannot be recomputed now: the service is away');
  isAway = false;
  expect(await post(0)).toMatchObject({ status: 200 });
});

test('reports a map that cannot be written, and cosigns', async () => {
  mkdirSync(mapPath());
  await witness.start('--check-index');
  expect(await post(0)).toMatchObject({ status: 200 });
  await witness.stop();
  expect(witness.said()).toContain(`${mapPath()} cannot be written (EISDIR)`);
});

test('cosigns nothing that it cannot store, and names the file', async () => {
  await witness.start('--check-index');
  const path = join(witness.folder, 'state.json');
  const before = readFileSync(path);
  rmSync(path);
  mkdirSync(join(path, 'folder'), { recursive: true });
  const cosigned = `${witness.url}/${originHash(ORIGIN)}/checkpoint`;
  expect(await post(0)).toEqual({ status: 500, text: 'the witness cannot store its state\n' });
  await eventually('it says so', () => witness.said().includes(`not cosigned: ${path} cannot be written (E`));
  expect((await fetch(cosigned)).status).toBe(404);
  rmSync(path, { recursive: true });
  writeFileSync(path, before);
  expect(await post(0)).toMatchObject({ status: 200 });
  expect((await fetch(cosigned)).status).toBe(200);
});

test('says that it is recomputing the index, and cosigns afterwards', async () => {
  await witness.start('--check-index');
  const held: (() => void)[] = (waiting = []);
  expect(await post(0)).toEqual({ status: 503, text: `the witness is recomputing the index of ${ORIGIN}\n` });
  waiting = null;
  for (const answer of held) answer();
  expect(await post(0)).toMatchObject({ status: 200 });
});

/** A log with the same tree, and a wrong root in its index entry 1. */
function forkLog() {
  log = makeLog(ORIGIN);
  log.addTree(ADA, 'aa', 'bb');
  log.addIndex(1, new Uint8Array(32));
}
const FORKED = {
  status: 422,
  text: 'the index of accounts is wrong: it is forked: its first 2 entries are not those whose index was recomputed\n',
};

test('refuses a fork with a wrong index entry in place of a right one of a refused checkpoint', async () => {
  await witness.start('--check-index');
  log.addIndex(1, new Uint8Array(32));
  expect(await post(0)).toMatchObject({ status: 422 });
  forkLog();
  expect(await post(0)).toEqual(FORKED);
  await witness.stop();
  await witness.start('--check-index');
  expect(await post(0)).toEqual(FORKED);
});

test('refuses a fork with a wrong index entry in place of a right one of a checkpoint answered late', async () => {
  await witness.start('--check-index');
  const held: (() => void)[] = (waiting = []);
  expect(await post(0)).toMatchObject({ status: 503 });
  waiting = null;
  for (const answer of held) answer();
  await eventually('the leaves are read', () => leavesRead().length > 0);
  forkLog();
  expect(await post(0)).toEqual(FORKED);
});

test('requires the URL of each log', async () => {
  const other = await makeTestWitness('other.example/w');
  other.watch(log.vkey);
  await ends(svcHere(['witness', 'run', other.folder, '--check-index']), 64, {
    err: `write its URL behind its key in ${other.folder}/logs`,
  });
});
