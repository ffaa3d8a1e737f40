import { compareWithIndex, type ComparedRecord, type RecordJob } from './compare-index.ts';
import { noteOf } from './kept-index.ts';
import { type LogReader, LogUnread } from './log-reader.ts';
import { type IndexJob, IndexFault, type IndexReading, readAccountIndex, upToOf } from './read-index.ts';

export interface IndexFindings {
  account: RecordJob['account'];
  /** null: the index was not read to its end */
  index: IndexReading | null;
  /** null: not compared */
  record: ComparedRecord | null;
  faults: string[];
  unproven: string[];
  /** signed notes that contradict each other */
  checkpoints: string[];
}

export interface IndexAudit extends Omit<IndexJob, 'userId'>, RecordJob {
  log: LogReader;
  /** words for an error while it reads the record; undefined for another error */
  whyUnread: (error: unknown) => string | undefined;
}

/**
 * Checks by the index of accounts that a record leaves nothing out (docs/audit.md#one-account-by-the-index).
 * @example
 * const audit = { account: { username: 'ada', user_id: answer.user_id }, record: [], chain: null };
 * const trust = { keys: [], policy: null, indexWitnesses: [], now: 1800000000, whyUnread: () => undefined };
 * const findings = await auditByIndex({ log: emptyLog, ...audit, ...trust });
 * indexResult(findings); // 'wait'
 */
export async function auditByIndex(job: IndexAudit): Promise<IndexFindings> {
  const { account } = job;
  const none = { account, index: null, record: null, faults: [], unproven: [], checkpoints: [] };
  let index: IndexReading;
  try {
    index = await readAccountIndex({ ...job, userId: account.user_id });
  } catch (error) {
    if (error instanceof IndexFault)
      return { ...none, faults: [error.message], checkpoints: error.checkpoints };
    if (error instanceof LogUnread) return { ...none, unproven: [error.message] };
    throw error;
  }
  try {
    return { ...none, index, record: await compareWithIndex(job, index) };
  } catch (error) {
    const why = job.whyUnread(error);
    if (why === undefined) throw error;
    return { ...none, index, unproven: [`the record cannot be read: ${why}`] };
  }
}

const isRecomputed = ({ index }: IndexFindings): boolean => (index?.recomputedBy.length ?? 0) > 0;

const unprovenOf = ({ index, record, unproven }: IndexFindings): string[] => [
  ...unproven,
  ...(index?.unproven ?? []),
  ...(record?.unproven ?? []),
];

/**
 * `operator`: complete by the operator's index, which no named witness recomputed.
 * @example
 * const none = { index: null, record: null, faults: [], checkpoints: [] };
 * indexResult({ ...none, account: {}, unproven: ['the service is away'] }); // 'wait'
 */
export function indexResult(findings: IndexFindings): 'pass' | 'operator' | 'fail' | 'wait' {
  if (findings.faults.length > 0 || (findings.record?.faults.length ?? 0) > 0) return 'fail';
  if (unprovenOf(findings).length > 0) return 'wait';
  return isRecomputed(findings) ? 'pass' : 'operator';
}

/**
 * As JSON, without verdict and trust.
 * @example
 * const none = { index: null, record: null, faults: [], checkpoints: [] };
 * indexReport({ ...none, account: { username: 'ada' }, unproven: ['the service is away'] }).index; // null
 */
export function indexReport(findings: IndexFindings) {
  const { account, index, record, faults, checkpoints } = findings;
  const { takenDown, treeV1, ...counts } = record?.counts ?? { takenDown: 0, treeV1: 0 };
  return {
    account: {
      ...account,
      counts: record && { ...counts, taken_down: takenDown, tree_version_1: treeV1 },
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
      up_to: upToOf(index),
    },
    faults,
    unproven: unprovenOf(findings),
    checkpoints,
  };
}
