import { ed25519 } from '@noble/curves/ed25519.js';
import { bytesToHex, encodeAttestationData, etchLeaf, hexToBytes, node } from '@svc/protocol';
import { foldLogProof, LogTree } from '@svc/protocol/conventions';
import {
  checkpointText,
  checkTlogProof,
  cosignatureTime,
  cosignedText,
  entryHash,
  foldHashes,
  isConsistent,
  isSignedBy,
  LOG_KEY,
  parseCheckpoint,
  parseNote,
  parsePolicy,
  parseSignatureLine,
  parseTilePath,
  parseTlogProof,
  parseVerifierKey,
  proveConsistency,
  proveInclusion,
  quorumTime,
  rootAt,
  signatureLine,
  tilePath,
  TlogError,
  verifierKey,
  withTime,
  WITNESS_KEY,
  writeTlogProof,
  writeVerifierKey,
} from '@svc/protocol/tlog';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rounds } from '../../../../testing/rounds.ts';
import { readVector } from '../../../../testing/vectors/vectors.ts';

const FLIPS = rounds(1_000, 100_000);

const bytes = (text: string) => new TextEncoder().encode(text);
const leaves = Array.from({ length: 70 }, (_, at) => entryHash(Uint8Array.of(at)));
const read = async (height: number, index: number) =>
  foldHashes(leaves.slice(index * 2 ** height, (index + 1) * 2 ** height));
const rootOf = (size: number) => {
  const tree = new LogTree();
  for (const leaf of leaves.slice(0, size)) tree.add(leaf);
  return tree.root();
};

test('verifies the example of the signed-note specification', () => {
  const key = parseVerifierKey('example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k');
  const note = [
    'This is an example message.\n',
    '— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n',
  ].join('\n');
  expect(isSignedBy(parseNote(note), [key])).toBe(true);
  expect(isSignedBy(parseNote(note.replace('an example', 'no example')), [key])).toBe(false);
  expect(isSignedBy(parseNote(note), [])).toBe(false);
});

test('checks a repeated signature once, and none after a wrong one', () => {
  const secret = new Uint8Array(32).fill(9);
  const key = verifierKey('example.com/log', LOG_KEY, ed25519.getPublicKey(secret));
  let checks = 0;
  const counted = Object.defineProperty({ ...key }, 'publicKey', { get: () => (checks++, key.publicKey) });
  const signed = (signatures: Uint8Array[]) =>
    parseNote(`a line\n\n${signatures.map((one) => `${signatureLine(key, one)}\n`).join('')}`);
  const valid = ed25519.sign(bytes('a line\n'), secret);
  expect(isSignedBy(signed(Array.from({ length: 64 }, () => valid)), [counted])).toBe(true);
  expect(checks).toBe(1);
  const wrong = Array.from({ length: 63 }, (_, at) => new Uint8Array(64).fill(at));
  expect(isSignedBy(signed([valid, ...wrong]), [counted])).toBe(false);
  expect(checks).toBe(3);
});

test('proves inclusion and consistency for every size, and no other', async () => {
  for (let size = 1; size <= leaves.length; size++) {
    const root = await rootAt(size, read);
    expect(root).toEqual(rootOf(size));
    for (let at = 0; at < size; at++) {
      const proof = await proveInclusion(at, size, read);
      expect(foldLogProof(leaves[at]!, at, size, proof)).toEqual(root);
    }
    for (let old = 0; old <= size; old++) {
      const proof = await proveConsistency(old, size, read);
      const before = { size: old, root: rootOf(old) };
      expect(isConsistent(before, { size, root }, proof)).toBe(true);
      if (old > 0 && old < size) {
        expect(isConsistent({ size: old, root: new Uint8Array(32) }, { size, root }, proof)).toBe(false);
        expect(isConsistent(before, { size, root: new Uint8Array(32) }, proof)).toBe(false);
        expect(isConsistent(before, { size, root }, proof.slice(1))).toBe(false);
        expect(isConsistent(before, { size, root }, [...proof, leaves[0]!])).toBe(false);
      }
    }
  }
});

test.each([
  ['0/000', { level: 0, index: 0, width: 256 }],
  ['0/x001/x234/067', { level: 0, index: 1_234_067, width: 256 }],
  ['entries/x001/000.p/17', { level: 'entries', index: 1000, width: 17 }],
  ['63/999.p/255', { level: 63, index: 999, width: 255 }],
])('reads the path of a tile %s', (path, tile) => {
  expect(parseTilePath(path)).toEqual(tile);
  expect(tilePath(tile as never)).toBe(path);
});

