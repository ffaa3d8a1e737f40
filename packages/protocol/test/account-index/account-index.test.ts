import { createHash } from 'node:crypto';
import {
  AccountIndex,
  type AccountEntry,
  AccountMap,
  accountKey,
  accountLeaf,
  checkAbsence,
  checkIndexAnswers,
  checkPresence,
  decodeAccountEntry,
  encodeAccountEntry,
  encodeIndexData,
  type KeptAccount,
  mapValue,
  parseIndexAnswer,
  readIndexData,
  resumeAccount,
  run,
} from '@svc/protocol/account-index';
import { bytesToHex, hexToBytes, packLeaves } from '@svc/protocol';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rounds } from '../../../../testing/rounds.ts';
import { readVector } from '../../../../testing/vectors/vectors.ts';

type Json = any;

const worked = readVector('valid/account-index-worked');
const valid = readVector('valid/account-index');
const invalid = readVector('invalid/account-index');

const userOf = (at: number) => `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`;
const stepsOf = (path: Json[]) => path.map(({ bit, hash }) => ({ bit, hash: hexToBytes(hash) }));
const otherOf = (other: Json) => other && { key: hexToBytes(other.key), value: hexToBytes(other.value) };
const keptOf = (kept: Json): KeptAccount | undefined =>
  kept === null ? undefined : { ...kept, peaks: kept.peaks.map(hexToBytes) };

function check(proof: Json, root: Uint8Array): void {
  const key = accountKey(proof.user_id);
  const path = stepsOf(proof.path);
  if (proof.count === 0) return checkAbsence({ key, path, other: otherOf(proof.other) }, root);
  const tree = resumeAccount(proof.from?.count ?? 0, (proof.from?.before ?? []).map(hexToBytes));
  const entries: AccountEntry[] = proof.entries.map((one: string) => decodeAccountEntry(hexToBytes(one)));
  for (const entry of entries.slice(tree.size)) tree.add(accountLeaf(entry));
  if (tree.size !== proof.count) throw new Error('count');
  if (entries.some(({ logIndex }, at) => at > 0 && logIndex < entries[at - 1]!.logIndex))
    throw new Error('out of order');
  expect(bytesToHex(tree.root())).toBe(proof.account_root);
  return checkPresence({ key, value: mapValue(tree.size, tree.root()), path }, root);
}

describe.each<Json>(worked.cases)('a log of $size trees in the worked examples', ({ log, size, ...of }) => {
  const root = hexToBytes(of.map_root);

  test('the map of its leaves has the root, also after a snapshot at each tree', () => {
    let index = new AccountIndex();
    for (const [logIndex, { kind, version, leaves }] of log.entries()) {
      if (version !== 2) continue;
      const packed = packLeaves(2, leaves);
      run(index.addTree({ logIndex, kind, packed }));
      const copy = AccountIndex.restore(Buffer.concat([...index.snapshot(logIndex + 1)]));
      expect(copy.covered).toBe(logIndex + 1);
      index = copy.index;
    }
    expect(bytesToHex(run(index.root()))).toBe(of.map_root);
    const data = encodeIndexData({ root, covered: size });
    expect(bytesToHex(data)).toBe(of.entry_data);
    expect(readIndexData(data)).toEqual({ root, covered: size });
  });

  test.each<Json>(of.proofs)('the proof of $user_id passes', (proof) => check(proof, root));
});

test.each<Json>(worked.invalid)('rejects the worked example "$why"', (proof) => {
  expect(() => check(proof, hexToBytes(proof.map_root))).toThrow();
});

test('recomputes every index entry of the log in the vectors, with either hash function', () => {
  const faster = (data: Uint8Array) => createHash('sha256').update(data).digest();
  for (const sha256 of [undefined, faster]) {
    const index = new AccountIndex(sha256);
    let found = 0;
    for (const [logIndex, { data, leaves }] of valid.log.entries()) {
      const bytes = hexToBytes(data);
      const entry = readIndexData(bytes);
      if (entry !== null) {
        expect(entry).toEqual({ root: Uint8Array.from(run(index.root())), covered: logIndex });
        found++;
      } else if (bytes[95] === 2)
        run(index.addTree({ logIndex, kind: bytes[63] as 0 | 1, packed: packLeaves(2, leaves) }));
    }
    expect(found).toBe(3);
    expect(index.accounts).toBe(16);
  }
});

