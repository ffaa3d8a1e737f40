import {
  anchorBy,
  isPromiseSigned,
  isDescriptionTakenDown,
  parseCanonicalString,
  parsePromise,
  promiseEnd,
  type PromiseFields,
  type PublicFields,
  type Receipt,
  type SignedPromise,
} from '@svc/protocol';
import { type CheckedValue, type CheckResult, exact, remark } from './check.ts';
import { contentFault, fieldDifferences, type Outcome, PROMISE_VERDICTS } from './promise-faults.ts';
import type { Verification } from './verification.ts';

export interface KeptPromise {
  promise: SignedPromise;
  /** shows, with the nonce, which content was accepted */
  content?: string | undefined;
}

/** `missing`: 404. `pinned`: read just now from the origin whose promise keys the caller pinned. */
export type PromisedEtch =
  | {
      state: 'found';
      receipt: Receipt;
      verification: Verification;
      pinned: boolean;
      /** for a receipt without words, `2026-01-02`; from the origin if `pinned` */
      createdOn?: string | undefined;
      /** as shown now */
      publicFields?: PublicFields | undefined;
    }
  | { state: 'missing'; pinned: boolean }
  | { state: 'unread'; reason: string };

/** `pinned`: by the caller. Other keys prove no identity. */
export interface PromiseTrust {
  keys: readonly string[];
  pinned: boolean;
}

export type PromiseCheck = CheckResult<Outcome['badge']>;

/**
 * A missing or late anchor and changed public fields break a promise only when its own origin shows them, a
 * missing anchor only after the promised day. Different revealed content breaks it at any time
 * (docs/protocol.md#410-promises).
 * @param now milliseconds since 1970
 * @throws {PromiseError} when the promise is malformed
 * @example
 * const verification = await verifyReceipt(receipt, trust, chain);
 * const found = { state: 'found', receipt, verification, publicFields: publicFieldsOf(etch), pinned: true };
 * checkPromise({ promise }, { keys: promiseKeys, pinned: true }, found, Date.now()).badge; // 'kept'
 */
export function checkPromise(
  kept: KeptPromise,
  trust: PromiseTrust,
  etch: PromisedEtch,
  now: number,
): PromiseCheck {
  const { promise, fields } = parsePromise(kept.promise);
  const judged = judge({ promise, fields, content: kept.content }, trust, etch, now);
  const { badge, detail, more = [] } = judged;
  const evidence = [exact('Promise', promise.text), exact('Signed by', promise.public_key)];
  return { verdict: PROMISE_VERDICTS[badge], badge, detail, evidence: [...evidence, ...more] };
}