test.each([
  '0/1',
  '00/000',
  '64/000',
  '0/x000/001',
  '0/000.p/0',
  '0/000.p/256',
  '0/000.p/01',
  'data/000',
  '0/x001',
  '',
])('returns null for %j, which is no path of a tile', (path) => expect(parseTilePath(path)).toBeNull());

const secret = (name: string) => bytes(name.padEnd(32, '.'));
const log = verifierKey('svc.example/log', LOG_KEY, ed25519.getPublicKey(secret('log')));
const logText = writeVerifierKey('svc.example/log', LOG_KEY, ed25519.getPublicKey(secret('log')));
const named = (name: string) =>
  [`${name}.example/w`, WITNESS_KEY, ed25519.getPublicKey(secret(name))] as const;
const witness = (name: string) => ({
  key: verifierKey(...named(name)),
  text: writeVerifierKey(...named(name)),
  cosign(text: string, time: number) {
    const signature = ed25519.sign(bytes(cosignedText(text, time)), secret(name));
    return signatureLine(this.key, withTime(time, signature));
  },
});
const [one, two, three] = ['one', 'two', 'three'].map(witness) as [any, any, any];
const policy = (quorum: string) =>
  parsePolicy(
    [
      '# the log, and who watches it',
      `log ${logText} https://svc.example/log/`,
      `witness one ${one.text}`,
      `witness\ttwo ${two.text}  http://127.0.0.1:8080`,
      `witness three ${three.text}`,
      'group pair all one two',
      'group most 1 pair three',
      `quorum ${quorum}`,
    ].join('\n'),
  );

const userId = 'ae00cff5-55bb-4bd1-ab78-d6c62dc80658';
const hash = '89f32e7c77dc8e7e855f559c425636ef7e4d9fb9e6514ae1d73227d67102c49f';
const etch = { hash, userId, kind: 0 as const };
const sibling = new Uint8Array(32).fill(7);
const data = encodeAttestationData({
  root: node(etchLeaf(2, userId, hash), sibling),
  kind: 0,
  treeVersion: 2,
  treeSize: 2,
});
leaves[40] = entryHash(data);

async function proofWith(cosign: (text: string) => string[]): Promise<string> {
  const text = checkpointText({ origin: 'svc.example/log', size: 70, root: await rootAt(70, read) });
  const own = signatureLine(log, ed25519.sign(bytes(text), secret('log')));
  const inclusion = await proveInclusion(40, 70, read);
  const checkpoint = `${text}\n${[own, ...cosign(text)].join('\n')}\n`;
  return writeTlogProof({ data, path: [sibling], index: 40, inclusion, checkpoint });
}

test('the time of a quorum is the earliest time at which it was complete', async () => {
  const cosigned = (text: string) => [one.cosign(text, 100), three.cosign(text, 300), two.cosign(text, 200)];
  const proof = await proofWith(cosigned);
  expect(checkTlogProof(proof, etch, policy('most'), 1000)).toMatchObject({
    time: 200,
    witnesses: ['one', 'three', 'two'],
    checkpoint: { origin: 'svc.example/log', size: 70 },
  });
  expect(checkTlogProof(proof, etch, policy('three'), 1000).time).toBe(300);
  expect(checkTlogProof(proof, etch, policy('none'), 1000).time).toBe(0);
  // A cosignature of the future does not count.
  const early = checkTlogProof(proof, etch, policy('three'), 250);
  expect(early).toMatchObject({ time: null, witnesses: ['one', 'two'] });
  expect(quorumTime(policy('pair'), new Map([['one', 5]]))).toBeNull();
});

test('rejects a proof of a different etch, a different log, and a forged signature', async () => {
  const proof = await proofWith((text) => [one.cosign(text, 100)]);
  const check = (text: string, other: object = {}, named = policy('one')) =>
    checkTlogProof(text, { ...etch, ...other }, named, 1000);
  expect(() => check(proof, { hash: '00'.repeat(32) })).toThrow('a tree without this etch');
  expect(() => check(proof, { kind: 1 })).toThrow('a tree without this etch');
  expect(() => check(proof, {}, parsePolicy('quorum none'))).toThrow('the policy has no log svc.example/log');
  const forged = await proofWith((text) => [one.cosign(`${text} `, 100)]);
  expect(() => check(forged)).toThrow('the cosignature of the witness one is wrong');
});

test('rejects every flipped byte of a proof and its cosignature', async () => {
  const proof = bytes(await proofWith((text) => [one.cosign(text, 100)]));
  fc.assert(
    fc.property(fc.nat(proof.length - 1), fc.integer({ min: 1, max: 255 }), (at, flip) => {
      const changed = proof.slice();
      changed[at]! ^= flip;
      try {
        const text = new TextDecoder('utf-8', { fatal: true }).decode(changed);
        return checkTlogProof(text, etch, policy('one'), 1000).time === null;
      } catch {
        return true;
      }
    }),
    { numRuns: FLIPS, seed: 1 },
  );
});

