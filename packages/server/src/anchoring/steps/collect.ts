import { canonicalString } from '@svc/protocol';
import type { Tx } from '../../db/db.ts';
import { runInTimeSlices } from '../../platform/flow/time-slices.ts';
import { sha256 } from '../../platform/secrets/signing-key.ts';
import {
  type Candidate,
  haltJob,
  type JobRow,
  takeCommitments,
  takeTombstones,
  takeTombstonesOf,
} from '../ledger/queue.ts';
import type { BatchDraft } from '../ledger/staging.ts';
import { PACE } from '../rules.ts';
import type { Work } from '../work.ts';

const ROWS_AT_ONCE = 1_000;

/** Recomputes each hash and sets aside a row that does not match. */
export async function collectCommitments(work: Work, tx: Tx) {
  const { scheme, maxLeaves, maxAttestations } = work.rules;
  const limit = scheme === 'single' ? maxAttestations : maxLeaves;
  const treeVersion = scheme === 'single' ? 0 : scheme === 'tree-v1' ? 1 : 2;
  const etches: Candidate[] = [];
  let last: JobRow | undefined;
  for (let left = limit; left > 0;) {
    const wanted = Math.min(left, ROWS_AT_ONCE);
    const rows = await takeCommitments(tx, wanted, last);
    const faults = await runInTimeSlices(judge(rows, work), PACE);
    for (const [at, row] of rows.entries()) {
      const fault = faults[at];
      if (fault) await setAside(work, tx, row, fault);
      else etches.push({ ...candidate(row), treeVersion });
    }
    if (rows.length < wanted) return { etches, full: false };
    left -= rows.length;
    last = rows.at(-1);
  }
  return { etches, full: true };
}

export async function collectTombstones(work: Work, tx: Tx): Promise<{ etches: Candidate[]; full: boolean }> {
  const rows = await takeTombstones(tx, work.chain.relayer, work.rules.maxLeaves);
  return { etches: await withoutFaults(work, tx, rows), full: rows.length === work.rules.maxLeaves };
}

export async function collectTombstonesOf(work: Work, tx: Tx, committed: readonly BatchDraft[]) {
  const trees = committed.filter(({ treeVersion }) => treeVersion !== 0);
  if (trees.length === 0) return [];
  const ids = trees.flatMap(({ members }) => members.map(({ etchId }) => etchId));
  return withoutFaults(work, tx, await takeTombstonesOf(tx, ids, trees[0]!.treeVersion as 1 | 2));
}

async function withoutFaults(work: Work, tx: Tx, rows: readonly Candidate[]): Promise<Candidate[]> {
  for (const row of rows)
    if (row.hash.length !== 32) await setAside(work, tx, row, 'its hash is not 32 bytes long');
  return rows.filter(({ hash }) => hash.length === 32);
}

function candidate({ kind, etchId, userId, hash, notBefore, tries }: JobRow): Omit<Candidate, 'treeVersion'> {
  return { kind, etchId, userId, hash, notBefore, tries };
}

function* judge(rows: readonly JobRow[], work: Work): Generator<undefined, (string | undefined)[]> {
  const faults: (string | undefined)[] = [];
  for (const row of rows) {
    faults.push(faultOf(row, work));
    yield;
  }
  return faults;
}

function faultOf(row: JobRow, work: Work): string | undefined {
  if (row.hash.length !== 32) return 'its hash is not 32 bytes long';
  if (row.status === 'retracted') return undefined;
  let parts: { content: string; salt: string } | null;
  try {
    if (row.status === 'sealed') {
      if (!row.sealed) return 'its sealed text is missing';
      parts = work.partsOf?.({ id: row.etchId, sealed: row.sealed }) ?? null;
      if (!parts) return undefined;
    } else {
      if (row.content === null || !row.salt) return 'its text or salt is missing';
      parts = { content: row.content, salt: row.salt.toString('hex') };
    }
    const canonical = canonicalString({ userId: row.userId, createdAt: row.createdAt, ...parts });
    return sha256(canonical).equals(row.hash) ? undefined : 'its hash does not match its parts';
  } catch {
    return 'its parts do not make a canonical string';
  }
}

async function setAside(
  work: Work,
  tx: Tx,
  row: Pick<Candidate, 'kind' | 'etchId'>,
  reason: string,
): Promise<void> {
  await haltJob(tx, row, reason);
  work.log.error({ etch_id: row.etchId, kind: row.kind }, `anchoring: an etch is set aside: ${reason}`);
}
