import { parseCanonicalString, type Receipt } from '@svc/protocol';
import { sectionsLine } from '@svc/protocol/conventions';
import { overall, type PromiseCheck } from '@svc/verifier';
import { counted } from '@svc/verifier/evidence';
import { type Context, present, when } from '../context.ts';
import { pinNotes } from '../find-trust.ts';
import { isRequired } from '../judge-evidence.ts';
import type { Required } from '../options.ts';
import { pinChanges, pinsPath } from '../pins.ts';
import { checkLines, lastLines, resultUnder, trustJson, VERDICT_WORDS } from '../verdict-words.ts';
import type { Result, Shown } from '../verdict-words.ts';
import type { Extras, Judged } from './check.ts';
import type { VerifyOptions } from '../verify-options.ts';

export interface Report extends Judged {
  needs: Required;
  notes: string[];
  checked: Result;
}

type Field = keyof Extras;

const TITLES: Record<Field, string> = {
  timestamp: 'The time stamp',
  ots: 'The OpenTimestamps proof',
  log: 'The log of trees',
  index: 'The index of accounts',
  author: 'The author',
  promise: 'The promise',
  files: 'The files',
};
/** These count only if they are required; the others always. */
const NEEDS: Partial<Record<Field, Required>> = { timestamp: 'tsa', ots: 'ots', log: 'log' };

const extrasOf = ({ extras }: Judged) =>
  (Object.keys(TITLES) as Field[]).flatMap((field) => {
    const check: Shown | null = extras[field];
    return check === null ? [] : [{ title: TITLES[field], check, need: NEEDS[field] }];
  });

export function makeReport(found: Judged, options: VerifyOptions, context: Pick<Context, 'env'>): Report {
  const { receipt, verification, judged, chosen } = found;
  const needs = (['chain', 'tsa', 'ots', 'log'] as const).find((one) => isRequired(options, one))!;
  const [words, batch, chain] = verification.checks;
  const extras = extrasOf(found).map(({ check, need }) =>
    counted(check, need === undefined || isRequired(options, need)),
  );
  return {
    ...found,
    needs,
    notes: [
      ...chosen.notes,
      ...(judged?.notes ?? []),
      ...formerNotes(receipt),
      ...found.promiseNotes,
      ...sectionNotes(words.verdict === 'pass' ? receipt.canonical_string : null),
      ...trustNotes(found, context),
    ],
    checked: overall({ checks: [words, batch, counted(chain, isRequired(options, 'chain')), ...extras] }),
  };
}

const formerNotes = ({ former = [] }: Receipt): string[] =>
  former
    .slice(0, 1)
    .map(
      ({ name, chain_id, anchored_at }) =>
        `first attested on ${name} (chain ${chain_id}) at ${anchored_at}, as the receipt says; check that time by svc evidence and svc verify --former`,
    );

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

const KIND_BY_NEED = { chain: 'evidence', tsa: 'stamped', ots: 'bitcoin', log: 'witnessed' } as const;
/** Sealed and erased words are not checked: only their hash existed. */
const HASH_BY_NEED = { ...KIND_BY_NEED, tsa: 'stampedHash', ots: 'bitcoinHash' } as const;

const NOT_PROVEN = ['etch_id', 'username', 'status', 'retracted_at'] as const;

export function reportLines(report: Report): string[] {
  const { receipt, evidence, verification, extras, chosen, needs, condition, notes, checked } = report;
  const kinds = verification.checks[0].verdict === 'info' ? HASH_BY_NEED : KIND_BY_NEED;
  const kind = needs === 'log' && extras.log?.badge === 'logged' ? 'logged' : kinds[needs];
  const shown = [...verification.checks.map((check) => ({ title: check.title, check })), ...extrasOf(report)];
  return [
    `${evidence === null ? 'Receipt' : 'Evidence'} of etch ${receipt.etch_id} by ${receipt.author.username} (${receipt.status})`,
    `(not proven, only stated by the receipt: the etch id, the name ${receipt.author.username}, the status ${receipt.status}${receipt.revocation === null ? '' : `, the retraction at ${receipt.revocation.retracted_at}`})`,
    '',
    ...shown.flatMap(({ title, check }) => [...checkLines(title, check, condition), '']),
    ...notes.map((text) => `INFO  ${text}`),
    ...lastLines(evidence === null && needs === 'chain' ? 'receipt' : kind, checked, condition, chosen),
  ];
}

/** The report for an etch that the service does not have. */
export const missingLines = (check: PromiseCheck, notes: readonly string[], result: Result): string[] => [
  ...checkLines(TITLES.promise, check, null),
  '',
  ...notes.map((text) => `INFO  ${text}`),
  VERDICT_WORDS.missing[result === 'fail' ? 'fail' : 'wait'],
];

export function reportJson(report: Report): object {
  const { receipt, verification, judged, extras, chosen, condition, moved, notes, checked } = report;
  return {
    result: resultUnder(condition, checked),
    etch_id: receipt.etch_id,
    username: receipt.author.username,
    status: receipt.status,
    retracted_at: receipt.revocation?.retracted_at ?? null,
    not_proven: NOT_PROVEN,
    hash: receipt.hash,
    ...verification,
    ...(judged && { evidence: { blocks: judged.blocks, cannot_show: judged.cannotShow } }),
    ...present(extras),
    trust: trustJson(chosen, moved === null ? condition : null),
    ...present({ moved }),
    notes,
  };
}
