import { isDevelopmentChain } from '@svc/verifier';
import { type Chosen, type Endpoint, isOwn } from './find-trust.ts';

export type Result = 'pass' | 'fail' | 'wait';

/** docs/claims.md lists the checks behind each sentence. */
export const VERDICT_WORDS = {
  receipt: {
    pass: 'PASS: the receipt holds.',
    fail: 'FAIL: the receipt does not hold.',
    wait: 'WAIT: not every check can finish now; no check contradicts the receipt.',
  },
  evidence: {
    pass: 'PASS: the receipt holds by its evidence, which cannot show a later revocation.',
    fail: 'FAIL: the evidence does not hold.',
    wait: 'WAIT: not every check can finish now; no check contradicts the evidence.',
  },
  stamped: {
    pass: 'PASS: the words existed by the time of their time stamp; the chain was not required.',
    fail: 'FAIL: the evidence does not hold.',
    wait: 'WAIT: not every check can finish now; no check contradicts the evidence.',
  },
  /** for sealed and erased words */
  stampedHash: {
    pass: 'PASS: the hash existed by the time of its time stamp; its words were not checked, and the chain was not required.',
    fail: 'FAIL: the evidence does not hold.',
    wait: 'WAIT: not every check can finish now; no check contradicts the evidence.',
  },
  bitcoin: {
    pass: 'PASS: the words existed by the time of a Bitcoin block; the chain was not required.',
    fail: 'FAIL: the evidence does not hold.',
    wait: 'WAIT: not every check can finish now; no check contradicts the evidence.',
  },
  /** for sealed and erased words */
  bitcoinHash: {
    pass: 'PASS: the hash existed by the time of a Bitcoin block; its words were not checked, and the chain was not required.',
    fail: 'FAIL: the evidence does not hold.',
    wait: 'WAIT: not every check can finish now; no check contradicts the evidence.',
  },
  /** only the log of trees: a sealed etch passes too, so the sentence is about the hash */
  witnessed: {
    pass: 'PASS: the hash was in a log that the required witnesses had seen; the chain was not required.',
    fail: 'FAIL: the receipt or the proof of the log does not hold.',
    wait: 'WAIT: not every check can finish now; no check contradicts the receipt.',
  },
  /** by a policy with `quorum none` */
  logged: {
    pass: 'PASS: the hash was in a log of your policy, which requires no witness; the chain was not required.',
    fail: 'FAIL: the receipt or the proof of the log does not hold.',
    wait: 'WAIT: not every check can finish now; no check contradicts the receipt.',
  },
  auditedLog: { fail: 'FAIL: the log of trees contradicts the chain or its own past.' },
  /** no such etch: it can never pass */
  missing: {
    fail: 'FAIL: the promise was broken, or never given.',
    wait: 'WAIT: nothing known now shows that the promise was broken.',
  },
  audit: {
    pass: 'PASS: nothing is left out, and nothing was changed.',
    fail: 'FAIL: something that is on the chain is missing or different.',
    wait: 'WAIT: not everything can be proven now; nothing that was read contradicts the record.',
  },
  /** reused earlier results, which the report lists */
  auditOnKept: {
    pass: 'PASS: nothing is left out, and nothing was changed; reused results are as of the audits that found them.',
    fail: 'FAIL: something that is on the chain is missing or different.',
    wait: 'WAIT: not everything can be proven now; nothing that was read contradicts the record.',
  },
} as const satisfies Record<string, Partial<Record<Result, string>>>;

const DEVELOPMENT_WORDS =
  'This is a development chain: its operator can write any history, so this proves nothing to others.';

export function holdsIf(chosen: Chosen, endpoint: Endpoint, origin: string | null): string | null {
  const { relayers, chainId } = chosen.trust;
  if (!chosen.pinned)
    return `it holds only if ${relayers.join(' or ')} on chain ${chainId} is the right relayer, which only the ${chosen.source} names: ${advice(chosen, origin)}`;
  if (endpoint.urls.length > 0 && !endpoint.own)
    return `it holds only if the endpoint ${endpoint.urls[0]} returns the real chain, and no source that you trust names it: name an endpoint with --rpc`;
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

/** A pass counts only under the reader's trust. */
export const resultUnder = (condition: string | null, checked: Result): Result =>
  checked === 'pass' && condition !== null ? 'wait' : checked;

export const onDevelopment = (words: string, isDevelopment: boolean): string =>
  isDevelopment ? `${words} ${DEVELOPMENT_WORDS}` : words;

const WITHOUT_CHAIN = new Set<keyof typeof VERDICT_WORDS>([
  ...(['stamped', 'stampedHash', 'bitcoin', 'bitcoinHash', 'witnessed', 'logged'] as const),
]);

export function lastLines(
  kind: Exclude<keyof typeof VERDICT_WORDS, 'missing' | 'auditedLog'>,
  checked: Result,
  condition: string | null,
  chosen: Chosen,
): string[] {
  const words: string = VERDICT_WORDS[kind][checked];
  if (checked === 'pass' && condition === null)
    return [onDevelopment(words, !WITHOUT_CHAIN.has(kind) && isDevelopmentChain(chosen.trust))];
  if (condition === null || checked === 'fail') return [words];
  const waiting = `WAIT: ${checked === 'pass' ? 'every check agrees, but ' : ''}${condition}`;
  return checked === 'pass' ? [waiting] : [words, waiting];
}

/** PASS needs values that the reader trusts. */
export const checkWord = (verdict: string, condition: string | null): string =>
  verdict === 'pass' && condition !== null ? 'AGREES' : verdict.toUpperCase();

export const worstResult = (results: readonly Result[]): Result =>
  (['fail', 'wait'] as const).find((one) => results.includes(one)) ?? 'pass';
