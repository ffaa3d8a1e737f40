import {
  anchorBy,
  isPromiseSigned,
  parseCanonicalString,
  parsePromise,
  parsePromiseV2,
  PROMISE_V2_TAG,
  promiseEnd,
} from '@svc/protocol';
import type { Beside, PromisedBeside, PromiseParts, Receipt, SignedPromise } from '@svc/protocol';
import { besideDifferences } from './promise-beside.ts';
import { exact, remark } from './check.ts';
import type { Evidence, Verdict } from './check.ts';
import type { Verification } from './verification.ts';

/**
 * What is known of the etch that was promised. `missing`: a service answers 404 for its id. `pinned`: that answer, or the
 * receipt, came just now from the origin whose promise keys the reader pinned. Only that origin can break its promise.
 */
export type PromisedEtch =
  | {
      state: 'found';
      receipt: Receipt;
      verification: Verification;
      pinned: boolean;
      /** the etch's day where the words do not show it: as the answer to its making said, `2026-01-02` */
      createdOn?: string | undefined;
      /** what stands beside the words, as whoever the receipt came from shows it now; a receipt does not hold it */
      beside?: Beside | undefined;
    }
  | { state: 'missing'; pinned: boolean }
  | { state: 'unread'; reason: string };

/** Whose promises count. `pinned`: the reader says so. Keys that only a service names now may be anybody's. */
export interface PromiseTrust {
  keys: readonly string[];
  pinned: boolean;
}

export interface PromiseCheck {
  verdict: Verdict;
  badge:
    | 'kept'
    | 'due'
    | 'late'
    | 'broken'
    | 'edited'
    | 'forged'
    | 'misdated'
    | 'unknown-key'
    | 'other-etch'
    | 'elsewhere'
    | 'unread';
  detail: string;
  evidence: Evidence[];
}

type Outcome = Pick<PromiseCheck, 'verdict' | 'badge' | 'detail'> & { more?: Evidence[] };

/**
 * Was the promise kept: is this etch, with this hash and author, anchored by the end of the promised day
 * (docs/protocol.md#10-promises)? It is broken only once that day is over, and only by what its own origin answers then. A promise of
 * version 2 is also broken, at any time, by what its origin shows beside the words when that is not what it promised.
 * @param now milliseconds since 1970
 * @throws {PromiseError} when the promise is malformed
 * @example
 * const verification = await verifyReceipt(receipt, trust, chain);
 * const found = { state: 'found', receipt, verification, pinned: true };
 * const pinned = { keys: promiseKeys, pinned: true };
 * checkPromise(promise, pinned, found, Date.now()).badge; // 'kept'
 * checkPromise(promise, pinned, { state: 'missing', pinned: true }, Date.now()).badge; // 'due'
 */
export function checkPromise(
  signed: SignedPromise,
  trust: PromiseTrust,
  etch: PromisedEtch,
  now: number,
): PromiseCheck {
  const read = isVersion2(signed) ? parsePromiseV2(signed) : { ...parsePromise(signed), beside: null };
  const { promise } = read;
  const { more = [], ...outcome } = judge(read, trust, etch, now);
  const evidence = [exact('Promise', promise.text), exact('Signed by', promise.public_key)];
  return { ...outcome, evidence: [...evidence, ...more] };
}

const isVersion2 = ({ text }: SignedPromise): boolean =>
  typeof text === 'string' && text.startsWith(`${PROMISE_V2_TAG}|`);

