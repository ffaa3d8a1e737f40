import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ed25519 } from '@noble/curves/ed25519.js';
import { bytesToHex, encodeAttestationData } from '@svc/protocol';
import * as tlog from '@svc/protocol/tlog';
import { type AttestedTree, treeName } from '@svc/verifier';
import { beforeEach, describe, expect, test } from 'vitest';
import { ends, jsonOf } from '../../../testing/clients/ends.ts';
import { freshHome } from '../../../testing/clients/svc.ts';
import { useServer } from '../../../testing/machine/server.ts';
import { useSharedService } from '../../../testing/system/running-service.ts';
import { eventually } from '../../../testing/wait.ts';
import { auditKeptLog } from '../src/audit/audit-log.ts';
import { useAccount } from './support/account.ts';
import { svcHere } from './support/svc-here.ts';

// The log of this server is what the test puts into it. Everything else is the shared service's.
const service = useSharedService();
const ORIGIN = 'svc.example/log';
const secret = new Uint8Array(32).fill(7);
const publicKey = ed25519.getPublicKey(secret);
const key = tlog.verifierKey(ORIGIN, tlog.LOG_KEY, publicKey);

let log: Uint8Array[] = [];
let asked: string[] = [];
let lost: string | undefined;
beforeEach(() => void ([log, asked, lost] = [[], [], undefined]));

async function checkpoint(): Promise<string> {
  const hashes = log.map((data) => tlog.entryHash(data));
  const read: tlog.ReadSubtree = async (height, index) =>
    tlog.foldHashes(hashes.slice(index * 2 ** height, (index + 1) * 2 ** height));
  const text = tlog.checkpointText({
    origin: ORIGIN,
    size: log.length,
    root: await tlog.rootAt(log.length, read),
  });
  return `${text}\n${tlog.signatureLine(key, ed25519.sign(Buffer.from(text), secret))}\n`;
}
const tile = ({ index, width }: tlog.Tile): Buffer =>
  Buffer.concat(
    log
      .slice(index * tlog.TILE_WIDTH, index * tlog.TILE_WIDTH + width)
      .flatMap((data) => [Buffer.of(data.length >> 8, data.length & 255), data]),
  );
const server = useServer((request, response) => {
  void (async () => {
    const path = request.url!.replace('/log/', '');
    asked.push(path);
    if (lost !== undefined && path.startsWith(lost)) return response.destroy();
    if (path === 'checkpoint')
      return response.writeHead(log.length > 0 ? 200 : 404).end(log.length > 0 ? await checkpoint() : '');
    if (path.startsWith('tile/')) return response.end(tile(tlog.parseTilePath(path.slice(5))!));
    const answer = await fetch(service.url + request.url!, {
      method: request.method!,
      headers: { 'content-type': 'application/json' },
      ...(request.method === 'POST' && { body: request as unknown as ReadableStream, duplex: 'half' }),
    });
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
    response.end(Buffer.from(await answer.arrayBuffer()));
  })().catch(() => response.destroy());
});
const tiles = (): string[] => asked.splice(0).flatMap((path) => /^tile\/(.*)/.exec(path)?.[1] ?? []);

const treeOf = (number: number) => ({
  ...({ root: Buffer.alloc(32, String(number)), kind: 0, treeVersion: 2, treeSize: 1 + number } as const),
});
const entries = (from: number, count: number): Uint8Array[] =>
  Array.from({ length: count }, (_, at) => encodeAttestationData(treeOf(from + at)));
/** Attested at `NOW`. */
const attested = (...numbers: number[]): Map<string, AttestedTree> =>
  new Map(
    numbers.map((number) => {
      const tree = { ...treeOf(number), root: bytesToHex(treeOf(number).root) };
      return [treeName(tree), { ...tree, uids: [], time: NOW, revoked: false }];
    }),
  );
const [NOW, HOUR] = [1_800_000_000, 3_600];

/** The audits of one reader. */
function reader(keys = [key]) {
  const path = join(freshHome(), 'state.log');
  const trust = { chainId: 1, contract: '0x1', schemaUid: '0x2', relayers: ['0x3'] };
  const audit = (trees: ReturnType<typeof attested>, more: { now?: number; fresh?: boolean } = {}) =>
    auditKeptLog(path, { service: server.url, keys, trust, trees, now: NOW, ...more });
  return { path, audit };
}

