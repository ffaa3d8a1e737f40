import { createHash } from 'node:crypto';
import { bytesToHex, canonicalString, encodeAttestationData, etchHash, hexToBytes } from '@svc/protocol';
import type { Receipt } from '@svc/protocol';
import { type Evidence, parseEvidence } from '@svc/verifier/evidence';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { type Calendar, startCalendar } from '../../../../testing/calendar/calendar.ts';
import { readVector } from '../../../../testing/vectors/vectors.ts';
import {
  checkOts,
  completeProof,
  type HeaderSource,
  rpcHeaders,
  stampDigest,
  type Timestamp,
  writeOts,
} from '../../src/ots/index.ts';

export const { evidence: bare, ...vectorOfEvidence } = readVector(
  'valid/evidence-tree-retracted-among-20',
) as { evidence: Evidence };
export const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();

export const dataOf = ({ inclusion, hash }: Receipt, kind: 0 | 1 = 0, of = inclusion) =>
  encodeAttestationData({
    root: hexToBytes(of?.root ?? hash),
    kind,
    treeVersion: of?.tree_version ?? 0,
    treeSize: of?.tree_size ?? 1,
  });

/** Revealed, and without a tree. */
export function receiptOf(createdAt: string, content = 'words'): Receipt {
  const { author, chain } = bare.receipt;
  const parts = { userId: author.user_id, createdAt, salt: 'ab'.repeat(32), content };
  const canonical_string = canonicalString(parts);
  const hash = etchHash(canonical_string);
  return {
    ...bare.receipt,
    status: 'revealed',
    canonical_string,
    hash,
    inclusion: null,
    revocation: null,
    chain: { ...chain, expect_onchain: hash, kind: null, tree_version: null },
  } as Receipt;
}

export const PATIENCE = { timeoutMs: 20_000 };
export const BLOCK_TIME = 2_000_000_000;
export const digest = sha256(dataOf(bare.receipt));
export const withProofs = (...proofs: readonly Uint8Array[]) => ({
  ...bare,
  witnesses: proofs.map((proof) => ({ of: 'commitment', kind: 'ots', proof: `0x${bytesToHex(proof)}` })),
});
export const check = (file: unknown, headers: HeaderSource) => checkOts(parseEvidence(file), headers);
/** As `<verdict> <badge>`. */
export async function judge(proof: Uint8Array, headers: HeaderSource): Promise<string> {
  const { verdict, badge } = await check(withProofs(proof), headers);
  return `${verdict} ${badge}`;
}

export function useCalendars() {
  let calendars: Calendar[] = [];
  beforeAll(async () => {
    calendars = await Promise.all([startCalendar(), startCalendar()]);
  });
  afterEach(() => Promise.all(calendars.map((one) => one.fail('none'))));
  afterAll(() => Promise.all(calendars.map((one) => one.stop())));
  const first = (): Calendar => calendars[0]!;
  const stamp = (of: Uint8Array = digest, one = first()) => stampDigest(one.url, of, PATIENCE);
  const complete = (proof: Timestamp, ...from: Calendar[]) =>
    completeProof(
      proof,
      (from.length > 0 ? from : [first()]).map(({ url }) => url),
      PATIENCE,
    );
  /** @returns the header of the block with the newest promise */
  const mine = async (one = first()) => (await one.mine(BLOCK_TIME)).at(-1)!.header;
  async function mined(of: Uint8Array = digest) {
    const proof = await stamp(of);
    const header = await mine();
    if ((await complete(proof)).length > 0) throw new Error('the proof is not complete');
    return { proof: writeOts(proof), header };
  }
  return {
    get calendar() {
      return first();
    },
    get other() {
      return calendars[1]!;
    },
    node: () => rpcHeaders(first().bitcoinRpc, PATIENCE),
    stamp,
    complete,
    mine,
    mined,
  };
}