function judge(
  { promise, parts, beside }: { promise: SignedPromise; parts: PromiseParts; beside: PromisedBeside | null },
  trust: PromiseTrust,
  etch: PromisedEtch,
  now: number,
): Outcome {
  if (!isPromiseSigned(promise))
    return said('fail', 'forged', 'Its signature does not verify: the holder of this key did not give it.');
  if (!trust.pinned || !trust.keys.includes(promise.public_key))
    return said(
      'wait',
      'unknown-key',
      'It is signed by a key that you did not pin: whose promise it is, is not known here.',
    );
  if (etch.state === 'unread') return said('wait', 'unread', `The etch could not be read: ${etch.reason}.`);

  const by = `by the end of ${parts.anchorBy} (UTC)`;
  const isOver = now >= promiseEnd(parts.anchorBy);
  /** What speaks against the promise counts from its own origin alone, and after its day. */
  const against = (fact: string): Outcome =>
    !etch.pinned
      ? said(
          'wait',
          'elsewhere',
          `${fact} That breaks nothing unless the origin of the promise says so itself.`,
        )
      : isOver
        ? said('fail', 'broken', `${fact} It was to be anchored ${by}.`)
        : said('wait', 'due', `${fact} It is to be anchored ${by}.`);
  if (etch.state === 'missing') return against('The service asked has no such etch.');

  const { receipt, verification } = etch;
  if (receipt.etch_id !== parts.etchId)
    return said(
      'wait',
      'other-etch',
      `The receipt is of etch ${receipt.etch_id}: it says nothing of the promised one.`,
    );
  const differences = [
    ...(receipt.hash === parts.hash ? [] : [`its hash is ${receipt.hash}`]),
    ...(receipt.author.user_id === parts.userId ? [] : [`its author is ${receipt.author.user_id}`]),
  ];
  if (differences.length > 0)
    return against(`The receipt is not of what was promised: ${differences.join('; ')}.`);
  const day = provenDay(etch);
  if (day !== null && anchorBy(day) !== parts.anchorBy)
    return said(
      'fail',
      'misdated',
      `It names ${parts.anchorBy} as the last day; an etch of ${day} is promised by ${anchorBy(day)}.`,
    );
  const edits = beside === null || etch.beside === undefined ? [] : besideDifferences(beside, etch.beside);
  if (edits.length > 0) {
    const fact = `What stands beside the words is not what was promised: ${edits.join('; ')}.`;
    return etch.pinned ? said('fail', 'edited', fact) : against(fact);
  }
  const [, batch, chain] = verification.checks;
  if (batch.verdict === 'fail' || chain.verdict === 'fail')
    return against('The receipt does not hold what was promised: see the other checks.');
  if (receipt.chain.attestation_uid === null) return against('The receipt shows no attestation.');
  const time = verification.chain.onchainTimestamp;
  if (chain.verdict === 'wait' || time === null)
    return said('wait', 'unread', 'The chain check has not passed yet: nothing is known of the promise.');
  const more = [remark('Anchored at', time)];
  const isKept = Date.parse(time) < promiseEnd(parts.anchorBy);
  if (isKept && beside !== null && etch.beside === undefined)
    return {
      ...said(
        'wait',
        'unread',
        `It was anchored ${by}, as promised; description, topic, mode, reveal time and challenge were promised too, and only the service shows those.`,
      ),
      more,
    };
  if (isKept) return { ...said('pass', 'kept', `It was anchored ${by}, as promised.`), more };
  return etch.pinned
    ? {
        ...said('fail', 'late', `It was anchored after ${parts.anchorBy} (UTC), the last promised day.`),
        more,
      }
    : { ...against(`This attestation came after ${parts.anchorBy} (UTC).`), more };
}

/** The day of an etch: of its words, once they are proven to be the hashed ones, else as its answer told. */
function provenDay(etch: Extract<PromisedEtch, { state: 'found' }>): string | null {
  const { receipt, verification, createdOn } = etch;
  const words = verification.recomputed_hash_matches ? receipt.canonical_string : null;
  const at = words === null ? undefined : parseCanonicalString(words)?.createdAt;
  return at?.slice(0, 10) ?? createdOn ?? null;
}

const said = (verdict: Verdict, badge: PromiseCheck['badge'], detail: string): Outcome => ({
  verdict,
  badge,
  detail,
});