test('rejects every flipped byte of a cosignature, and of the checkpoint under it', () => {
  const text = checkpointText({ origin: 'svc.example/log', size: 70, root: new Uint8Array(32) });
  const line = bytes(one.cosign(text, 1_800_000_000));
  const whole = Uint8Array.from([...line, ...bytes(text)]);
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const timeOf = (changed: Uint8Array): number | null => {
    try {
      const signature = parseSignatureLine(decoder.decode(changed.subarray(0, line.length)));
      return cosignatureTime(decoder.decode(changed.subarray(line.length)), signature, one.key);
    } catch {
      return null;
    }
  };
  expect(timeOf(whole)).toBe(1_800_000_000);
  fc.assert(
    fc.property(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), (at, flip) => {
      const changed = whole.slice();
      changed[at]! ^= flip;
      return timeOf(changed) === null;
    }),
    { numRuns: FLIPS, seed: 2 },
  );
});

test.each([
  ['', 'no quorum line'],
  ['quorum none\nquorum none', 'line 2 of the policy: a policy has one quorum line'],
  ['quorum x', 'x is not defined above'],
  [`witness none ${'w'}`, 'a key is'],
  ['group g 2 a\nquorum none', 'a group needs'],
  ['group g any a\nquorum none', 'a is not defined above'],
  ['log x\nquorum none', 'line 1 of the policy: a key is'],
  ['other\nquorum none', 'it is none of'],
  ['quorum none\u0001', 'control character'],
])('rejects the policy %j', (text, message) => expect(() => parsePolicy(text)).toThrow(message));

test('rejects a checkpoint with a wrong size, root or line', () => {
  const text = checkpointText({ origin: 'svc.example/log', size: 1, root: new Uint8Array(32) });
  const signed = `${text}\n— svc.example/log AAAAAAE=\n`;
  expect(parseCheckpoint(signed).size).toBe(1);
  for (const wrong of [
    signed.replace('\n1\n', '\n01\n'),
    signed.replace('\n1\n', '\n-1\n'),
    signed.replace('AAAA=\n', 'AAA=\n'),
    signed.slice(1).replace('vc.example/log\n', '\n'),
  ])
    expect(() => parseCheckpoint(wrong)).toThrow();
  expect(() => parseTlogProof('no proof')).toThrow('a proof begins with');
});

const forms = readVector('valid/tlog-forms') as {
  etch: { hash: string; user_id: string };
  now: number;
  cases: {
    name: string;
    verdict: 'pass' | 'wait' | 'fail';
    time: number | null;
    policy: string;
    proof: string;
  }[];
};
test.each(forms.cases)('$verdict: $name', ({ proof, policy: text, verdict, time }) => {
  const named = { hash: forms.etch.hash, userId: forms.etch.user_id, kind: 0 as const };
  const check = () => checkTlogProof(proof, named, parsePolicy(text), forms.now);
  if (verdict === 'fail') expect(check).toThrow(TlogError);
  else expect(check().time).toBe(time);
});

test('rejects a proof of a retraction without a tree, which revokes instead', () => {
  const { proof, policy: text } = forms.cases.find(({ name }) => name === 'no tree')!;
  const named = { hash: forms.etch.hash, userId: forms.etch.user_id, kind: 1 as const };
  const [, extra] = /\nextra (.*)\n/.exec(proof)!;
  const bent = Buffer.from(extra!, 'base64');
  bent[63] = 1;
  const changed = proof.replace(extra!, bent.toString('base64'));
  expect(() => checkTlogProof(changed, named, parsePolicy(text), forms.now)).toThrow(
    'a tree without this etch',
  );
});

test('the vector passes, with its time and witnesses', () => {
  const { etch: named, policy: text, proof, time, witnesses, consistency } = readVector('valid/tlog');
  const of = { hash: named.hash, userId: named.user_id, kind: 0 as const };
  const found = checkTlogProof(proof, of, parsePolicy(text), 2e9);
  expect(new Date(found.time! * 1000).toISOString()).toBe(time);
  expect(found.witnesses).toEqual(witnesses);
  const old = { size: consistency.old.size, root: hexToBytes(consistency.old.root) };
  expect(isConsistent(old, found.checkpoint, consistency.proof.map(hexToBytes))).toBe(true);
  expect(bytesToHex(found.checkpoint.root)).not.toBe(consistency.old.root);
});
