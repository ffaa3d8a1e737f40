import type { Receipt } from '@svc/protocol';
import { LATE_AFTER_MILLISECONDS, type WitnessCheck } from '@svc/verifier';
import { type Evidence, TSA, type Witness } from '@svc/verifier/evidence';
import { digest, unhex } from './bytes.ts';
import type { TrustedCertificates } from './certificates.ts';
import { line, notPassed, stampedData, statedTime } from './stamped-data.ts';
import { TimestampError, type TimestampFault } from './timestamp-error.ts';
import { type Timestamp, verifyToken } from './verify-token.ts';

/** `unproven`: no certificate was given. */
export type TimestampCheck = WitnessCheck<'stamped' | 'late' | 'none' | 'unproven' | 'mismatch'>;

/** An authority's clock may be this much slower. */
const MOST_BEHIND_MS = 60_000;

/**
 * Needs no chain: the stamped data follows from the receipt (docs/protocol.md#49-time-stamps). Waits without
 * a stamp or certificates, or when the check takes too long.
 * @param now milliseconds, to report expired certificates
 * @example
 * const check = await checkTimestamps(evidence, readCertificates(pem), Date.now());
 * check.verdict; // 'pass'
 * check.badge; // 'stamped'
 */
export async function checkTimestamps(
  { receipt, witnesses = [] }: Evidence,
  trusted: TrustedCertificates,
  now: number,
): Promise<TimestampCheck> {
  const tokens = witnesses.filter(({ kind }) => kind === TSA.witness);
  const found = await Promise.all(tokens.map((witness) => judge(witness, receipt, trusted)));
  const wrong = found.find((one) => one.fault !== undefined && !OPEN.has(one.fault.fault));
  if (wrong?.fault !== undefined) return mismatch(`A time stamp does not hold: ${wrong.fault.message}.`);
  const ofWords = found.filter(({ of }) => of === 'commitment');
  const stamps = ofWords.flatMap(({ stamp }) => (stamp === undefined ? [] : [stamp]));
  const first = stamps.sort((a, b) => a.time - b.time)[0];
  if (first !== undefined) return judgeTime(first, receipt, found, now);
  const late = ofWords.find(({ fault }) => fault?.fault === 'limit')?.fault;
  if (late !== undefined)
    return waiting('unproven', `The file holds a time stamp, but ${late.message}: try again.`);
  const unknown = ofWords[0]?.fault;
  if (unknown === undefined) return waiting('none', 'The file holds no time stamp of an authority.');
  return trusted.length === 0
    ? waiting(
        'unproven',
        `The file holds a time stamp, but no certificate was given to judge it by: ${unknown.message}.`,
      )
    : mismatch(`No authority that you trust signed the time stamp: ${unknown.message}.`);
}

/** Faults that do not show that a token is wrong. */
const OPEN: ReadonlySet<TimestampFault> = new Set(['unknown', 'limit']);

interface Judged {
  of: Witness['of'];
  stamp?: Timestamp;
  fault?: TimestampError;
}

async function judge(
  { of, proof }: Witness,
  receipt: Receipt,
  trusted: TrustedCertificates,
): Promise<Judged> {
  try {
    const imprint = await digest('SHA-256', stampedData(receipt, of));
    return { of, stamp: await verifyToken(unhex(proof), imprint, trusted) };
  } catch (error) {
    if (error instanceof TimestampError) return { of, fault: error };
    throw error;
  }
}

function judgeTime(
  stamp: Timestamp,
  receipt: Receipt,
  found: readonly Judged[],
  now: number,
): TimestampCheck {
  const time = new Date(stamp.time).toISOString();
  const stated = statedTime(receipt);
  const after = stated === undefined ? 0 : stamp.time - Date.parse(stated);
  const tombstone = found.find(({ of, stamp: other }) => of === 'tombstone' && other !== undefined)?.stamp;
  const accuracy = stamp.accuracy > 0 ? ` (give or take ${stamp.accuracy / 1000} s)` : '';
  const goodUntil = new Date(stamp.goodUntil).toISOString();
  const evidence = [
    line('Time stamp by', stamp.authority),
    line('Its number', stamp.serial, true),
    line('Its time', time),
    line('Its certificates were good until', goodUntil),
  ];
  if (after < -MOST_BEHIND_MS - stamp.accuracy)
    return { ...mismatch(`The time stamp of ${time} is older than the stated time ${stated}.`), evidence };
  const late = after > LATE_AFTER_MILLISECONDS;
  const detail = [
    `It existed by ${time}${accuracy}, by the clock of ${stamp.authority}, whose certificate leads to one that you trust.`,
    ...(late
      ? [`That is more than ten minutes after the stated time ${stated}: the time proven is the later one.`]
      : []),
    ...(tombstone === undefined
      ? []
      : [
          `Its retraction existed by ${new Date(tombstone.time).toISOString()}, by the clock of ${tombstone.authority}.`,
        ]),
    ...(stamp.goodUntil < now
      ? [`One of its certificates expired later, at ${goodUntil}; it was valid at the time of the stamp.`]
      : []),
    'Revocation of certificates is not checked.',
  ];
  return { verdict: 'pass', badge: late ? 'late' : 'stamped', detail: detail.join(' '), evidence, time };
}

const mismatch = (detail: string): TimestampCheck => notPassed('fail', 'mismatch', detail);
const waiting = (badge: 'none' | 'unproven', detail: string): TimestampCheck =>
  notPassed('wait', badge, detail);
