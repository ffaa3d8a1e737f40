import { randomBytes } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import { ed25519 } from '@noble/curves/ed25519.js';
import {
  cosignedText,
  isSignedBy,
  parseCheckpoint,
  parsePolicy,
  parseVerifierKey,
  signatureLine,
  verifierKey,
  withTime,
  WITNESS_KEY,
  writeVerifierKey,
} from '@svc/protocol/tlog';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { useDatabase } from '../../../../../testing/database/test-database.ts';
import { indexKeeper, insertBatch } from '../../../../../testing/log/index-of-log.ts';
import { newFolder } from '../../../../../testing/machine/folder.ts';
import { type LocalServer, startServer } from '../../../../../testing/machine/server.ts';
import { startLocalWitness } from '../../../../../testing/tlog-witness.ts';
import { createKeyring } from '../../../src/platform/secrets/keyring.ts';
import { latestCheckpoint, witnessHealth } from '../../../src/proofs/log/checkpoints.ts';
import { appendTrees, logSize } from '../../../src/proofs/log/entries.ts';
import { createTreeLog } from '../../../src/proofs/log/tree-log.ts';
import { createLogPublisher } from '../../../src/proofs/log/witnessed-log.ts';

// One witness answers falsely, next to an honest one. The log stores nothing wrong and continues.
const NOW = 1_800_000_000;
const seconds = () => Math.floor(clock / 1000);
const signer = (name: string) => {
  const secret = randomBytes(32);
  const publicKey = ed25519.getPublicKey(secret);
  return {
    text: writeVerifierKey(name, WITNESS_KEY, publicKey),
    cosign: (text: string, time = seconds(), as = name) =>
      `${signatureLine(
        verifierKey(as, WITNESS_KEY, publicKey),
        withTime(time, ed25519.sign(Buffer.from(cosignedText(text, time)), secret)),
      )}\n`,
  };
};
const [bad, good, stranger] = [signer('bad.example'), signer('good.example'), signer('bad.example')];

type Wrong = (
  text: string,
) => { status?: number; body?: string | Buffer; headers?: Record<string, string> } | null;
let wrong: Wrong | undefined;
const witnessOf =
  (key: typeof bad, lie: () => Wrong | undefined): RequestListener =>
  (request, response) => {
    if (request.method === 'GET') return void response.writeHead(404).end();
    void text(request).then((sent) => {
      const checkpoint = parseCheckpoint(sent.slice(sent.indexOf('\n\n') + 2));
      const answer = lie() === undefined ? {} : lie()!(checkpoint.text);
      if (answer === null) return;
      const { status = 200, body = key.cosign(checkpoint.text), headers } = answer;
      response.writeHead(status, headers).end(body);
    });
  };

let servers: LocalServer[];
const db = useDatabase();
let treeLog = createTreeLog(createKeyring([randomBytes(32)]), 'https://etch.example');
let clock = NOW * 1000;
beforeAll(async () => {
  servers = [
    await startServer(witnessOf(bad, () => wrong)),
    await startServer(witnessOf(good, () => undefined)),
  ];
});
afterAll(() => Promise.all(servers.map((server) => server.stop())));
beforeEach(() => void (wrong = undefined));

const policy = () =>
  parsePolicy(
    [
      `witness bad ${bad.text} ${servers[0]!.url}`,
      `witness good ${good.text} ${servers[1]!.url}`,
      'group both all bad good',
      'quorum both\n',
    ].join('\n'),
  );
const silent = { warn: () => undefined, error: () => undefined };
const publisher = (of = policy(), timeoutMs = 60_000) =>
  createLogPublisher({
    db,
    treeLog,
    index: indexKeeper(db),
    now: () => clock,
    policy: of,
    log: silent,
    timeoutMs,
    ledgers: newFolder('ledgers'),
  });
const grow = async () => {
  const size = await logSize(db);
  const tree = { root: Buffer.alloc(32, size % 256), kind: 0, treeVersion: 2, treeSize: 1 + size } as const;
  await db.tx(async (tx) =>
    appendTrees(tx, [{ ...tree, batchId: await insertBatch(tx, tree.root, tree.treeSize) }]),
  );
};
const faults = async () => {
  const all = await witnessHealth(db, { origin: treeLog.origin, policy: policy(), now: clock });
  return all.map(({ fault }) => fault);
};
const names = (note: string) =>
  parseCheckpoint(note)
    .signatures.map(({ name }) => name)
    .toSorted();

test('signs nothing after a start until a quorum of witnesses has answered', async () => {
  await grow();
  const { witnesses, ...rest } = policy();
  const half = { ...rest, witnesses: [{ ...witnesses[0]!, url: 'http://127.0.0.1:9' }, witnesses[1]!] };
  await publisher(half)();
  expect(await latestCheckpoint(db, treeLog.origin)).toBeNull();
  await publisher({ ...half, quorum: 'good' })();
  expect(await latestCheckpoint(db, treeLog.origin)).toMatchObject({ size: 1, quorum: true });
});

