import { ApiError, ConnectionError } from '@svc/sdk';
import { compareWithIndex, type ComparedRecord, type RecordJob } from './compare-index.ts';
import { type IndexJob, IndexFault, type IndexReading, readAccountIndex } from './read-index.ts';
import { LogUnread } from './log-tiles.ts';
import { type Result, worstResult } from '../verdict-words.ts';

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

/** docs/audit.md#one-account-by-the-index */
export async function auditByIndex(job: IndexJob & RecordJob): Promise<IndexFindings> {
  const { account } = job;
  const none = { account, index: null, record: null, faults: [], unproven: [], checkpoints: [] };
  let index: IndexReading;
  try {
    index = await readAccountIndex(job);
  } catch (error) {
    if (error instanceof IndexFault)
      return { ...none, faults: [error.message], checkpoints: error.checkpoints };
    if (error instanceof LogUnread) return { ...none, unproven: [error.message] };
    throw error;
  }
  try {
    return { ...none, index, record: await compareWithIndex(job, index) };
  } catch (error) {
    if (!(error instanceof ApiError) && !(error instanceof ConnectionError)) throw error;
    return { ...none, index, unproven: [`the record cannot be read: ${error.message}`] };
  }
}

/** A pass needs a named witness that recomputed the index: see `recomputedBy`. */
export function indexResult({ index, record, faults, unproven }: IndexFindings): Result {
  const isFalse = faults.length > 0 || (record?.faults.length ?? 0) > 0;
  const waiting = [unproven, index?.unproven ?? [], record?.unproven ?? []].some(({ length }) => length > 0);
  return worstResult([isFalse ? 'fail' : 'pass', waiting ? 'wait' : 'pass']);
}
