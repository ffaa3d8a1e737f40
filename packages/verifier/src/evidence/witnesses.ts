import type { Check } from '../check.ts';
import { PROOF_KINDS, type ProofKind, type WitnessFinding } from '../proofs/index.ts';
import type { ClientProof } from '../proofs/proof-kind.ts';
import type { Verification } from '../verification.ts';
import type { Evidence } from './evidence-form.ts';

type Kind = Extract<(typeof PROOF_KINDS)[number], { client: ClientProof }>;
export type Requirement = 'chain' | Kind['need'];

const KINDS: readonly Kind[] = PROOF_KINDS.filter((kind) => 'client' in kind);
export const REQUIREMENTS: readonly Requirement[] = ['chain', ...KINDS.map(({ need }) => need)];
/** For help: `chain, tsa (a time stamp)`. */
export const REQUIREMENTS_LISTED = ['chain', ...KINDS.map(({ need, about }) => `${need} (${about})`)].join(
  ', ',
);

/** The caller's check of each kind; for `timestamps`, `checkTimestamps` of `@svc/timestamp`. */
export type WitnessChecks = {
  readonly [One in Kind as One['client']['option']]?:
    | ((evidence: Evidence) => Promise<WitnessFinding>)
    | undefined;
};

/** By kind; a kind without a finding was not checked. */
export type WitnessFindings = { readonly [Name in Kind['need']]?: WitnessFinding | undefined };

export interface WitnessVerdict extends WitnessFinding {
  by: Requirement;
  required: boolean;
}

/**
 * Runs the caller's check of each kind, or else the check of the kind itself.
 * @example
 * (await checkWitnesses(evidence, {})).tsa; // undefined
 */
export async function checkWitnesses(
  evidence: Evidence,
  checks: WitnessChecks,
  kinds: readonly Pick<Kind & ProofKind, 'need' | 'client'>[] = KINDS,
): Promise<WitnessFindings> {
  const found = kinds.map(async ({ need, client }) => {
    const check = checks[client.option] ?? client.check;
    return [need, await check?.(evidence)] as const;
  });
  return Object.fromEntries(await Promise.all(found));
}

/**
 * @throws {TypeError} when `require` is empty or names something unknown
 * @example
 * const verification = await verifyEvidence(evidence, trust, blockHashes([blockHash]));
 * const [chain, tsa] = judgeWitnesses(evidence, verification, {}, ['chain', 'tsa']);
 * [chain.verdict, tsa.verdict]; // ['pass', 'wait']
 */
export function judgeWitnesses(
  evidence: Evidence,
  { checks: [, , chain], chain: read }: Verification,
  found: WitnessFindings,
  require: readonly Requirement[] = ['chain'],
): WitnessVerdict[] {
  if (require.length === 0 || !require.every((what) => REQUIREMENTS.includes(what)))
    throw new TypeError(`require: give one or both of ${REQUIREMENTS.join(', ')}`);
  const { verdict, badge, detail } = chain;
  const time = verdict === 'pass' ? read.onchainTimestamp : null;
  const required = (by: Requirement) => ({ by, required: require.includes(by) });
  const kinds = KINDS.filter(
    (kind) => found[kind.need] !== undefined || require.includes(kind.need) || isIn(evidence, kind),
  );
  return [
    { ...required('chain'), verdict, badge, detail, time },
    ...kinds.map((kind) => ({ ...required(kind.need), ...(found[kind.need] ?? notJudged(kind)) })),
  ];
}

const notJudged = ({ title }: ProofKind): WitnessFinding => ({
  verdict: 'wait',
  badge: 'unjudged',
  time: null,
  detail: `${title} was not checked: the caller supplied no check for it.`,
});

/**
 * Whether the file has a witness of the kind.
 * @example
 * isIn({ ...evidence, witnesses: [] }, TSA); // false
 */
export const isIn = ({ witnesses = [] }: Evidence, { witness }: Pick<ProofKind, 'witness'>): boolean =>
  witnesses.some(({ kind }) => kind === witness);

/**
 * The required kinds that the file still lacks. A revocation without a tree has no witness.
 * @example
 * missingProofs({ ...evidence, witnesses: [] }, ['chain', 'tsa']); // [TSA]
 */
export function missingProofs(
  { receipt: { revocation }, witnesses = [] }: Evidence,
  require: readonly Requirement[],
): ProofKind[] {
  return KINDS.filter(({ need, witness }) => {
    const stamped = witnesses.filter(({ kind }) => kind === witness).map(({ of }) => of);
    const isWhole =
      stamped.includes('commitment') && (revocation?.kind !== 1 || stamped.includes('tombstone'));
    return require.includes(need) && !isWhole;
  });
}

/**
 * Ignores a check that waits and is not required.
 * @example
 * counted({ verdict: 'wait' }, false).verdict; // 'info'
 */
export const counted = (check: Pick<Check, 'verdict'>, required: boolean): Pick<Check, 'verdict'> =>
  check.verdict === 'wait' && !required ? { verdict: 'info' } : check;
