import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import {
  checkTlogProof,
  encodeBase64,
  entryHash,
  foldHashes,
  isSignedBy,
  parseCheckpoint,
  parsePolicy,
  parseVerifierKey,
} from '@svc/protocol/tlog';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Json } from '../../../../../testing/json.ts';
import type { TestAgent } from '../../../../../testing/clients/agents.ts';
import { remember } from '../../../../../testing/database/older.ts';
import { indexKeeper, insertBatch } from '../../../../../testing/log/index-of-log.ts';
import { newFolder } from '../../../../../testing/machine/folder.ts';
import { useService } from '../../../../../testing/service/service.ts';
import { type LocalWitness, startLocalWitness } from '../../../../../testing/tlog-witness.ts';
import { createTreeLog } from '../../../src/proofs/log/tree-log.ts';
import { createLogPublisher } from '../../../src/proofs/log/witnessed-log.ts';
import { witnessHealth } from '../../../src/proofs/log/checkpoints.ts';
import { appendTrees, type LoggedTree, logSize } from '../../../src/proofs/log/entries.ts';

let [one, two] = [{} as LocalWitness, {} as LocalWitness];
const folder = newFolder('policy');
const service = useService(async () => {
  [one, two] = (await Promise.all(
    ['one', 'two'].map((name) => startLocalWitness(`${name}.example`, () => Date.now() / 1000)),
  )) as [LocalWitness, LocalWitness];
  writeFileSync(join(folder, 'policy'), policyText());
  return { chain: true, settings: { WITNESS_POLICY: join(folder, 'policy') } };
});
const policyText = (...logs: string[]) =>
  [
    ...logs.map((key) => `log ${key}`),
    `witness one ${one.key} ${one.server.url}`,
    `witness two ${two.key} ${two.server.url}`,
    'group both all one two',
    'quorum both',
    '',
  ].join('\n');
let author: TestAgent;
let keys: string[];
let origin: string;
let witnessed: string;
beforeAll(async () => {
  author = await service.registerAgent();
  const { body } = await service.get('/.well-known/svc.json');
  ({ keys, origin } = body.log);
  for (const witness of [one, two]) witness.watch(keys);
});
afterAll(() => Promise.all([one, two].map(({ server }) => server.stop())));

const get = async (path: string) => {
  const response = await fetch(`${service.baseUrl}/log/${path}`);
  const { status, headers } = response;
  return { status, headers, bytes: Buffer.from(await response.arrayBuffer()) };
};
const checkpoint = async () => parseCheckpoint((await get('checkpoint')).bytes.toString());
const publish = () => service.runTask('log of trees');
const check = async ({ id, hash, author }: Json, policy = policyText(keys[0]!)) =>
  checkTlogProof(
    (await get(`proof/${id}`)).bytes.toString(),
    { hash, userId: author.user_id, kind: 0 },
    parsePolicy(policy),
    service.clock.now() / 1000 + 60,
  );
/** An etch whose tree the log has. */
async function publishOne(): Promise<Json> {
  const etch = await service.etch(author);
  await service.anchor();
  await publish();
  return etch;
}
const cosigned = expect.objectContaining({ witnesses: ['one', 'two'] });

test('a staged tree is in a cosigned checkpoint before its attestation is final', async () => {
  expect((await get('checkpoint')).status).toBe(404);
  const etch = await service.etch(author);
  expect((await get(`proof/${etch.id}`)).status).toBe(404);
  await service.anchor();
  await publish();
  const found = await check(etch);
  witnessed = etch.id;
  expect(found).toEqual(cosigned);
  expect(found.time).toBeGreaterThan(1_700_000_000);
  const time = new Date(found.time! * 1_000).toISOString().slice(11, 19);
  for (const path of [`/e/${etch.id}`, `/e/${etch.id}/verify`]) {
    const { text } = await service.get(path, { headers: { accept: 'text/html' } });
    const seen = `2 witnesses had seen its tree by [^<]*${time} UTC, by their own clocks`;
    expect(text).toMatch(new RegExp(seen));
  }
  const { headers } = await get('tile/entries/000.p/1');
  expect(headers.get('cache-control')).toContain('immutable');
  expect((await get('checkpoint')).headers.get('cache-control')).toBe('no-cache');
});

test('serves tiles and entries that make the root of the checkpoint', async () => {
  await publishOne();
  const { size, root, origin: named } = await checkpoint();
  expect(named).toBe(origin);
  expect(isSignedBy(await checkpoint(), keys.map(parseVerifierKey))).toBe(true);
  const { bytes } = await get(`tile/0/000.p/${size}`);
  const hashes = Array.from({ length: size }, (_, at) => bytes.subarray(32 * at, 32 * at + 32));
  expect(Buffer.from(foldHashes(hashes))).toEqual(Buffer.from(root));
  const entries = (await get(`tile/entries/000.p/${size}`)).bytes;
  expect(entries.length).toBe(size * 130);
  for (const [at, hash] of hashes.entries())
    expect(Buffer.from(entryHash(entries.subarray(130 * at + 2, 130 * at + 130)))).toEqual(hash);
  for (const path of `0/000.p/${size + 1} 0/000 1/000 8/000.p/1 0/0 x`.split(' '))
    expect((await get(`tile/${path}`)).status).toBe(404);
});

const health = () =>
  witnessHealth(service.db, { origin, policy: service.config.witnessPolicy, now: service.clock.now() });