const later = (text: string, size: number) => text.replace(/\n\d+\n/, `\n${size}\n`);
test.each<[string, Wrong]>([
  ['another root', (text) => ({ body: bad.cosign(text.replace(/\n[^\n]+\n$/, `\n${'A'.repeat(43)}=\n`)) })],
  ['an older size', (text) => ({ body: bad.cosign(later(text, 1)) })],
  ['a later size', (text) => ({ body: bad.cosign(later(text, 9_999)) })],
  ['another log', (text) => ({ body: bad.cosign(text.replace('etch.example', 'other.example')) })],
  ['an unknown key under its name', (text) => ({ body: stranger.cosign(text) })],
  ['its key under another name', (text) => ({ body: bad.cosign(text, seconds(), 'other.example') })],
  ['the honest witness’s cosignature', (text) => ({ body: good.cosign(text) })],
  ['a future time', (text) => ({ body: bad.cosign(text, seconds() + 3_600) })],
  ['no time', (text) => ({ body: bad.cosign(text, 0) })],
  ['nothing', () => ({ body: '' })],
  ['bytes that are no text', () => ({ body: Buffer.alloc(200, 0xff) })],
  ['too much', (text) => ({ body: bad.cosign(text).repeat(1_000) })],
  ['a conflict that never ends', () => ({ status: 409, body: '1\n' })],
  ['a conflict with a later size', () => ({ status: 409, body: '9000\n' })],
  ['a conflict without a size', () => ({ status: 409, body: '-1\n' })],
  ['403', () => ({ status: 403 })],
  ['500', () => ({ status: 500 })],
  ['a redirect', () => ({ status: 307, headers: { location: 'http://127.0.0.1:9/' } })],
])('names a witness that answers %s, and stores none of its answers', async (_, lie) => {
  const publish = publisher();
  await grow();
  await grow();
  const size = await logSize(db);
  wrong = lie;
  await publish();
  const latest = await latestCheckpoint(db, treeLog.origin);
  expect(latest).toMatchObject({ size, quorum: false });
  expect(names(latest!.note)).toEqual(['etch.example/log', 'good.example']);
  const kept = await db.query(sql`select distinct witness from log_cosignature where size = ${size}`);
  expect(kept).toHaveLength(1);
  expect(await faults()).toEqual([expect.any(String), null]);
  wrong = undefined;
  await grow();
  clock += 3_700_000;
  await publish();
  const next = await latestCheckpoint(db, treeLog.origin);
  expect(next).toMatchObject({ size: size + 1, quorum: true });
  expect(names(next!.note)).toEqual(['bad.example', 'etch.example/log', 'good.example']);
  expect(await faults()).toEqual([null, null]);
});

test('gives up a witness that never answers', async () => {
  wrong = () => null;
  await grow();
  const { witnesses, ...rest } = policy();
  await publisher({ ...rest, witnesses: witnesses.slice(0, 1), quorum: 'bad' }, 50)();
  expect((await faults())[0]).toEqual(expect.any(String));
});

test('a witness and a reader with the earlier key follow a rotation, and no new log without that key', async () => {
  const [old, young] = [randomBytes(32), randomBytes(32)];
  const logWith = (...secrets: Buffer[]) => createTreeLog(createKeyring(secrets), 'https://rotated.example');
  const from = await logSize(db);
  treeLog = logWith(old);
  const witness = await startLocalWitness('witness.example', () => Date.now() / 1000);
  witness.watch(treeLog.keys);
  try {
    const reader = treeLog.keys.map(parseVerifierKey);
    const one = parsePolicy(`${witness.line}\nquorum witness.example\n`);
    const published = async (...secrets: Buffer[]) => {
      treeLog = logWith(...secrets);
      await grow();
      clock = Date.now() + 3_700_000;
      await publisher(one)();
      return (await latestCheckpoint(db, treeLog.origin))!;
    };
    expect(await published(old)).toMatchObject({ size: from + 1, quorum: true });
    const rotated = await published(young, old);
    expect(rotated).toMatchObject({ size: from + 2, quorum: true });
    expect(isSignedBy(parseCheckpoint(rotated.note), reader)).toBe(true);
    expect(names(rotated.note)).toEqual(['rotated.example/log', 'rotated.example/log', 'witness.example']);
    const without = await published(young);
    expect(without).toMatchObject({ size: from + 3, quorum: false });
    expect(isSignedBy(parseCheckpoint(without.note), reader)).toBe(false);
    expect(names(without.note)).toEqual(['rotated.example/log']);
  } finally {
    await witness.server.stop();
  }
});