describe('an audit of the log', () => {
  test('reads only what is new', async () => {
    const { audit } = reader();
    log = entries(0, 301);
    const first = await audit(attested(0));
    expect(first).toMatchObject({ entries: 301, attested: 1, pending: 300, faults: [], unproven: [] });
    expect(first.notes).toEqual([
      expect.stringMatching(/^this is the first audit of the log/),
      'logged trees that are not attested yet, within their promise: 300',
    ]);
    expect(tiles()).toEqual(['entries/000', 'entries/001.p/45']);
    expect(await audit(attested(0))).toMatchObject({ pending: 300, faults: [] });
    expect(tiles()).toEqual([]);
    log.push(...entries(301, 1));
    expect(await audit(attested(0, 301))).toMatchObject({
      entries: 302,
      attested: 2,
      faults: [],
      notes: ['the log continues the checkpoint of size 301 that an earlier audit kept', expect.any(String)],
    });
    expect(tiles()).toEqual(['entries/001.p/46']);
    const fresh = await audit(attested(0, 301), { fresh: true });
    expect(fresh).toMatchObject({ entries: 302, attested: 2, faults: [] });
    expect(tiles()).toHaveLength(2);
  });

  test('reports a logged tree that is not attested within its promise, once', async () => {
    const { audit } = reader();
    log = entries(0, 301);
    await audit(attested(0));
    const { faults } = await audit(attested(0), { now: NOW + 96 * HOUR });
    expect(faults).toHaveLength(101);
    expect(faults[0]).toMatch(/^its entry 1, the tree [0-9a-f]{64}, was not attested within its promise$/);
    expect(faults.at(-1)).toBe('and 200 more like that');
    expect(await audit(attested(0), { now: NOW + 96 * HOUR })).toMatchObject({
      faults: [],
      notes: expect.arrayContaining([
        'logged trees that were never attested, as an earlier audit reported: 300',
      ]),
    });
  });

  test.each([
    ['a shorter log', () => entries(0, 301), /^it has 301 entries, and had 302: entries are missing$/],
    ['another log of this size', () => entries(1, 302), /^it is forked: its first 302 entries do not make/],
    ['a longer fork', () => entries(1, 400), /^it is forked: its first 302 entries do not make/],
  ])('fails on %s, with both signed checkpoints', async (_, changed, fault) => {
    const { audit } = reader();
    log = entries(0, 302);
    await audit(attested(0));
    log = changed();
    const { faults, checkpoints } = await audit(attested(0));
    expect(faults).toEqual([expect.stringMatching(fault)]);
    const [kept, now] = checkpoints.map((note) => tlog.parseCheckpoint(note));
    expect([kept!.size, now!.size]).toEqual([302, log.length]);
    expect(kept!.root).not.toEqual(now!.root);
  });

  test('fails again and again on an attested tree that the log does not have', async () => {
    const { audit } = reader();
    log = entries(1, 1);
    const missing = [expect.stringMatching(/^it does not have the tree [0-9a-f]{64}, which is attested$/)];
    expect(await audit(attested(0, 1))).toMatchObject({ attested: 1, faults: missing });
    tiles();
    expect(await audit(attested(0, 1))).toMatchObject({ faults: missing });
    expect(tiles()).toEqual([]);
  });

  test('waits a day for an attested tree that the checkpoint does not have yet', async () => {
    log = entries(1, 300);
    const after = (now: number) => reader().audit(attested(0), { now });
    const recent = 'attested trees of the last hour that its checkpoint does not have yet: 1';
    const notes = expect.arrayContaining([recent]);
    expect(await after(NOW)).toMatchObject({ faults: [], unproven: [], notes });
    const words = expect.stringMatching(/^its checkpoint does not have the attested tree \S+ yet$/);
    expect(await after(NOW + 2 * HOUR)).toMatchObject({ faults: [], unproven: [words] });
    expect((await after(NOW + 25 * HOUR)).faults).toHaveLength(1);
  });

  test('passes for an hour without a checkpoint', async () => {
    expect(await reader().audit(attested(0, 1))).toMatchObject({ entries: 0, faults: [], unproven: [] });
    expect(await reader().audit(attested(0, 1), { now: NOW + 2 * HOUR })).toMatchObject({
      unproven: ['the service has no checkpoint of it'],
    });
  });

  test('continues after an interruption, compares all entries, and notices a fork', async () => {
    const interrupted = async () => {
      log = entries(0, 6_001);
      lost = 'tile/entries/020';
      const one = reader();
      expect((await one.audit(attested(0))).unproven).toEqual([
        expect.stringContaining('the service is away'),
      ]);
      lost = undefined;
      tiles();
      return one;
    };
    const { audit } = await interrupted();
    expect(await audit(attested(0))).toMatchObject({ attested: 1, pending: 6_000, faults: [] });
    expect(tiles()[0]).toBe('entries/016');
    await audit(attested(0));
    expect(tiles()).toEqual([]);

    const other = await interrupted();
    log = [...entries(0, 1), ...entries(2, 6_000)];
    expect((await other.audit(attested(0))).faults).toEqual([
      'it is forked: its first 6001 entries do not make the checkpoint that an earlier audit kept',
    ]);
  });

  test('takes no checkpoint that a different key signed', async () => {
    const other = tlog.verifierKey(ORIGIN, tlog.LOG_KEY, ed25519.getPublicKey(new Uint8Array(32).fill(8)));
    log = entries(0, 2);
    expect(await reader([other]).audit(attested(0))).toMatchObject({
      attested: null,
      unproven: ['its checkpoint is not signed by the pinned key of the log'],
    });
  });

  test('rejects a damaged state', async () => {
    const { audit, path } = reader();
    log = entries(0, 2);
    await audit(attested(0));
    const text = readFileSync(path, 'utf8');
    for (const damaged of [text.replace('"late":[]', '"late":["x"]'), '{}', '[]', 'x']) {
      writeFileSync(path, damaged);
      await expect(audit(attested(0)), damaged.slice(0, 40)).rejects.toThrow(path);
    }
  });
});

