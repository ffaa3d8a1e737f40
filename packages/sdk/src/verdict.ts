import type { Receipt } from '@svc/protocol';
import { checkAuthor, isDevelopmentChain, normalizeTrust, overall, rpcChain } from '@svc/verifier';
import type { AuthorCheck, ChainReader, Check, Trust, Verification } from '@svc/verifier';
import { fetchFacts, type ServiceFacts } from './facts.ts';
import type { CallOptions } from './operations.ts';
import type { Transport } from './transport.ts';

export { normalizeTrust, verifyReceipt } from '@svc/verifier';

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

/**
 * A service must not lead a program to hosts of its own network, which have no certificate for a stranger's name. A
 * service on this machine may.
 */
function mayName(service: string, endpoint: string): boolean {
  const [{ hostname: own }, { hostname, protocol }] = [new URL(service), new URL(endpoint)];
  const isHere = (host: string) => /^(?:(?:.*\.)?localhost|127\.[\d.]+|\[::1\])$/.test(host);
  if (isHere(own) || hostname === own) return true;
  return protocol === 'https:' && !isHere(hostname) && !/^\[|^[\d.]+$/.test(hostname);
}

export interface ChosenChain {
  values: Trust;
  reader: ChainReader;
  /** undefined: not needed */
  facts: ServiceFacts | undefined;
}

/** @throws {TypeError} when the trust is malformed, or no endpoint is known that a service may name */
export async function chooseChain(
  transport: Transport,
  { trust, rpcUrls = [], fetch, signal }: Omit<VerifyOptions, 'authorKey'>,
  needsFacts = false,
): Promise<ChosenChain> {
  const isKnown = trust !== undefined && rpcUrls.length > 0;
  const facts = isKnown && !needsFacts ? undefined : await fetchFacts(transport, signal);
  const values = normalizeTrust(trust ?? facts!.trust);
  const stated = rpcUrls.length > 0 ? null : (facts?.rpcUrl ?? null);
  if (stated !== null && fetch === undefined && !mayName(transport.origin, stated))
    throw new TypeError(
      `the service names the endpoint ${stated}, which is neither on its host nor https with a name: give rpcUrls`,
    );
  const urls = stated === null ? rpcUrls : [stated];
  if (urls.length === 0) throw new TypeError('no endpoint of the chain is known: give rpcUrls');
  return { values, facts, reader: rpcChain({ urls, ...(fetch === undefined ? {} : { fetch }) }) };
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
    trust: verifiedTrust(values, pinned),
    verification,
    author,
    receipt,
  };
}

export const verifiedTrust = (values: Trust, pinned: boolean): VerifiedTrust => ({
  ...values,
  source: pinned ? 'caller' : 'service',
  pinned,
  developmentChain: isDevelopmentChain(values),
});
