import type { Receipt } from '@svc/protocol';
import { isDevelopmentChain } from '@svc/verifier';
import type { AuthorCheck, Evidence, PromiseCheck, Verification } from '@svc/verifier';
import { inert, inertJson } from './context.ts';
import type { TimestampCheck } from '@svc/timestamp';
import type { OtsCheck } from '@svc/timestamp/ots';
import type { LogCheck } from './judge-log.ts';
import type { JudgedEvidence } from './judge-evidence.ts';
import type { Chosen } from './find-trust.ts';
import type { FilesCheck } from './files/judge-files.ts';
import type { Required } from './options.ts';
import { checkWord, lastLines, type Result, resultUnder, VERDICT_WORDS } from './verdict-words.ts';

export interface Report {
  receipt: Receipt;
  verification: Verification;
  evidence: JudgedEvidence | null;
  /** null if absent and not required */
  timestamp: TimestampCheck | null;
  ots: OtsCheck | null;
  /** null: no policy was given */
  log: LogCheck | null;
  needs: Required;
  author: AuthorCheck | null;
  promise: PromiseCheck | null;
  files: FilesCheck | null;
  chosen: Chosen;
  condition: string | null;
  notes: string[];
  checked: Result;
}

const KIND_BY_NEED = { chain: 'evidence', tsa: 'stamped', ots: 'bitcoin', log: 'witnessed' } as const;
/** Sealed and erased words are not checked: only their hash existed. */
const HASH_BY_NEED = { ...KIND_BY_NEED, tsa: 'stampedHash', ots: 'bitcoinHash' } as const;

const NOT_PROVEN = ['etch_id', 'username', 'status', 'retracted_at'] as const;

/** Escapes line breaks in untrusted texts. */
export function printReport(report: Report): string {
  const { receipt, verification, evidence, timestamp, ots, log, author, promise, files, chosen } = report;
  const { needs, condition, notes, checked } = report;
  const kinds = verification.checks[0].verdict === 'info' ? HASH_BY_NEED : KIND_BY_NEED;
  const kind = needs === 'log' && log?.badge === 'logged' ? 'logged' : kinds[needs];
  const lines = [
    `${evidence === null ? 'Receipt' : 'Evidence'} of etch ${receipt.etch_id} by ${receipt.author.username} (${receipt.status})`,
    `(not proven, only stated by the receipt: the etch id, the name ${receipt.author.username}, the status ${receipt.status}${receipt.revocation === null ? '' : `, the retraction at ${receipt.revocation.retracted_at}`})`,
    '',
  ];
  const show = (
    title: string,
    check: Pick<PromiseCheck, 'verdict' | 'detail' | 'evidence'> & { badge: string },
  ) => lines.push(...checkLines(title, check, condition), '');
  for (const check of verification.checks) show(check.title, check);
  if (timestamp !== null) show('The time stamp', timestamp);
  if (ots !== null) show('The OpenTimestamps proof', ots);
  if (log !== null) show('The log of trees', log);
  if (author !== null) show('The author', author);
  if (promise !== null) show('The promise', promise);
  if (files !== null) show('The files', files);
  lines.push(
    ...notes.map((text) => `INFO  ${text}`),
    ...lastLines(evidence === null && needs === 'chain' ? 'receipt' : kind, checked, condition, chosen),
  );
  return `${lines.map(inert).join('\n')}\n`;
}

function checkLines(
  title: string,
  {
    verdict,
    badge,
    detail,
    evidence,
  }: { verdict: string; badge: string; detail: string; evidence: Evidence[] },
  condition: string | null,
): string[] {
  const shown = evidence.map(({ label, value }) => `      ${label}: ${value}`);
  return [`${checkWord(verdict, condition)}  ${title}: ${badge}`, `      ${detail}`, ...shown];
}

export function printPromise(report: {
  check: PromiseCheck;
  notes: string[];
  result: Result;
  json: boolean;
}): string {
  const { check, notes, result, json } = report;
  if (json) return `${inertJson({ result, promise: check, notes })}\n`;
  const lines = [
    ...checkLines('The promise', check, null),
    '',
    ...notes.map((text) => `INFO  ${text}`),
    VERDICT_WORDS.missing[result === 'fail' ? 'fail' : 'wait'],
  ];
  return `${lines.map(inert).join('\n')}\n`;
}

export function printJson(report: Report): string {
  const { receipt, verification, evidence, timestamp, ots, log, author, promise, files } = report;
  const { chosen, condition, notes, checked } = report;
  const value = {
    result: resultUnder(condition, checked),
    etch_id: receipt.etch_id,
    username: receipt.author.username,
    status: receipt.status,
    retracted_at: receipt.revocation?.retracted_at ?? null,
    not_proven: NOT_PROVEN,
    hash: receipt.hash,
    ...verification,
    ...(evidence === null ? {} : { evidence: { blocks: evidence.blocks, cannot_show: evidence.cannotShow } }),
    ...(timestamp === null ? {} : { timestamp }),
    ...(ots === null ? {} : { ots }),
    ...(log === null ? {} : { log }),
    ...(author === null ? {} : { author }),
    ...(promise === null ? {} : { promise }),
    ...(files === null ? {} : { files }),
    trust: trustJson(chosen, condition),
    notes,
  };
  return `${inertJson(value)}\n`;
}

export function trustJson({ trust, source, pinned, sources }: Chosen, condition: string | null) {
  return {
    source,
    pinned,
    holds_only_if: condition,
    development_chain: isDevelopmentChain(trust),
    chain_id: trust.chainId,
    attestation_contract: trust.contract,
    schema_uid: trust.schemaUid,
    relayers: trust.relayers,
    taken_from: {
      chain_id: sources.chainId,
      attestation_contract: sources.contract,
      schema_uid: sources.schemaUid,
      relayers: sources.relayers,
    },
  };
}
