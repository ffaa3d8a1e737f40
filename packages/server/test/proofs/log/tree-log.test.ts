import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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
import sql from 'sql-template-tag';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestAgent } from '../../../../../testing/clients/agents.ts';
import { remember } from '../../../../../testing/database/older.ts';
import { newFolder } from '../../../../../testing/machine/folder.ts';
import { useService } from '../../../../../testing/service/service.ts';
import { makeTestWitness, type TestWitness } from '../../../../../testing/system/witness.ts';
import { createTreeLog } from '../../../src/proofs/log/tree-log.ts';
import { createLogPublisher } from '../../../src/proofs/log/witnessed-log.ts';
import { witnessHealth } from '../../../src/proofs/log/checkpoints.ts';
import { appendTrees, logSize } from '../../../src/proofs/log/entries.ts';

let one: TestWitness;
let two: TestWitness;
const folder = newFolder('policy');
const service = useService(async () => {
  [one, two] = await Promise.all([makeTestWitness('one.example'), makeTestWitness('two.example')]);
  await Promise.all([one.start(), two.start()]);
  writeFileSync(join(folder, 'policy'), policyText());
  return { chain: true, settings: { WITNESS_POLICY: join(folder, 'policy') } };
});
const policyText = (...logs: string[]) =>
  [
    ...logs.map((key) => `log ${key}`),
    `witness one ${one.key} ${one.url}`,
    `witness two ${two.key} ${two.url}`,
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
  // A witness reads its list of logs when it starts.
  for (const witness of [one, two]) {
    await witness.stop();
    witness.watch(keys[0]!);
    await witness.start();
  }
});
afterAll(() => Promise.all([one, two].map((witness) => witness.stop('SIGKILL'))));

const get = async (path: string) => {
  const response = await fetch(`${service.baseUrl}/log/${path}`);
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, bytes };
};
const checkpoint = async () => parseCheckpoint((await get('checkpoint')).bytes.toString());
const publish = () => service.runTask('log of trees');
const seconds = () => service.clock.now() / 1000 + 60;
const check = async (
  etch: { id: string; hash: string; author: { user_id: string } },
  policy = policyText(keys[0]!),
) =>
  checkTlogProof(
    (await get(`proof/${etch.id}`)).bytes.toString(),
    { hash: etch.hash, userId: etch.author.user_id, kind: 0 },
    parsePolicy(policy),
    seconds(),
  );

test('a staged tree is in a cosigned checkpoint before its attestation is final', async () => {
  expect((await get('checkpoint')).status).toBe(404);
  const etch = await service.etch(author);
  expect((await get(`proof/${etch.id}`)).status).toBe(404);
  await service.anchor();
  await publish();
  const found = await check(etch as never);
  witnessed = etch.id;
  expect(found.witnesses.toSorted()).toEqual(['one', 'two']);
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
  await service.etch(author);
  await service.anchor();
  await publish();
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
    treeLog: createTreeLog(service.keyring, service.baseUrl),
    now: () => service.clock.now(),
    policy,
    ledgers: newFolder('ledgers'),
    log: { warn: () => undefined, error: (_, message) => void logged.push(message) },
  });

test('rebuilds the log of a restored database from the chain, and the witnesses cosign it again', async () => {
  const goBack = await remember(service.db);
  for (let trees = 0; trees < 2; trees++) {
    await service.etch(author);
    await service.anchor();
    await publish();
  }
  const last = await checkpoint();
  await goBack();
  await publisher()();
  expect(logged.at(-1)).toContain('shorter than a witness saw it');
  expect((await health())[0]!.fault).toBe(
    `it has seen ${last.size} trees of this log, and this log has ${last.size - 2}`,
  );
  expect((await checkpoint()).size).toBe(last.size - 2);
  await service.anchor();
  await publisher()();
  expect(await checkpoint()).toMatchObject({ size: last.size, root: last.root });
  const etch = await service.etch(author);
  await service.anchor();
  await publish();
  expect((await check(etch as never)).witnesses.toSorted()).toEqual(['one', 'two']);
});

test('a witness that is away delays nothing, and gets the checkpoint when it is back', async () => {
  await two.stop();
  const etch = await service.etch(author);
  await service.anchor();
  await publish();
  expect(await check(etch as never)).toMatchObject({ time: null, witnesses: ['one'] });
  service.clock.advance(3_700_000);
  const well = { name: 'one', behindSeconds: 0, fault: null };
  const [first, second] = await health();
  expect(first).toEqual(well);
  expect(second).toMatchObject({ name: 'two', fault: expect.stringContaining('cannot be reached') });
  expect(second!.behindSeconds).toBeGreaterThan(3_600);
  expect(await check(etch as never, policyText(keys[0]!).replace('quorum both', 'quorum one'))).toMatchObject(
    { witnesses: ['one'] },
  );
  await two.start();
  await publish();
  expect((await check(etch as never)).witnesses.toSorted()).toEqual(['one', 'two']);
  expect(await health()).toEqual([well, { ...well, name: 'two' }]);
});

test('signs nothing while the database has a shorter or different history than a witness saw', async () => {
  const size = await logSize(service.db);
  const last = await checkpoint();
  // The database is as after a restore of a backup from before the last tree.
  const [taken] = await service.db.query<{ data: Buffer; batch_id: number }>(sql`
    delete from log_entry where index = ${size - 1} returning data, batch_id`);
  await service.db.query(sql`delete from log_hash where level = 0 and index = ${size - 1}`);
  await service.db.query(sql`delete from log_cosignature where size = ${size}`);
  await service.db.query(sql`delete from log_checkpoint where size = ${size}`);
  await publisher()();
  expect(logged.at(-1)).toContain('shorter than a witness saw it');
  expect((await checkpoint()).size).toBeLessThan(size);
  // A different tree in its place is a fork.
  await service.db.tx((tx) =>
    appendTrees(tx, [
      { batchId: taken!.batch_id, root: new Uint8Array(32), kind: 0, treeVersion: 2, treeSize: 1 },
    ]),
  );
  await publisher()();
  expect(logged.at(-1)).toContain('differs from what a witness saw');
  expect((await health())[0]!.fault).toBe('it has seen a different history of this log');
  // The chain returned the tree itself.
  await service.db.query(sql`update log_entry set data = ${taken!.data} where index = ${size - 1}`);
  await service.db.query(
    sql`update log_hash set hash = ${Buffer.from(entryHash(taken!.data))} where level = 0 and index = ${size - 1}`,
  );
  await publisher()();
  expect(await checkpoint()).toMatchObject({ size, root: last.root });
});

const inventedTrees = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    root: Buffer.alloc(32, at),
    ...({ kind: 0, treeVersion: 2, treeSize: 1 + at } as const),
    batchId: null as unknown as number,
  }));

test('fills higher tiles as the log grows', async () => {
  const from = await logSize(service.db);
  const trees = inventedTrees(600);
  await service.db.tx((tx) => appendTrees(tx, trees.slice(0, 300)));
  await service.db.tx((tx) => appendTrees(tx, trees.slice(300)));
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

const GO = spawnSync('go', ['version']).status === 0;
if (GO)
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
  await service.db.tx((tx) => appendTrees(tx, inventedTrees(count)));
  service.clock.advance(3_700_000);
  await publish();
  expect((await checkpoint()).signatures).toHaveLength(3);
}