const logged: string[] = [];
const publisher = (policy = service.config.witnessPolicy) =>
  createLogPublisher({
    db: service.db,
    index: indexKeeper(service.db, { folder: dirname(service.config.erasureLedger), origin }),
    treeLog: createTreeLog(service.keyring, service.baseUrl),
    now: () => service.clock.now(),
    policy,
    ledgers: newFolder('ledgers'),
    log: { warn: () => undefined, error: (_, message) => void logged.push(message) },
  });

test('rebuilds the log of a restored database from the chain, and the witnesses cosign it again', async () => {
  const goBack = await remember(service.db);
  for (let trees = 0; trees < 2; trees++) await publishOne();
  const last = await checkpoint();
  await goBack();
  await publisher()();
  expect(logged.at(-1)).toContain('shorter than a witness saw it');
  expect((await health())[0]!.fault).toBe(
    `it has seen ${last.size} entries of this log, and this log has ${last.size - 4}`,
  );
  expect((await checkpoint()).size).toBe(last.size - 4);
  await service.anchor();
  await publisher()();
  expect(await checkpoint()).toMatchObject({ size: last.size, root: last.root });
  expect(await check(await publishOne())).toEqual(cosigned);
});

test('a witness that is away delays nothing, and gets the checkpoint when it is back', async () => {
  two.mood = 'away';
  const etch = await publishOne();
  expect(await check(etch)).toMatchObject({ time: null, witnesses: ['one'] });
  service.clock.advance(3_700_000);
  const well = { name: 'one', behindSeconds: 0, fault: null };
  const [first, second] = await health();
  expect(first).toEqual(well);
  expect(second).toMatchObject({ name: 'two', fault: expect.stringContaining('cannot be reached') });
  expect(second!.behindSeconds).toBeGreaterThan(3_600);
  const either = policyText(keys[0]!).replace('quorum both', 'quorum one');
  expect(await check(etch, either)).toMatchObject({ witnesses: ['one'] });
  two.mood = 'well';
  await publish();
  expect(await check(etch)).toEqual(cosigned);
  expect(await health()).toEqual([well, { ...well, name: 'two' }]);
});

const appendInvented = (from: number, to: number) =>
  service.db.tx(async (tx) => {
    const trees: LoggedTree[] = [];
    for (let at = from; at < to; at++) {
      const [root, treeSize] = [Buffer.alloc(32, at), 1 + at];
      const batchId = await insertBatch(tx, root, treeSize);
      trees.push({ root, kind: 0, treeVersion: 2, treeSize, batchId });
    }
    await appendTrees(tx, trees);
  });

test('fills higher tiles as the log grows', async () => {
  const from = await logSize(service.db);
  await appendInvented(0, 300);
  await appendInvented(300, 600);
  await publish();
  const { size, root } = await checkpoint();
  expect(size).toBe(from + 600);
  const whole = Math.floor(size / 256);
  const { bytes: high } = await get(`tile/1/000.p/${whole}`);
  const { bytes: first } = await get('tile/0/000');
  const low = Array.from({ length: 256 }, (_, at) => first.subarray(32 * at, 32 * at + 32));
  expect(high.subarray(0, 32)).toEqual(Buffer.from(foldHashes(low)));
  expect(root.length).toBe(32);
});

/** Debian's `golang-golang-x-mod-dev`, which `golang` does not install. */
const HAS_GO =
  existsSync('/usr/share/gocode/src/golang.org/x/mod/sumdb') && spawnSync('go', ['version']).status === 0;
if (HAS_GO)
  test('Go’s sumdb/tlog and note verify the log, its cosignatures and its growth', async () => {
    const project = newFolder('go');
    await growBy(5);
    const [earlier, proof, forged] = ['earlier', 'proof', 'forged'].map((name) => join(project, name));
    writeFileSync(earlier!, (await get('checkpoint')).bytes);
    writeFileSync(proof!, (await get(`proof/${witnessed}`)).bytes);
    const old = await checkpoint();
    await growBy(300);
    const { size } = await checkpoint();
    expect(size).toBeGreaterThan(old.size);

    const program = join(project, 'verify-log');
    const source = join(import.meta.dirname, 'verify-log.go');
    const go = { GO111MODULE: 'off', GOPATH: '/usr/share/gocode', GOCACHE: newFolder('go-cache') };
    const env = { ...process.env, ...go };
    const built = spawnSync('go', ['build', '-o', program, source], { encoding: 'utf8', env });
    expect(built.status, built.stderr).toBe(0);
    const log = `${service.baseUrl}/log`;
    const verify = async (checkpointFile: string) => {
      const child = spawn(program, [log, checkpointFile, proof!, keys[0]!, one.key, two.key]);
      const ended = once(child, 'close');
      const said = await text(child.stdout);
      return { status: ((await ended) as [number])[0], said };
    };
    expect(await verify(earlier!)).toEqual({
      status: 0,
      said: expect.stringContaining(
        `verified ${size} entries, 3 signatures, growth from ${old.size}, inclusion of`,
      ),
    });
    const note = readFileSync(earlier!, 'utf8');
    const cosignature = parseCheckpoint(note).signatures.find(({ name }) => name === 'two.example')!;
    const { name, keyId, signature } = cosignature;
    signature[7]! ^= 1;
    const changed = encodeBase64(Buffer.concat([Buffer.from(keyId, 'hex'), signature]));
    writeFileSync(forged!, note.replace(cosignature.line, `— ${name} ${changed}`));
    expect(await verify(forged!)).toEqual({
      status: 1,
      said: expect.stringContaining('invalid signature for key two.example'),
    });
  });

/** A witness that failed before gets a pause. */
async function growBy(count: number): Promise<void> {
  await appendInvented(0, count);
  service.clock.advance(3_700_000);
  await publish();
  expect((await checkpoint()).signatures).toHaveLength(3);
}
