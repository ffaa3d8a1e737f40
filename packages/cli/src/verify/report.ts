import { parseCanonicalString } from '@svc/protocol';
import { sectionsLine } from '@svc/protocol/conventions';
import { overall, type PromiseCheck } from '@svc/verifier';
import { counted, NOT_SHOWN } from '@svc/verifier/evidence';
import { type Context, present, when } from '../context.ts';
import { pinNotes } from '../find-trust.ts';
import { pinChanges, pinsPath } from '../pins.ts';
import { type ListedProof, PROOFS } from '../proofs/list.ts';
import { promise } from '../proofs/promise.ts';
import { isRequired } from '../proofs/proof.ts';
import { checkLines, lastLines, resultUnder, trustJson, VERDICT_WORDS } from '../verdict-words.ts';
import type { Result } from '../verdict-words.ts';
import type { Judged } from './check.ts';
import type { VerifyOptions } from '../verify-options.ts';

export interface Report extends Judged {
  /** the first required one: the last line is about it */
  first: ListedProof;
  notes: string[];
  checked: Result;
}

export function makeReport(found: Judged, options: VerifyOptions, context: Pick<Context, 'env'>): Report {
  const { receipt, verification, chosen, proofs } = found;
  const [words, batch, chain] = verification.checks;
  const counting = proofs.map(({ proof: { need }, check }) =>
    counted(check, need === undefined || isRequired(options, need)),
  );
  return {
    ...found,
    first: PROOFS.find(({ need }) => need !== undefined && isRequired(options, need))!,
    notes: [
      ...chosen.notes,
      ...PROOFS.flatMap((proof) => proof.notes?.(found, options) ?? []),
      ...sectionNotes(words.verdict === 'pass' ? receipt.canonical_string : null),
      ...trustNotes(found, context),
    ],
    checked: overall({ checks: [words, batch, counted(chain, isRequired(options, 'chain')), ...counting] }),
  };
}

function sectionNotes(canonical: string | null): string[] {
  const line = sectionsLine(parseCanonicalString(canonical ?? '')?.content ?? '');
  return when(line !== null, `preregistration with the sections ${line}`);
}

function trustNotes(
  { service, origin, known: { pin, facts }, chosen, endpoint }: Judged,
  { env }: Pick<Context, 'env'>,
): string[] {
  const isNoted = endpoint.notes.some((note) => note.includes('other values'));
  const changes = pin === null || facts === null || isNoted ? [] : pinChanges(pin, facts);
  return [
    ...when(
      service === null && pin === null && facts !== null,
      `only the receipt names the service ${origin}; a forged receipt would name the forger’s service`,
    ),
    ...pinNotes(chosen, origin, pinsPath(env)),
    ...when(
      changes.length > 0,
      `the service now publishes other values than you pinned: ${changes.join('; ')}`,
    ),
    ...endpoint.notes,
  ];
}

const NOT_PROVEN = ['etch_id', 'username', 'status', 'retracted_at'] as const;

export function reportLines(report: Report): string[] {
  const { receipt, evidence, verification, proofs, chosen, first, condition, notes, checked } = report;
  const proven = proofs.find(({ proof }) => proof === first)?.check ?? null;
  const shown = [
    ...verification.checks.map((check) => ({ title: check.title, check })),
    ...proofs.map(({ proof: { title }, check }) => ({ title, check })),
  ];
  return [
    `${evidence === null ? 'Receipt' : 'Evidence'} of etch ${receipt.etch_id} by ${receipt.author.username} (${receipt.status})`,
    `(not proven, only stated by the receipt: the etch id, the name ${receipt.author.username}, the status ${receipt.status}${receipt.revocation === null ? '' : `, the retraction at ${receipt.revocation.retracted_at}`})`,
    '',
    ...shown.flatMap(({ title, check }) => [...checkLines(title, check, condition), '']),
    ...notes.map((text) => `INFO  ${text}`),
    ...lastLines(first.words!(report, proven), checked, condition, first.need === 'chain' ? chosen : null),
  ];
}

/** The report for an etch that the service does not have. */
export const missingLines = (check: PromiseCheck, notes: readonly string[], result: Result): string[] => [
  ...checkLines(promise.title, check, null),
  '',
  ...notes.map((text) => `INFO  ${text}`),
  VERDICT_WORDS.missing[result === 'fail' ? 'fail' : 'wait'],
];

export function reportJson(report: Report): object {
  const { receipt, evidence, verification, blocks, proofs, chosen, condition, moved, notes, checked } =
    report;
  return {
    result: resultUnder(condition, checked),
    etch_id: receipt.etch_id,
    username: receipt.author.username,
    status: receipt.status,
    retracted_at: receipt.revocation?.retracted_at ?? null,
    not_proven: NOT_PROVEN,
    hash: receipt.hash,
    ...verification,
    ...(evidence && { evidence: { blocks, cannot_show: NOT_SHOWN } }),
    ...Object.fromEntries(proofs.map(({ proof, check }) => [proof.field, check])),
    trust: trustJson(chosen, moved === null ? condition : null),
    ...present({ moved }),
    notes,
  };
}