describe('svc audit', () => {
  const account = useAccount({ at: service });
  const { home } = account;
  let username: string;
  const at = (url: string, args: string[], of = home) =>
    svcHere(args, { home: of, env: { SVC_BASE_URL: url } });
  const pinsOf = (of: string) => JSON.parse(readFileSync(join(of, 'svc/trust.json'), 'utf8'));
  async function pinnedWith(url: string, logKeys: string[] | undefined): Promise<string> {
    const reader = freshHome();
    await ends(at(url, ['trust', url], reader), 0, { out: 'log key' });
    const pins = pinsOf(reader);
    expect(pins[url].log_keys).toHaveLength(1);
    writeFileSync(
      join(reader, 'svc/trust.json'),
      JSON.stringify({ [url]: { ...pins[url], log_keys: logKeys } }),
    );
    return reader;
  }

  test('reads the log of a service only with its pinned key, and says so', async () => {
    ({ username } = (await account.json(['whoami'])).user);
    await account.json(['etch', 'In the log.', '--description', 'Text', '--wait']);
    await eventually('a checkpoint', async () => (await fetch(`${service.url}/log/checkpoint`)).ok);
    const without = await pinnedWith(server.url, undefined);
    const audit = ['audit', username];
    const note = `INFO  the log of trees was not audited, because you have not pinned its key: run svc trust ${server.url}\n`;
    asked = [];
    await ends(at(server.url, audit, without), 0, { out: note });
    await ends(at(server.url, audit, freshHome()), 2, { out: note });
    await ends(at(server.url, ['score', username], without), 0, { without: 'log of trees' });
    expect(asked.filter((path) => /^(tile|checkpoint)/.test(path))).toEqual([]);
    await ends(account.run(['trust', service.url]), 0);
    await ends(account.run(audit), 0, {
      out: /the log of trees: \d+ of \d+ attested trees? in \d+ entr(y|ies)/,
    });
    expect((await account.json(audit)).log.faults).toEqual([]);
  });

  test('fails for the log, and a monitor waits for the service and ends at the fault', async () => {
    const keys = [tlog.writeVerifierKey(ORIGIN, tlog.LOG_KEY, publicKey)];
    const reader = await pinnedWith(server.url, keys);
    log = entries(0, 302);
    await ends(at(server.url, ['audit', username], reader), 0);
    const monitor = at(server.url, ['audit', '--watch', '--every', '1'], reader);
    const rounds = (count: number) =>
      eventually(`${count} rounds`, () => asked.filter((path) => path === 'checkpoint').length >= count);
    asked = [];
    await rounds(3);
    lost = '';
    asked = [];
    await rounds(1);
    log = entries(0, 301);
    lost = undefined;
    const fault = 'it has 301 entries, and had 302';
    await ends(monitor, 1, {
      out: [/^\S+Z {2}PASS {2}0 of \d+ attested trees? in 302 entries/, /^\S+Z {2}WAIT {2}/m],
      last: /^\S+Z {2}FAIL {2}it has 301 entries, and had 302: entries are missing$/,
    });
    await ends(at(server.url, ['audit', username], reader), 1, {
      out: `FAIL  the log of trees: ${fault}`,
      last: 'FAIL: the log of trees contradicts the chain, its leaves or its own past.',
    });
    const { result, log: found } = await jsonOf(at(server.url, ['audit', username, '--json'], reader), 1);
    expect([result, found.checkpoints.length]).toEqual(['fail', 2]);
    await ends(at(server.url, ['audit', '--watch', '--json'], reader), 1, {
      out: /^{"time":"[^"]+","result":"fail","words":\["it has 301/,
    });
  });

  test('rejects a monitor without a pin, and with --all', async () => {
    await ends(at(service.url, ['audit', '--watch'], freshHome()), 64, {
      err: 'no key of the log is pinned: run svc trust',
    });
    await ends(at(service.url, ['audit', '--watch', '--all']), 64);
  });
});
