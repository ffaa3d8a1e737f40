import { isPromiseSigned, parsePromise, promiseEnd } from '@svc/protocol';
import type { Receipt, SignedPromise } from '@svc/protocol';
import { exact, remark } from './check.ts';
import type { Evidence, Verdict } from './check.ts';
import type { Verification } from './verification.ts';

/** What is known of the etch that was promised. `missing`: the service says that it has none. */
export type PromisedEtch =
  | { state: 'found'; receipt: Receipt; verification: Verification }
  | { state: 'missing' }
  | { state: 'unread'; reason: string };

/** Whose promises count. `pinned`: the reader says so. Keys that only the service names now may have been exchanged. */
export interface PromiseTrust {
  keys: readonly string[];
  pinned: boolean;
}

export interface PromiseCheck {
  verdict: Verdict;
  badge: 'kept' | 'due' | 'late' | 'broken' | 'forged' | 'unknown-key' | 'unread';
  detail: string;
  evidence: Evidence[];
}

/**
 * Was the promise kept: is this etch, with this hash and author, anchored by the end of the promised day
 * (docs/protocol.md#10-promises)?
 * @param now milliseconds since 1970
 * @throws {PromiseError} when the promise is malformed
 */
export function checkPromise(
  signed: SignedPromise,
  trust: PromiseTrust,
  etch: PromisedEtch,
  now: number,
): PromiseCheck {
  const { promise, parts } = parsePromise(signed);
  const evidence = [exact('Promise', promise.text), exact('Signed by', promise.public_key)];
  const found = (
    verdict: Verdict,
    badge: PromiseCheck['badge'],
    detail: string,
    more: Evidence[] = [],
  ): PromiseCheck => ({ verdict, badge, detail, evidence: [...evidence, ...more] });

  if (!isPromiseSigned(promise))
    return found('fail', 'forged', 'Its signature does not verify: the holder of this key did not give it.');
  if (!trust.keys.includes(promise.public_key))
    return trust.pinned
      ? found('fail', 'unknown-key', 'It is signed by a key that is not among the trusted ones.')
      : found(
          'wait',
          'unknown-key',
          'The service does not name this key now. If it ever did, it is its promise: pin keys early.',
        );
  if (etch.state === 'unread') return found('wait', 'unread', `The etch could not be read: ${etch.reason}.`);
  if (etch.state === 'missing')
    return found(
      'fail',
      'broken',
      'The service took this etch and promised to anchor it, and has no such etch.',
    );
  const { receipt, verification } = etch;
  const differences = [
    ...(receipt.etch_id === parts.etchId ? [] : [`the etch is ${receipt.etch_id}`]),
    ...(receipt.hash === parts.hash ? [] : [`its hash is ${receipt.hash}`]),
    ...(receipt.author.user_id === parts.userId ? [] : [`its author is ${receipt.author.user_id}`]),
  ];
  if (differences.length > 0)
    return found('fail', 'broken', `Something else was promised than is there: ${differences.join('; ')}.`);

  const end = promiseEnd(parts.anchorBy);
  const [, batch, chain] = verification.checks;
  if (batch.verdict === 'fail' || chain.badge === 'mismatch')
    return found('fail', 'broken', 'The etch is not anchored as it was promised: see the other checks.');
  if (receipt.chain.attestation_uid === null)
    return now >= end
      ? found('fail', 'broken', `It was to be anchored by the end of ${parts.anchorBy} (UTC), and is not.`)
      : found('wait', 'due', `It is to be anchored by the end of ${parts.anchorBy} (UTC).`);
  const time = verification.chain.onchainTimestamp;
  if (time === null) return found('wait', 'unread', 'The attestation could not be read.');
  const anchored = [remark('Anchored at', time)];
  return Date.parse(time) < end
    ? found('pass', 'kept', `It was anchored by the end of ${parts.anchorBy} (UTC), as promised.`, anchored)
    : found(
        'fail',
        'late',
        `It was anchored after ${parts.anchorBy} (UTC), the last promised day.`,
        anchored,
      );
}
