import { bytesToHex, parseCanonicalString } from '@svc/protocol';
import type { Receipt } from '@svc/protocol';
import type { Check, Verdict } from '@svc/verifier';
import type { Evidence, Witness } from '@svc/verifier/evidence';
import { isSame, unhex } from '../bytes.ts';
import { stampedData } from '../stamped-data.ts';
import { malformed, TimestampError } from '../timestamp-error.ts';
import { readOts, writeOts } from './file.ts';
import { oncePerHeight } from './headers.ts';
import type { BitcoinHeader, HeaderSource } from './headers.ts';
import { sha256 } from './operation.ts';
import { attestationsOf } from './proof.ts';
import type { Timestamp } from './proof.ts';

export interface OtsCheck {
  verdict: Exclude<Verdict, 'info'>;
  /** `pending`: no Bitcoin block yet; `unproven`: no header was given */
  badge: 'attested' | 'pending' | 'none' | 'unproven' | 'mismatch';
  detail: string;
  evidence: Check['evidence'];
  /** the words or their hash existed by this time of a Bitcoin block */
  time: string | null;
}

export const OTS_KIND = 'ots';

/** Bitcoin accepts a block whose time is this far ahead. */
const MOST_OFF_MS = 2 * 3_600_000;

interface Judged {
  of: Witness['of'];
  height: number;
  merkleRoot: string;
  /** `other`: the block at this height has a different root; `absent`: no given header has it */
  state: 'confirmed' | 'other' | 'absent' | 'unknown';
  header?: BitcoinHeader;
  /** why `unknown` */
  reason?: string;
}

/**
 * Passes when a given header has the Merkle root of a proof (docs/protocol.md#416-opentimestamps).
 * @example
 * const check = await checkOts(evidence, givenHeaders([header]));
 * check.verdict; // 'pass'
 */
export async function checkOts(
  { receipt, witnesses = [] }: Evidence,
  headers: HeaderSource,
): Promise<OtsCheck> {
  const proofs = witnesses.filter(({ kind }) => kind === OTS_KIND);
  let judged: Judged[][];
  try {
    const source = oncePerHeight(headers);
    judged = await Promise.all(proofs.map((witness) => judge(witness, receipt, source)));
  } catch (error) {
    if (!(error instanceof TimestampError)) throw error;
    return mismatch(`An OpenTimestamps proof does not hold: ${error.message}.`);
  }
  const wrong = judged.find(
    (all) => all.some(({ state }) => state === 'other') && !all.some(({ state }) => state === 'confirmed'),
  );
  if (wrong !== undefined)
    return mismatch(
      `A proof does not hold: Bitcoin block ${wrong[0]!.height} has a different Merkle root than the proof.`,
      wrong,
    );
  const all = judged.flat();
  const ofWords = all.filter(({ of }) => of === 'commitment');
  const [first] = headersOf(ofWords);
  if (first !== undefined) return confirmedBy(first, receipt, all);
  if (ofWords.some(({ state }) => state === 'absent'))
    return mismatch(
      'No Bitcoin block header that was given has the Merkle root to which the proof leads.',
      ofWords,
    );
  const open = ofWords[0];
  if (open !== undefined)
    return {
      ...waiting(
        'unproven',
        `The file has a proof that a Bitcoin block contains it, but ${open.reason}: give --bitcoin-header or --bitcoin-rpc.`,
      ),
      evidence: blockLines(ofWords),
    };
  return proofs.some(({ of }) => of === 'commitment')
    ? waiting(
        'pending',
        'A calendar promised a Bitcoin block and has not named it yet: try again in some hours.',
      )
    : waiting('none', 'The file has no OpenTimestamps proof.');
}

/** Earliest first. */
const headersOf = (judged: readonly Judged[]): BitcoinHeader[] =>
  judged.flatMap(({ header }) => header ?? []).toSorted((a, b) => a.time - b.time);

/** @throws {TimestampError} on a malformed proof, or one for different data */
async function judge({ of, proof }: Witness, receipt: Receipt, headers: HeaderSource): Promise<Judged[]> {
  const timestamp = readStrictly(unhex(proof));
  if (!isSame(timestamp.message, sha256(stampedData(receipt, of))))
    throw new TimestampError('imprint', 'it is of something else');
  const found = attestationsOf(timestamp).map(async ({ node, attestation }): Promise<Judged[]> => {
    if (attestation.kind !== 'bitcoin') return [];
    const { height } = attestation;
    const one = { of, height, merkleRoot: bytesToHex(node.message.toReversed()) };
    const answer = await headers(height);
    if (answer.state === 'unknown') return [{ ...one, ...answer }];
    const header = answer.headers.find(({ merkleRoot }) => isSame(merkleRoot, node.message));
    if (header !== undefined) return [{ ...one, state: 'confirmed', header }];
    return [{ ...one, state: answer.state === 'block' ? 'other' : 'absent' }];
  });
  return (await Promise.all(found)).flat();
}

/**
 * Allows one encoding, and no promise next to a block, so that every byte counts.
 * @throws {TimestampError} `malformed`
 */
function readStrictly(bytes: Uint8Array): Timestamp {
  const timestamp = readOts(bytes);
  if (!isSame(writeOts(timestamp), bytes)) throw malformed('it is not written in the order of the format');
  const kinds = new Set(attestationsOf(timestamp).map(({ attestation }) => attestation.kind));
  if (kinds.has('other') || kinds.size > 1)
    throw malformed('it has attestations of several or unknown kinds');
  return timestamp;
}

function confirmedBy(header: BitcoinHeader, receipt: Receipt, judged: readonly Judged[]): OtsCheck {
  const time = new Date(header.time * 1000).toISOString();
  const stated =
    receipt.canonical_string === null ? undefined : parseCanonicalString(receipt.canonical_string)?.createdAt;
  const evidence = [
    { label: 'Bitcoin block', value: header.hash, copy: true },
    { label: 'Its time', value: time, copy: false },
  ];
  if (stated !== undefined && header.time * 1000 + MOST_OFF_MS < Date.parse(stated))
    return { ...mismatch(`The Bitcoin block of ${time} is older than the stated time ${stated}.`), evidence };
  const [tombstone] = headersOf(judged.filter(({ of }) => of === 'tombstone'));
  const detail = [
    `It existed by ${time}, the time in the header of a Bitcoin block that you trust; such a time may be two hours off.`,
    ...(tombstone === undefined
      ? []
      : [`Its retraction existed by ${new Date(tombstone.time * 1000).toISOString()}.`]),
    ...(judged.some(({ state }) => state === 'other')
      ? ['Another attestation in the proof is wrong and was not used.']
      : []),
  ];
  return { verdict: 'pass', badge: 'attested', detail: detail.join(' '), evidence, time };
}

const blockLines = (judged: readonly Judged[]): Check['evidence'] =>
  judged.flatMap(({ height, merkleRoot }) => [
    { label: 'Bitcoin block, by the proof', value: String(height), copy: true },
    { label: 'Its Merkle root, by the proof', value: merkleRoot, copy: true },
  ]);

const mismatch = (detail: string, judged: readonly Judged[] = []): OtsCheck => ({
  ...{ verdict: 'fail', badge: 'mismatch', detail, evidence: blockLines(judged), time: null },
});
const waiting = (badge: 'none' | 'pending' | 'unproven', detail: string): OtsCheck => ({
  ...{ verdict: 'wait', badge, detail, evidence: [], time: null },
});
