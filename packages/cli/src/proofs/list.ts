import { type Evidence, isIn, type PROOF_KINDS } from '@svc/verifier/evidence';
import { type Input, type InputOf, keyOf } from '../command.ts';
import type { Context } from '../context.ts';
import { usageError } from '../exit.ts';
import { accountIndex } from './account-index.ts';
import { author } from './author.ts';
import { chain, EVIDENCE_FILE } from './chain.ts';
import { files } from './files.ts';
import { log } from './log.ts';
import { ots } from './ots.ts';
import { promise } from './promise.ts';
import type { CommonOptions, VerifiedReceipt, Proof } from './proof.ts';
import { tsa } from './tsa.ts';
import type { Shown } from '../verdict-words.ts';

/** The proofs of PROOF_KINDS: the compiler names a forgotten one. */
const OF_KINDS = { tsa, ots, log } satisfies Record<(typeof PROOF_KINDS)[number]['need'], unknown>;

/** In the order of the output. */
const LIST = [chain, ...Object.values(OF_KINDS), accountIndex, author, promise, files] as const;

type Merged<Table> = (Table extends unknown ? (table: Table) => void : never) extends (all: infer All) => void
  ? All
  : never;

export const PROOF_OPTIONS = Object.assign({}, ...LIST.map(({ options }) => options)) as Merged<
  (typeof LIST)[number]['options']
>;

export const PROOFS: readonly ListedProof[] = LIST;

export type ListedProof = Omit<Proof<typeof PROOF_OPTIONS>, 'options'> & { options: Input };

export const NEEDS = PROOFS.flatMap(({ need }) => need ?? []);

/** For the help of `--require`. */
const listed = (isInEvidence: boolean): string =>
  PROOFS.filter(({ need, witness }) => need !== undefined && (witness !== undefined) === isInEvidence)
    .map(({ need, about }) => (about === undefined ? need : `${need} (${about})`))
    .join(', ');

export const REQUIRE_HELP = `the checks that must pass, separated by commas: ${listed(false)}; for evidence also ${listed(true)} (default: chain)`;

export type ProofOptions = InputOf<typeof PROOF_OPTIONS> & CommonOptions;

const isAsked = ({ need, options: table }: ListedProof, options: ProofOptions): boolean =>
  options.require?.includes(need!) === true ||
  Object.keys(table).some((key) => {
    const value = options[keyOf(key) as keyof ProofOptions];
    return value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0);
  });

/** @throws {CommandError} when options do not fit the file, or each other */
export function refuseMisuse(evidence: Evidence | null, options: ProofOptions): void {
  for (const proof of PROOFS) {
    const lacksFile = evidence === null && proof.witness !== undefined && isAsked(proof, options);
    const wrong = lacksFile ? needsEvidence(proof) : proof.misuse?.(options, evidence);
    if (wrong) throw usageError(wrong);
  }
}

export function needsEvidence({ need, options }: Pick<ListedProof, 'need' | 'options'>): string {
  const flags = Object.keys(options).map((key) => key.split(' ')[0]!);
  const required = `--require ${need}`;
  if (flags.length === 0) return `${required} requires ${EVIDENCE_FILE}`;
  return `${[required, ...flags.slice(0, -1)].join(', ')} and ${flags.at(-1)} require ${EVIDENCE_FILE}`;
}

export async function checkProofs(
  proofs: readonly ListedProof[],
  found: VerifiedReceipt,
  options: ProofOptions,
  context: Context,
): Promise<CheckedProof[]> {
  const checked: CheckedProof[] = [];
  for (const proof of proofs) {
    const { witness } = proof;
    const { evidence } = found;
    const isThere =
      witness === undefined ||
      (evidence !== null && (isAsked(proof, options) || isIn(evidence, { witness })));
    const check = isThere ? await proof.check?.(found, options, context) : null;
    if (check != null) checked.push({ proof, check });
  }
  return checked;
}

export interface CheckedProof {
  proof: ListedProof;
  check: Shown;
}
