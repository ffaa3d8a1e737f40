import { when } from '../context.ts';
import type { Chosen } from '../find-trust.ts';
import { lastLines, type Result, resultUnder, trustJson, VERDICT_WORDS } from '../verdict-words.ts';
import { type IndexFindings, indexResult } from './audit-index.ts';
import { noteOf } from './index-state.ts';
import { countsJson, plural } from './print-audit.ts';

interface IndexReport {
  service: string;
  findings: IndexFindings;
  chosen: Chosen;
  condition: string | null;
  notes: string[];
}

const isRecomputed = ({ index }: IndexFindings): boolean => (index?.recomputedBy.length ?? 0) > 0;

/** A pass needs a witness that recomputed the index. */
export function finalResult({ findings, condition }: IndexReport): Result {
  const result = resultUnder(condition, indexResult(findings));
  return result === 'pass' && !isRecomputed(findings) ? 'wait' : result;
}

export function indexLines(report: IndexReport): string[] {
  const { findings, chosen, condition } = report;
  const { account, index, record, faults, unproven } = findings;
  const name = account.username;
  const waits = [...unproven, ...(index?.unproven ?? []), ...(record?.unproven ?? [])];
  const result = indexResult(findings);
  const isByOperator = result === 'pass' && !isRecomputed(findings);
  return [
    `${name}: ${record === null ? 'not compared with the index' : recordWords(record.counts)}`,
    ...(index === null ? [] : [indexWords(index)]),
    '',
    ...faults.map((fault) => `FAIL  the index of accounts: ${fault}`),
    ...(record?.faults ?? []).map(({ what, hash, etch_id: id, detail }) => {
      const etch = id === null ? hash : `etch ${id} (${hash})`;
      return `FAIL  ${name}: ${what}: ${etch}: ${detail}`;
    }),
    ...waits.map((detail) => `WAIT  ${name}: unproven: ${detail}`),
    ...notesOf(report).map((note) => `INFO  ${note}`),
    ...when(isByOperator, `WAIT: ${VERDICT_WORDS.auditIndex.byOperator}`),
    ...(isByOperator && condition === null ? [] : lastLines('auditIndex', result, condition, chosen)),
  ];
}

type Counts = NonNullable<IndexFindings['record']>['counts'];

const recordWords = ({ leaves, shown, sealed, retracted, takenDown }: Counts): string =>
  `${shown} of ${plural(leaves, 'attested etch', 'attested etches')} of the index shown, ${sealed} sealed, ${retracted} retracted${takenDown > 0 ? `, ${takenDown} taken down by the operator` : ''}`;

const indexWords = ({ checkpoint, covered, read, tailTrees }: NonNullable<IndexFindings['index']>): string =>
  `${plural(read, 'new entry', 'new entries')} read; the index covers ${covered} of ${plural(checkpoint.size, 'entry', 'entries')} of the log${tailTrees > 0 ? `, and ${plural(tailTrees, 'tree')} after it ${tailTrees === 1 ? 'was' : 'were'} read leaf by leaf` : ''}`;

function notesOf({ findings, notes }: IndexReport): string[] {
  const { index, record } = findings;
  const { counts, notices = [], timed = 0 } = record ?? {};
  const uncovered = (counts?.treeV1 ?? 0) + (counts?.single ?? 0);
  const pending = counts?.pending ?? 0;
  return [
    ...(index?.notes ?? []),
    ...when(record !== null, `the times of ${plural(timed, 'tree')} were read from the chain`),
    ...when(pending > 0, `${plural(pending, 'etch', 'etches')} not anchored yet`),
    ...when(
      uncovered > 0,
      `${plural(uncovered, 'etch', 'etches')} in trees of version 1 or without a tree: the index does not cover them, audit without --index`,
    ),
    ...notices.map(({ what, etch_id: id, hash }) => `${what}: etch ${id} (${hash})`),
    ...(record?.notes ?? []),
    ...(index?.recomputedBy ?? []).map(
      (name) => `the witness ${name} recomputed the index, by your word, and cosigned it`,
    ),
    ...notes,
  ];
}

export function indexJson(report: IndexReport): object {
  const { service, findings, chosen, condition } = report;
  const { account, index, record, faults, unproven, checkpoints } = findings;
  return {
    result: finalResult(report),
    service,
    account: {
      ...account,
      counts: record && countsJson(record.counts),
      faults: record?.faults ?? [],
      notices: record?.notices ?? [],
    },
    index: index && {
      checkpoint: noteOf(index.checkpoint),
      covered: index.covered,
      entries: index.entries.length,
      entries_read: index.read,
      tail_trees: index.tailTrees,
      recomputed_by: index.recomputedBy,
    },
    faults,
    unproven: [...unproven, ...(index?.unproven ?? []), ...(record?.unproven ?? [])],
    checkpoints,
    trust: trustJson(chosen, condition),
    notes: notesOf(report),
  };
}
