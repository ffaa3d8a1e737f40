import { type CheckResult, isDevelopmentChain } from '@svc/verifier';
import { type Chosen, type Endpoint, isOwn, TRUST_KEYS, TRUST_NAMES } from './find-trust.ts';
import { snakeTrust } from './pins.ts';

export type Result = 'pass' | 'fail' | 'wait';

export type VerdictWords = Record<Result, string>;

export const OF_EVIDENCE = {
  fail: 'FAIL: the evidence does not hold.',
  wait: 'WAIT: not every check can finish now; no check contradicts the evidence.',
} as const;
const AUDIT = {
  fail: 'FAIL: something that is on the chain is missing or different.',
  wait: 'WAIT: not everything can be proven now; nothing that was read contradicts the record.',
} as const;

/** docs/claims.md lists the checks behind each sentence. */
export const VERDICT_WORDS = {
  auditedLog: { fail: 'FAIL: the log of trees contradicts the chain, its leaves or its own past.' },
  /** no such etch: it can never pass */
  missing: {
    fail: 'FAIL: the promise was broken, or never given.',
    wait: 'WAIT: nothing known now shows that the promise was broken.',
  },
  audit: {
    pass: 'PASS: nothing is left out, and nothing was changed.',
    ...AUDIT,
  },
  /** reused earlier results, which the report lists */
  auditOnKept: {
    pass: 'PASS: nothing is left out, and nothing was changed; reused results are as of the audits that found them.',
    ...AUDIT,
  },
  /** by the index of accounts */
  auditIndex: {
    fail: 'FAIL: something is left out or different, or the index contradicts itself or its past.',
    wait: AUDIT.wait,
  },
  /** a file that convicts the operator of a log */
  omission: {
    pass: 'PASS: the omission is proven: the key of the log signed an index that leaves out the etch.',
    fail: 'FAIL: the file proves no omission.',
    wait: 'WAIT: the file cannot be checked now; nothing in it was disproved.',
  },
  /** a file of `svc record`; a pass has the numbers */
  record: {
    fail: 'FAIL: the record in the file leaves something out, or differs from its index.',
    wait: 'WAIT: not everything can be proven now; nothing in the file contradicts the record.',
  },
} as const satisfies Record<string, Partial<VerdictWords>>;

/** @param upTo time of the cosignatures; null: no named witness cosigned, and the index may be old */
export const indexVerdicts = (upTo: string | null) => ({
  ...VERDICT_WORDS.auditIndex,
  pass: `PASS: the record has every etch of the log up to ${upTo}, by the index, which a witness that you named recomputed.`,
  /** in place of a pass */
  byOperator:
    upTo === null
      ? "complete by the operator's index; nobody whom you named has recomputed it."
      : `complete up to ${upTo} by the operator's index; nobody whom you named has recomputed it.`,
});

/** The last line on a file of `svc record` that passes. */
export const completeWords = (counts: string, upTo: string, isByOperator: boolean): string =>
  isByOperator
    ? `WAIT: ${counts}; every etch of the log up to ${upTo} by the operator's index; nobody whom you named has recomputed it.`
    : `PASS: ${counts}; every etch of the log up to ${upTo}.`;

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

function advice({ sources }: Chosen, origin: string | null): string {
  const missing = TRUST_KEYS.filter((key) => !isOwn(sources[key])).map((key) => TRUST_NAMES[key][1]);
  const flags = `${missing.join(', ')}${missing.length < TRUST_KEYS.length ? ' too' : ''}`;
  return origin === null || missing.length < TRUST_KEYS.length
    ? `give ${flags}, or --trust`
    : `pin the service with \`svc trust ${origin}\` if you know it, or give --trust or ${flags}`;
}

/** A pass counts only under the reader's trust. */
export const resultUnder = (condition: string | null, checked: Result): Result =>
  checked === 'pass' && condition !== null ? 'wait' : checked;

export const onDevelopment = (words: string, isDevelopment: boolean): string =>
  isDevelopment ? `${words} ${DEVELOPMENT_WORDS}` : words;

/** @param chosen of the chain; null if it is not required */
export function lastLines(
  all: VerdictWords,
  checked: Result,
  condition: string | null,
  chosen: Chosen | null,
): string[] {
  const words = all[checked];
  if (checked === 'pass' && condition === null)
    return [onDevelopment(words, chosen !== null && isDevelopmentChain(chosen.trust))];
  if (condition === null || checked === 'fail') return [words];
  const waiting = `WAIT: ${checked === 'pass' ? 'every check agrees, but ' : ''}${condition}`;
  return checked === 'pass' ? [waiting] : [words, waiting];
}

/** PASS needs values that the reader trusts. */
const checkWord = (verdict: string, condition: string | null): string =>
  verdict === 'pass' && condition !== null ? 'AGREES' : verdict.toUpperCase();

export const worstResult = (results: readonly Result[]): Result =>
  (['fail', 'wait'] as const).find((one) => results.includes(one)) ?? 'pass';

export function trustJson({ trust, source, pinned, sources }: Chosen, condition: string | null) {
  return {
    source,
    pinned,
    holds_only_if: condition,
    development_chain: isDevelopmentChain(trust),
    ...snakeTrust(trust),
    taken_from: {
      chain_id: sources.chainId,
      attestation_contract: sources.contract,
      schema_uid: sources.schemaUid,
      relayers: sources.relayers,
    },
  };
}

/** `time`: of a witness, by its clock; null or absent: not proven */
export type Shown = CheckResult<string> & { time?: string | null };

export function checkLines(
  title: string,
  { verdict, badge, detail, evidence }: Shown,
  condition: string | null,
): string[] {
  const shown = evidence.map(({ label, value }) => `      ${label}: ${value}`);
  return [`${checkWord(verdict, condition)}  ${title}: ${badge}`, `      ${detail}`, ...shown];
}
