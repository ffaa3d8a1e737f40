import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ed25519 } from '@noble/curves/ed25519.js';
import {
  checkpointText,
  cosignatureTime,
  entryHash,
  foldHashes,
  LOG_KEY,
  parseCheckpoint,
  parseSignatureLine,
  parseVerifierKey,
  proveConsistency,
  rootAt,
  signatureLine,
  encodeBase64,
  verifierKey,
  writeVerifierKey,
} from '@svc/protocol/tlog';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { rounds } from '../../../testing/rounds.ts';
import { makeTestWitness, type TestWitness } from '../../../testing/system/witness.ts';
import { originHash } from '../src/witness/witness-folder.ts';
import { svcHere } from './support/svc-here.ts';
import { ends } from '../../../testing/clients/ends.ts';

const ORIGIN = 'svc.example/log';
const secret = new Uint8Array(32).fill(7);
const publicKey = ed25519.getPublicKey(secret);
const log = verifierKey(ORIGIN, LOG_KEY, publicKey);

/** The two histories differ in the entry at 3. */
const logOf = (history: 'ours' | 'forked') => {
  const leaves = Array.from({ length: 40 }, (_, at) =>
    entryHash(Buffer.from(at === 3 ? history : String(at))),
  );
  const read = async (height: number, index: number) =>
    foldHashes(leaves.slice(index * 2 ** height, (index + 1) * 2 ** height));
  return {
    async checkpoint(size: number, origin = ORIGIN, key = secret) {
      const text = checkpointText({ origin, size, root: await rootAt(size, read) });
      return `${text}\n${signatureLine(log, ed25519.sign(Buffer.from(text), key))}\n`;
    },
    prove: (old: number, size: number) => proveConsistency(old, size, read),
  };
};
const [ours, forked] = [logOf('ours'), logOf('forked')];

let witness: TestWitness;
beforeEach(async () => {
  witness = await makeTestWitness('witness.example/w');
  witness.watch(writeVerifierKey(ORIGIN, LOG_KEY, publicKey));
  await witness.start();
});
afterEach(() => witness.stop('SIGKILL'));

const post = async (old: number, checkpoint: string, proof: readonly Uint8Array[] = []) => {
  const body = `old ${old}\n${proof.map((hash) => `${encodeBase64(hash)}\n`).join('')}\n${checkpoint}`;
  const response = await fetch(`${witness.url}/add-checkpoint`, { method: 'POST', body });
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
};
const cosigns = (checkpoint: string, text: string) =>
  cosignatureTime(
    parseCheckpoint(checkpoint).text,
    parseSignatureLine(text.slice(0, -1)),
    parseVerifierKey(witness.key),
  );

test('cosigns a growing log, and serves its last checkpoint', async () => {
  const before = Math.floor(Date.now() / 1000);
  const first = await ours.checkpoint(5);
  const answered = await post(0, first);
  expect(answered.status).toBe(200);
  expect(cosigns(first, answered.text)).toBeGreaterThanOrEqual(before);
  const second = await ours.checkpoint(23);
  expect((await post(5, second, await ours.prove(5, 23))).status).toBe(200);
  const served = await fetch(`${witness.url}/${originHash(ORIGIN)}/checkpoint`);
  const note = await served.text();
  expect(parseCheckpoint(note)).toMatchObject({ origin: ORIGIN, size: 23 });
  expect(note).toContain('— witness.example/w ');
  expect((await fetch(`${witness.url}/${originHash('other')}/checkpoint`)).status).toBe(404);
});

test('an equal request gets a cosignature, and nothing is written', async () => {
  const path = join(witness.folder, 'state.json');
  // A file that is replaced has a new inode.
  const written = () => statSync(path).ino;
  const note = await ours.checkpoint(5);
  expect((await post(0, note)).status).toBe(200);
  const before = written();
  const repeated = note + `${note.split('\n').at(-2)}\n`.repeat(63);
  for (const equal of [note, repeated]) {
    const again = await post(5, equal);
    expect(again.status).toBe(200);
    expect(cosigns(note, again.text)).toBeGreaterThan(0);
    expect(written()).toBe(before);
  }
  expect((await post(5, await ours.checkpoint(6), await ours.prove(5, 6))).status).toBe(200);
  expect(JSON.parse(readFileSync(path, 'utf8'))[ORIGIN].size).toBe(6);
});