test.each<Json>(valid.readings)('accepts $what', ({ pages, kept, covered, count, peaks }) => {
  const answers = pages.map(parseIndexAnswer);
  const { checkpoint, userId } = answers[0];
  const found = checkIndexAnswers(answers, { userId, checkpoint, kept: keptOf(kept) });
  expect(found).toMatchObject({ covered, count });
  if (peaks !== undefined) expect(found.peaks.map(bytesToHex)).toEqual(peaks);
  expect(found.entries.map((entry) => bytesToHex(encodeAccountEntry(entry)))).toEqual(
    pages.flatMap((page: Json) => page.entries),
  );
});

test.each<Json>(invalid.malformed)('rejects an answer with $why', ({ field, answer }) => {
  expect(() => parseIndexAnswer(answer)).toThrow(field);
});

test.each<Json>(invalid.readings)('rejects a reading: $why', ({ pages, kept, fault }) => {
  const answers = pages.map(parseIndexAnswer);
  const userId = '00000000-0000-4000-8000-000000000001';
  const of = { userId: pages.at(0)?.user_id ?? userId, checkpoint: answers[0]?.checkpoint };
  const wanted = fault === 'user_id' ? { ...of, userId } : of;
  expect(() => checkIndexAnswers(answers, { ...wanted, kept: keptOf(kept) })).toThrow(fault);
});

test('rejects more entries, steps and hashes than an answer has', () => {
  const [answer] = valid.readings[0].pages;
  const wrong = (field: string, value: unknown, message: string) =>
    expect(() => parseIndexAnswer({ ...answer, [field]: value })).toThrow(message);
  wrong('entries', Array(1_001).fill(answer.entries[0]), 'entries has more than 1000 entries');
  wrong('path', Array(257).fill(answer.path[0]), 'path has more than 256 steps');
  wrong('before', Array(64).fill(answer.account_root), 'before has more than 63 hashes');
  const { more, ...cut } = answer;
  expect(more).toBe(false);
  expect(() => parseIndexAnswer(cut)).toThrow('more is missing');
});

test('rejects a snapshot that is cut or damaged', () => {
  const index = new AccountIndex();
  for (let at = 0; at < 9; at++) {
    const leaves = [1, 2, 3].map((user) => ({ user_id: userOf(user), hash: `${at}${user}`.repeat(32) }));
    run(index.addTree({ logIndex: at, kind: 0, packed: packLeaves(2, leaves) }));
  }
  const bytes = Buffer.concat([...index.snapshot(9)]);
  fc.assert(
    fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, flip) => {
      const [damaged, cut] = [Buffer.from(bytes), bytes.subarray(0, at)];
      damaged[at]! ^= flip;
      // The caller compares `covered` with the log.
      if (at >= 8) expect(() => AccountIndex.restore(damaged)).toThrow(/snapshot|2\^53/);
      expect(() => AccountIndex.restore(cut)).toThrow('snapshot');
    }),
    { numRuns: rounds(200, 5_000), seed: 1 },
  );
});

test('the map after any order of insertions has the same root, and a path for each key', () => {
  const keys = Array.from({ length: 3_000 }, (_, at) => accountKey(userOf(at)));
  const value = (at: number, count = 1) => mapValue(count, keys[at]!);
  const map = new AccountMap();
  const backward = new AccountMap();
  for (let at = 0; at < 2_000; at++) {
    map.set(keys[at]!, value(at));
    if (at % 100 === 0) run(map.rehash());
    backward.set(keys[1_999 - at]!, value(1_999 - at, 7));
  }
  run(backward.rehash());
  for (let at = 0; at < 2_000; at++) backward.set(keys[at]!, value(at));
  const root = run(map.rehash());
  expect(run(backward.rehash())).toEqual(root);
  expect(map.size).toBe(2_000);
  for (const [at, key] of keys.entries()) {
    const { key: found, path } = map.path(key);
    if (at < 2_000) checkPresence({ key, value: value(at), path }, root);
    const other = at < 2_000 ? -1 : map.find(found!);
    if (at >= 2_000) checkAbsence({ key, other: { key: found!, value: value(other) }, path }, root);
    expect(map.find(key)).toBe(at < 2_000 ? at : -1);
  }
});
