import { parseCanonicalString, type Receipt } from '@svc/protocol';
import { sectionsLine } from '@svc/protocol/conventions';
import { type AuthorCheck, overall, type PromiseCheck } from '@svc/verifier';
import { counted } from '@svc/verifier/evidence';
import { type Context, present, when } from '../context.ts';
import { pinNotes } from '../find-trust.ts';
import type { FilesCheck } from '../files/judge-files.ts';
import { isRequired } from '../judge-evidence.ts';
import type { Required } from '../options.ts';
import { pinChanges, pinsPath } from '../pins.ts';
import { checkLines, lastLines, resultUnder, trustJson, VERDICT_WORDS } from '../verdict-words.ts';
import type { Result, Shown } from '../verdict-words.ts';
import type { Checked, Extras, Trusted } from './check.ts';
import type { VerifyOptions } from '../verify-options.ts';
import type { LoadedReceipt } from './load.ts';

export interface Report extends Checked, Pick<Trusted, 'chosen' | 'condition'> {
  receipt: Receipt;
  needs: Required;
  author: AuthorCheck | null;
  promise: PromiseCheck | null;
  files: FilesCheck | null;
  notes: string[];
  checked: Result;
}

export function makeReport(
  loaded: LoadedReceipt,
  trusted: Trusted,
  checked: Checked,
  { author, promise, files }: Extras,
  options: VerifyOptions,
  context: Pick<Context, 'env'>,
): Report {
  const { verification, evidence, timestamp, ots, log } = checked;
  const { receipt } = loaded;
  const { chosen, condition } = trusted;
  const needs = (['chain', 'tsa', 'ots', 'log'] as const).find((one) => isRequired(options, one))!;
  const [words, batch, chain] = verification.checks;
  const judged = [
    counted(chain, isRequired(options, 'chain')),
    timestamp && counted(timestamp, isRequired(options, 'tsa')),
    ots && counted(ots, isRequired(options, 'ots')),
    log && counted(log, isRequired(options, 'log')),
    ...[author, promise?.check ?? null, files],
  ].filter((one) => one !== null);
  return {
    ...{ ...checked, receipt, needs, author, promise: promise?.check ?? null, files, chosen, condition },
    notes: [
      ...chosen.notes,
      ...(evidence?.notes ?? []),
      ...formerNotes(receipt),
      ...(promise?.notes ?? []),
      ...sectionNotes(words.verdict === 'pass' ? receipt.canonical_string : null),
      ...trustNotes(loaded, trusted, context),
    ],
    checked: overall({ checks: [words, batch, ...judged] }),
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
  { service, origin }: LoadedReceipt,
  { known: { pin, facts }, chosen, endpoint }: Trusted,
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
  const { receipt, verification, evidence, timestamp, ots, log, author, promise, files } = report;
  const { chosen, needs, condition, notes, checked } = report;
  const kinds = verification.checks[0].verdict === 'info' ? HASH_BY_NEED : KIND_BY_NEED;
  const kind = needs === 'log' && log?.badge === 'logged' ? 'logged' : kinds[needs];
  const shown: [title: string, check: Shown | null][] = [
    ...verification.checks.map((check): [string, Shown] => [check.title, check]),
    ['The time stamp', timestamp],
    ['The OpenTimestamps proof', ots],
    ['The log of trees', log],
    ['The author', author],
    ['The promise', promise],
    ['The files', files],
  ];
  return [
    `${evidence === null ? 'Receipt' : 'Evidence'} of etch ${receipt.etch_id} by ${receipt.author.username} (${receipt.status})`,
    `(not proven, only stated by the receipt: the etch id, the name ${receipt.author.username}, the status ${receipt.status}${receipt.revocation === null ? '' : `, the retraction at ${receipt.revocation.retracted_at}`})`,
    '',
    ...shown.flatMap(([title, check]) =>
      check === null ? [] : [...checkLines(title, check, condition), ''],
    ),
    ...notes.map((text) => `INFO  ${text}`),
    ...lastLines(evidence === null && needs === 'chain' ? 'receipt' : kind, checked, condition, chosen),
  ];
}

/** Of an etch that the service does not have. */
export const missingLines = (check: PromiseCheck, notes: readonly string[], result: Result): string[] => [
  ...checkLines('The promise', check, null),
  '',
  ...notes.map((text) => `INFO  ${text}`),
  VERDICT_WORDS.missing[result === 'fail' ? 'fail' : 'wait'],
];

export function reportJson(report: Report): object {
  const { receipt, verification, evidence, timestamp, ots, log, author, promise, files } = report;
  const { chosen, condition, notes, checked } = report;
  return {
    result: resultUnder(condition, checked),
    etch_id: receipt.etch_id,
    username: receipt.author.username,
    status: receipt.status,
    retracted_at: receipt.revocation?.retracted_at ?? null,
    not_proven: NOT_PROVEN,
    hash: receipt.hash,
    ...verification,
    ...(evidence && { evidence: { blocks: evidence.blocks, cannot_show: evidence.cannotShow } }),
    ...present({ timestamp, ots, log, author, promise, files }),
    trust: trustJson(chosen, condition),
    notes,
  };
}
