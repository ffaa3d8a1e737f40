import type { Receipt } from '@svc/protocol';
import { checkAuthor, isDevelopmentChain, overall } from '@svc/verifier';
import type { AuthorCheck, Check, Trust, Verification } from '@svc/verifier';
import type { CallOptions } from './operations.ts';

export { normalizeTrust, rpcChain, verifyReceipt } from '@svc/verifier';

export interface VerifyOptions extends CallOptions {
  /** Without it the result is `wait` at best: a service that forges receipts can publish matching values. */
  readonly trust?: Trust | undefined;
  /** tried in order; default: the endpoint that the service names */
  readonly rpcUrls?: readonly string[] | undefined;
  /** in hex; without it a signature does not identify the author */
  readonly authorKey?: string | undefined;
  readonly fetch?: typeof globalThis.fetch | undefined;
}

export interface VerifiedTrust extends Trust {
  readonly source: 'caller' | 'service';
  /** supplied by the caller */
  readonly pinned: boolean;
  /** its operator can write any history, so `pass` proves nothing to others */
  readonly developmentChain: boolean;
}

export interface Verified {
  /** `wait` when a check cannot finish now, or without `trust` */
  result: 'pass' | 'fail' | 'wait';
  trust: VerifiedTrust;
  verification: Verification;
  /** null without `authorKey` */
  author: AuthorCheck | null;
  /** no check proves its etch id, username, status and `retracted_at` */
  receipt: Receipt;
}

interface Judging {
  values: Trust;
  pinned: boolean;
  authorKey: string | undefined;
  checks?: readonly Pick<Check, 'verdict'>[];
  /** the verdict depends on the trusted relayers */
  needsChain?: boolean;
}

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
