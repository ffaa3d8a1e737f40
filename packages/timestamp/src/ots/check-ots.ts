import { bytesToHex, type Receipt } from '@svc/protocol';
import type { WitnessCheck } from '@svc/verifier';
import { type Evidence, OTS, type Witness } from '@svc/verifier/evidence';
import { isSame, unhex } from '../bytes.ts';
import { line, notPassed, stampedData, statedTime } from '../stamped-data.ts';
import { malformed, TimestampError } from '../timestamp-error.ts';
import { readOts, writeOts } from './file.ts';
import { type BitcoinHeader, type HeaderSource, oncePerHeight } from './headers.ts';
import { sha256 } from './operation.ts';
import { attestationsOf, type Timestamp } from './proof.ts';

/** `pending`: no Bitcoin block yet; `unproven`: no header was given. */
export type OtsCheck = WitnessCheck<'attested' | 'pending' | 'none' | 'unproven' | 'mismatch'>;

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
  const proofs = witnesses.filter(({ kind }) => kind === OTS.witness);
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
    return notPassed(
      'wait',
      'unproven',
      `The file has a proof that a Bitcoin block contains it, but ${open.reason}: give --bitcoin-header or --bitcoin-rpc.`,
      blockLines(ofWords),
    );
  return proofs.some(({ of }) => of === 'commitment')
    ? notPassed(
        'wait',
        'pending',
        'A calendar promised a Bitcoin block and has not named it yet: try again in some hours.',
      )
    : notPassed('wait', 'none', 'The file has no OpenTimestamps proof.');
}

/** Earliest first. */
const headersOf = (judged: readonly Judged[]): BitcoinHeader[] =>
  judged.flatMap(({ header }) => header ?? []).toSorted((a, b) => a.time - b.time);

/** @throws {TimestampError} on a malformed proof, or one for different data */
async function judge({ of, proof }: Witness, receipt: Receipt, headers: HeaderSource): Promise<Judged[]> {
  const timestamp = readStrictly(unhex(proof));
  if (!isSame(timestamp.message, sha256(stampedData(receipt, of))))
    throw new TimestampError('imprint', 'it is for different data');
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
  const stated = statedTime(receipt);
  const evidence = [line('Bitcoin block', header.hash, true), line('Its time', time)];
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

const blockLines = (judged: readonly Judged[]) =>
  judged.flatMap(({ height, merkleRoot }) => [
    line('Bitcoin block, by the proof', String(height), true),
    line('Its Merkle root, by the proof', merkleRoot, true),
  ]);

const mismatch = (detail: string, judged: readonly Judged[] = []): OtsCheck =>
  notPassed('fail', 'mismatch', detail, blockLines(judged));