function judge(
  { promise, fields, content }: KeptPromise & { fields: PromiseFields },
  trust: PromiseTrust,
  etch: PromisedEtch,
  now: number,
): Outcome {
  if (!isPromiseSigned(promise))
    return makeOutcome('forged', 'Its signature does not verify: this key did not sign it.');
  if (!trust.pinned || !trust.keys.includes(promise.public_key))
    return makeOutcome(
      'unknown-key',
      'It is signed by a key that you did not pin, so it is not known whose promise it is.',
    );
  if (etch.state === 'unread') return makeOutcome('unread', `The etch could not be read: ${etch.reason}.`);

  const by = `by the end of ${fields.anchorBy} (UTC)`;
  const isOver = now >= promiseEnd(fields.anchorBy);
  /** Fails only on the promise's own origin, after the promised day. */
  const against = (fact: string): Outcome =>
    !etch.pinned
      ? makeOutcome('elsewhere', `${fact} Only the origin of the promise can show that it is broken.`)
      : isOver
        ? makeOutcome('broken', `${fact} It was to be anchored ${by}.`)
        : makeOutcome('due', `${fact} It is to be anchored ${by}.`);
  if (etch.state === 'missing') return against('The service has no such etch.');

  const { receipt, verification } = etch;
  if (receipt.etch_id !== fields.etchId)
    return makeOutcome('other-etch', `The receipt is of etch ${receipt.etch_id}, not of the promised etch.`);
  const differences = [
    ...(receipt.hash === fields.hash ? [] : [`its hash is ${receipt.hash}`]),
    ...(receipt.author.user_id === fields.userId ? [] : [`its author is ${receipt.author.user_id}`]),
  ];
  if (differences.length > 0)
    return against(`The receipt is not of the promised etch: ${differences.join('; ')}.`);
  const words = provenWords(etch);
  const day = words?.createdAt.slice(0, 10) ?? etch.createdOn ?? null;
  if (day !== null && anchorBy(day) !== fields.anchorBy) {
    const fact = `It names ${fields.anchorBy} as the last day; the last day for an etch of ${day} is ${anchorBy(day)}.`;
    return words !== null || etch.pinned
      ? makeOutcome('misdated', fact)
      : makeOutcome(
          'elsewhere',
          `${fact} Nothing proves that day: only the words, or the origin of the promise, can show that it is wrong.`,
        );
  }
  const fault = contentFault(fields, { nonce: promise.nonce, content }, words?.content ?? null);
  if (fault?.badge === 'other-content') return fault;
  const edits = etch.publicFields === undefined ? [] : fieldDifferences(fields, etch.publicFields);
  if (edits.length > 0) {
    const fact = `The public fields are not the promised ones: ${edits.join('; ')}.`;
    return etch.pinned ? makeOutcome('edited', fact) : against(fact);
  }
  const [, batch, chain] = verification.checks;
  const left = batch.verdict === 'fail' ? null : onFormerChain(receipt, fields);
  if (batch.verdict === 'fail' || chain.verdict === 'fail')
    return left ?? against('The receipt does not prove what was promised: see the other checks.');
  if (receipt.chain.attestation_uid === null) return left ?? against('The receipt shows no attestation.');
  const time = verification.chain.onchainTimestamp;
  if (chain.verdict === 'wait' || time === null)
    return makeOutcome(
      'unread',
      'The chain check has not passed yet, so it is not known whether the promise was kept.',
    );
  const more = [remark('Anchored at', time)];
  if (etch.publicFields !== undefined && isDescriptionTakenDown(etch.publicFields.description))
    more.push(remark('Description', 'taken down by the operator: only its SHA-256 in the promise remains'));
  const isKept = Date.parse(time) < promiseEnd(fields.anchorBy);
  if (isKept && fault !== null) return { ...fault, more };
  if (isKept && etch.publicFields === undefined)
    return makeOutcome(
      'unread',
      `It was anchored ${by}, as promised. Description, topic, mode, reveal time and challenge were promised too; only the service shows them.`,
      more,
    );
  if (isKept) return makeOutcome('kept', `It was anchored ${by}, as promised.`, more);
  if (left !== null) return { ...left, more };
  return etch.pinned
    ? makeOutcome('late', `It was anchored after ${fields.anchorBy} (UTC), the last promised day.`, more)
    : { ...against(`This attestation came after ${fields.anchorBy} (UTC).`), more };
}

/** Waits for the evidence of a chain that the service left, if it anchored the etch in time. */
function onFormerChain({ former = [] }: Receipt, { anchorBy: day }: PromiseFields): Outcome | null {
  const found = former.find(({ anchored_at: at }) => at !== null && Date.parse(at) < promiseEnd(day));
  if (found === undefined) return null;
  const { name, chain_id, anchored_at } = found;
  return makeOutcome(
    'elsewhere',
    `The receipt says that it was anchored at ${anchored_at} on ${name} (chain ${chain_id}), which the service left. Only its evidence there (svc verify --former) shows whether the promise was kept.`,
  );
}

/** Null unless the words make the hash. */
function provenWords({ receipt, verification }: Extract<PromisedEtch, { state: 'found' }>) {
  if (!verification.recomputed_hash_matches || receipt.canonical_string === null) return null;
  return parseCanonicalString(receipt.canonical_string) ?? null;
}

const makeOutcome = (badge: Outcome['badge'], detail: string, more: CheckedValue[] = []): Outcome => ({
  badge,
  detail,
  more,
});