test('answers each fault with the status of the specification, and cosigns nothing', async () => {
  expect((await post(0, await ours.checkpoint(5))).status).toBe(200);
  const [eight, proof] = [await ours.checkpoint(8), await ours.prove(5, 8)];
  expect(await post(0, eight)).toMatchObject({ status: 409, type: 'text/x.tlog.size', text: '5\n' });
  expect(await post(9, eight, proof)).toMatchObject({ status: 400 });
  expect(await post(5, eight)).toMatchObject({ status: 422 });
  expect(await post(5, eight, proof.toReversed())).toMatchObject({ status: 422 });
  expect(await post(5, await forked.checkpoint(8), await forked.prove(5, 8))).toMatchObject({ status: 422 });
  expect(await post(5, await forked.checkpoint(5))).toMatchObject({ status: 422 });
  expect(await post(5, await ours.checkpoint(8, ORIGIN, new Uint8Array(32).fill(8)), proof)).toMatchObject({
    status: 403,
  });
  expect(await post(5, eight.replaceAll(ORIGIN, 'other.example/log'), proof)).toMatchObject({ status: 404 });
  expect(await post(5, 'no checkpoint')).toMatchObject({ status: 400 });
  expect(
    await post(
      5,
      eight,
      Array.from({ length: 64 }, () => proof[0]!),
    ),
  ).toMatchObject({ status: 400 });
  expect((await fetch(`${witness.url}/add-checkpoint`)).status).toBe(405);
  const long = await fetch(`${witness.url}/add-checkpoint`, {
    method: 'POST',
    body: 'x'.repeat(300_000),
  }).catch(() => ({ status: 413 }));
  expect(long.status).toBe(413);
  expect(await post(5, await ours.checkpoint(5))).toMatchObject({ status: 200 });
  expect(await post(5, eight, proof)).toMatchObject({ status: 200 });
});

test('cosigns one of two histories, also when both are sent at once and it is killed in between', async () => {
  let old = 0;
  for (let size = 4; size <= 4 * rounds(2, 5); size += 4) {
    const both = await Promise.all(
      [ours, forked].map(async (one) => {
        const note = await one.checkpoint(size);
        const proof = await one.prove(old, size);
        return post(old, note, proof).catch(() => null);
      }),
    );
    await witness.stop('SIGKILL');
    await witness.start();
    const { size: kept, root } = JSON.parse(readFileSync(join(witness.folder, 'state.json'), 'utf8'))[ORIGIN];
    expect(both.filter((one) => one?.status === 200)).toHaveLength(1);
    expect(kept).toBe(size);
    const isOurs = root === encodeBase64(parseCheckpoint(await ours.checkpoint(size)).root);
    const other = isOurs ? forked : ours;
    expect(await post(size, await other.checkpoint(size))).toMatchObject({ status: 422 });
    old = size;
  }
});

test('one process uses a folder, and a lost state stops it', async () => {
  await ends(svcHere(['witness', 'run', witness.folder, '--listen', '127.0.0.1:0']), 66, {
    err: 'another svc witness uses',
  });
  await witness.stop('SIGKILL');
  writeFileSync(join(witness.folder, 'state.json'), '{');
  await ends(svcHere(['witness', 'run', witness.folder]), 66, {
    err: 'without it this witness could cosign a fork',
  });
  expect(await svcHere(['witness', 'init', witness.folder, '--name', 'x'])).toMatchObject({ status: 64 });
  await ends(svcHere(['witness', 'init', join(witness.folder, 'new'), '--name', 'a b']), 64, {
    err: '--name',
  });
});
