import type { Receipt } from '@svc/protocol';
import { checkAuthor, isDevelopmentChain, overall } from '@svc/verifier';
import type { AuthorCheck, Check, Trust, Verification } from '@svc/verifier';
import type { CallOptions } from './operations.ts';

export interface VerifyOptions extends CallOptions {
  /**
   * which chain, contract, schema and relayers count: yours to say, never the receipt's. Without it the service is asked,
   * and the result is `wait` at best: a service that forges receipts publishes what fits them.
   */
  readonly trust?: Trust | undefined;
  /** JSON-RPC endpoints of the chain, tried in order; without them the one that the service names */
  readonly rpcUrls?: readonly string[] | undefined;
  /** the author's key as you know it, 64 hex digits: a signature alone ties the words to nobody */
  readonly authorKey?: string | undefined;
  readonly fetch?: typeof globalThis.fetch | undefined;
}

/** On whose word a verification rests. */
export interface VerifiedTrust extends Trust {
  readonly source: 'caller' | 'service';
  /** is it the caller's own? */
  readonly pinned: boolean;
  /** whoever runs such a chain writes any history: even `pass` convinces nobody else */
  readonly developmentChain: boolean;
}

export interface Verified {
  /** `wait` when something cannot be known now, or you named no `trust`; nothing then speaks against the receipt */
  result: 'pass' | 'fail' | 'wait';
  trust: VerifiedTrust;
  verification: Verification;
  /** null unless you gave `authorKey` */
  author: AuthorCheck | null;
  /** its etch id, username, status and `retracted_at` are only what it says: nothing proves them */
  receipt: Receipt;
}

/** What a verdict is made of; `checks` in place of all of the verification's. */
interface Judging {
  values: Trust;
  pinned: boolean;
  authorKey: string | undefined;
  checks?: readonly Pick<Check, 'verdict'>[];
  /** does it hang on whose attestations count? */
  needsChain?: boolean;
}

/** What was found, and on whose word it rests. */
export function verdict(
  receipt: Receipt,
  verification: Verification,
  { values, pinned, authorKey, checks = verification.checks, needsChain = true }: Judging,
): Verified {
  const author =
    authorKey === undefined
      ? null
      : checkAuthor(receipt, verification, { key: authorKey.toLowerCase(), listedBy: null });
  const checked = overall({ checks: [...checks, ...(author === null ? [] : [author])] });
  return {
    result: checked === 'pass' && needsChain && !pinned ? 'wait' : checked,
    trust: {
      ...values,
      source: pinned ? 'caller' : 'service',
      pinned,
      developmentChain: isDevelopmentChain(values),
    },
    verification,
    author,
    receipt,
  };
}
