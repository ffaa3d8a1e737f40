// The map of the index of accounts with a million accounts, in this process: proofs, one batch, memory, rebuilding.
import { randomBytes } from 'node:crypto';
import { AccountMap, mapValue } from '../packages/protocol/dist/account-index/index.js';
import { sha256 } from '../packages/server/dist/platform/secrets/signing-key.js';
import { count, milliseconds, ratio, timed } from './support/report.mjs';

const ACCOUNTS = 1_000_000;
const BATCH = 10_000;
const SLICE_MS = 2;
/** A step of a path is a bit and a hash. */
const STEP_BYTES = 33;
/** Key, count and root of a leaf. */
const LEAF_BYTES = 72;
/** An account has a hundred etches. */
const [FEW_ETCHES, MANY_ETCHES, ETCHES_OF_ACCOUNT] = [10_000, 1_000_000, 100];
const ENTRY_DIGITS = 82;

export const aim =
  'a proof of at most 900 bytes; a batch in at most 300 ms, with no stall over 20 ms; at most 250 MB; an answer at most 1.2 times as long among a million etches.';

export async function measure() {
  let hashes = 0;
  const counting = (bytes) => (hashes++, sha256(bytes));
  const map = new AccountMap(counting);
  const keys = Array.from({ length: ACCOUNTS }, () => randomBytes(32));
  const value = mapValue(1, randomBytes(32));
  globalThis.gc?.();
  const before = process.memoryUsage().arrayBuffers;
  const rebuilding = await timed(() => {
    for (const key of keys) map.set(key, value);
    for (const _ of map.rehash());
  });
  const memory = process.memoryUsage().arrayBuffers - before;
  const lengths = keys.slice(0, BATCH).map((key) => map.path(key).path.length);
  const proof = (length) => `${length * STEP_BYTES + LEAF_BYTES} bytes`;
  hashes = 0;
  const { total, longest } = await update(map, keys, mapValue(2, randomBytes(32)));
  return {
    table: `The index of accounts with ${count(ACCOUNTS)} accounts`,
    head: ['what', 'measured'],
    rows: [
      ['proof of an account, mean', proof(Math.round(lengths.reduce((sum, one) => sum + one, 0) / BATCH))],
      ['proof of an account, longest', proof(Math.max(...lengths))],
      [`update for ${count(BATCH)} accounts in one batch`, milliseconds(total)],
      ['hashes for each of them', ratio(hashes / BATCH)],
      ['longest time slice of the update', milliseconds(longest)],
      ['memory of the map', `${Math.round(memory / 1e6)} MB`],
      ['the map made again from rows in memory', `${(rebuilding / 1e3).toFixed(1)} s`],
      [
        `answer for ${ETCHES_OF_ACCOUNT} etches among ${count(MANY_ETCHES)}, next to ${count(FEW_ETCHES)}`,
        ratio(answerBytes(MANY_ETCHES) / answerBytes(FEW_ETCHES)),
      ],
    ],
  };
}

/** In time slices, as the service does it (packages/server/src/platform/flow/time-slices.ts). */
async function update(map, keys, value) {
  let [longest, start] = [0, performance.now()];
  const begin = start;
  const slice = async () => {
    if (performance.now() - start < SLICE_MS) return;
    longest = Math.max(longest, performance.now() - start);
    await new Promise((resolve) => setImmediate(resolve));
    start = performance.now();
  };
  for (const key of keys.slice(0, BATCH)) {
    map.set(key, value);
    await slice();
  }
  for (const _ of map.rehash()) await slice();
  return { total: performance.now() - begin, longest };
}

/** What grows with the service: the path, and the proof of the index entry behind trees of 10,000 etches. */
function answerBytes(etches) {
  const map = new AccountMap(sha256);
  const value = mapValue(ETCHES_OF_ACCOUNT, randomBytes(32));
  const keys = Array.from({ length: etches / ETCHES_OF_ACCOUNT }, () => randomBytes(32));
  for (const key of keys) map.set(key, value);
  for (const _ of map.rehash());
  const hex = (bytes) => Buffer.from(bytes).toString('hex');
  const lengths = keys.map(
    (key) => JSON.stringify(map.path(key).path.map(({ bit, hash }) => ({ bit, hash: hex(hash) }))).length,
  );
  const path = lengths.reduce((sum, one) => sum + one, 0) / keys.length;
  const log = 2 * (etches / 10_000);
  const inclusion = Math.ceil(Math.log2(log)) * JSON.stringify(hex(randomBytes(32))).length;
  return path + inclusion + ETCHES_OF_ACCOUNT * (ENTRY_DIGITS + 3);
}
