import { isDevelopmentChain } from '@svc/verifier';
import { isOwn } from './choose-trust.ts';
import type { Chosen } from './choose-trust.ts';
import type { Endpoint } from './find-trust.ts';

export type Result = 'pass' | 'fail' | 'wait';

/** The last line of each command that tells a verdict; docs/claims.md says of each what was checked for it. */
export const VERDICT_WORDS = {
  receipt: {
    pass: 'PASS: the receipt holds.',
    fail: 'FAIL: the receipt does not hold.',
    wait: 'WAIT: not everything can be known now; nothing speaks against the receipt.',
  },
  evidence: {
    pass: 'PASS: the receipt holds by its evidence, which cannot show that no revocation came later.',
    fail: 'FAIL: the evidence does not hold.',
    wait: 'WAIT: not everything can be known now; nothing speaks against the evidence.',
  },
  /** of evidence of which the reader requires a time stamp and no chain */
  stamped: {
    pass: 'PASS: the words existed by the time of their time stamp; what the chain says was not required.',
    fail: 'FAIL: the evidence does not hold.',
    wait: 'WAIT: not everything can be known now; nothing speaks against the evidence.',
  },
  /** of an etch that the service asked does not have: nothing shows that such a promise was kept */
  missing: {
    fail: 'FAIL: the promise was broken, or never given.',
    wait: 'WAIT: nothing is known of the promise now that would break it.',
  },
  audit: {
    pass: 'PASS: nothing is left out, and nothing was changed.',
    fail: 'FAIL: something that is on the chain is missing or different.',
    wait: 'WAIT: not everything can be proven now; nothing that was read speaks against it.',
  },
  /** of an audit that used what earlier ones found, and says above what and since when */
  auditOnKept: {
    pass: 'PASS: nothing is left out, and nothing was changed; of what was kept, nothing was when it was looked at.',
    fail: 'FAIL: something that is on the chain is missing or different.',
    wait: 'WAIT: not everything can be proven now; nothing that was read speaks against it.',
  },
} as const satisfies Record<string, Partial<Record<Result, string>>>;

/** What is added to every PASS of a development chain. */
const DEVELOPMENT_WORDS =
  'This is a development chain: whoever runs it writes any history, so it convinces nobody else.';

/** On what everything depends that the reader did not choose; null when on nothing. */
export function holdsIf(chosen: Chosen, endpoint: Endpoint, origin: string | null): string | null {
  const { relayers, chainId } = chosen.trust;
  if (!chosen.pinned)
    return `it holds only if ${relayers.join(' or ')} on chain ${chainId} is the right relayer, which only the ${chosen.source} says: ${advice(chosen, origin)}`;
  if (endpoint.urls.length > 0 && !endpoint.own)
    return `it holds only if ${endpoint.urls[0]} tells the chain as it is, which nobody you trust says: name an endpoint with --rpc`;
  return null;
}

const FLAGS = [
  ['relayers', '--relayer'],
  ['contract', '--contract'],
  ['schemaUid', '--schema'],
  ['chainId', '--chain-id'],
] as const;

function advice({ sources }: Chosen, origin: string | null): string {
  const missing = FLAGS.filter(([key]) => !isOwn(sources[key])).map(([, flag]) => flag);
  const flags = `${missing.join(', ')}${missing.length < FLAGS.length ? ' too' : ''}`;
  return origin === null || missing.length < FLAGS.length
    ? `give ${flags}, or --trust`
    : `pin the service with \`svc trust ${origin}\` if you know it, or give --trust or ${flags}`;
}

/** A passed check counts only under trust that the reader gave. */
export const resultUnder = (condition: string | null, checked: Result): Result =>
  checked === 'pass' && condition !== null ? 'wait' : checked;

/** How a report ends. The last line is the one to go by. */
export function lastLines(
  kind: 'receipt' | 'evidence' | 'stamped' | 'audit' | 'auditOnKept',
  checked: Result,
  condition: string | null,
  chosen: Chosen,
): string[] {
  const words: string = VERDICT_WORDS[kind][checked];
  if (checked === 'pass' && condition === null)
    return [isDevelopmentChain(chosen.trust) ? `${words} ${DEVELOPMENT_WORDS}` : words];
  if (condition === null || checked === 'fail') return [words];
  const told = `WAIT: ${checked === 'pass' ? 'what was checked agrees, and ' : ''}${condition}`;
  return checked === 'pass' ? [told] : [words, told];
}

/** The verdict of one check. The word PASS is for what holds under the reader's own trust. */
export const checkWord = (verdict: string, condition: string | null): string =>
  verdict === 'pass' && condition !== null ? 'AGREES' : verdict.toUpperCase();
