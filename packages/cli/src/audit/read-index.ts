// Checks 1 to 5 of docs/protocol.md#418-the-index-of-accounts.
import { bytesToHex, decodeAttestationData } from '@svc/protocol';
import {
  type AccountEntry,
  checkIndexAnswers,
  entriesOfTree,
  IndexError,
  run,
} from '@svc/protocol/account-index';
import { foldLogProof } from '@svc/protocol/conventions';
import * as tlog from '@svc/protocol/tlog';
import { rebuildFault } from '@svc/verifier';
import { readIndexPages } from './index-pages.ts';
import { type KeptIndex, loadIndexState, noteOf, saveIndexState } from './index-state.ts';
import { sha256 } from './job.ts';
import { LogUnread, readEntries, readLeaves, tileReader } from './log-tiles.ts';

/** Clocks differ; a cosignature of a later time does not count. */
const AHEAD_SECONDS = 60;

export interface IndexTrust {
  /** pinned, or in the policy */
  keys: readonly tlog.VerifierKey[];
  policy: tlog.Policy | null;
  /** the policy's names of witnesses that recompute the index */
  indexWitnesses: readonly string[];
}

export interface IndexJob extends IndexTrust {
  service: string;
  userId: string;
  /** of the kept state */
  path: string;
  fresh: boolean;
  /** seconds since 1970 */
  now: number;
}

export interface IndexReading {
  checkpoint: tlog.Checkpoint;
  covered: number;
  /** all of the account, with those of the tail */
  entries: AccountEntry[];
  /** number of entries that this audit read */
  read: number;
  /** of the tail */
  tailTrees: number;
  /** the witnesses that recompute the index and cosigned the checkpoint */
  recomputedBy: string[];
  unproven: string[];
  notes: string[];
}

/** The index contradicts itself, its log, or an earlier audit. */
export class IndexFault extends Error {
  override name = 'IndexFault';
  /** signed notes, as evidence */
  readonly checkpoints: string[];
  constructor(message: string, checkpoints: string[]) {
    super(message);
    this.checkpoints = checkpoints;
  }
}

/** @throws {IndexFault} @throws {LogUnread} */
export async function readAccountIndex(job: IndexJob): Promise<IndexReading> {
  const { service, userId, path } = job;
  const kept = loadIndexState(path, job.keys);
  const from = job.fresh ? 0 : (kept?.entries.length ?? 0);
  const notes = [keptWords(kept)];
  let checkpoint: tlog.Checkpoint | null = null;
  const checkFirst = async (found: tlog.Checkpoint) => {
    checkpoint = found;
    await checkCheckpoint(job, found, kept);
  };
  try {
    const pages = await readIndexPages({ service, userId, from, checkFirst });
    const [{ checkpoint: now, index, from: begin }] = pages as [(typeof pages)[0]];
    const cosigned = checkPolicy(job, now);
    const checked = checkIndexAnswers(pages, { userId, checkpoint: now, kept: kept?.account }, sha256);
    const known = begin === 0 ? [] : kept!.entries;
    const entries = [...known, ...checked.entries];
    saveIndexState(path, { checkpoint: now, account: checked, entries });
    const tail = await readTail(job, now, checked.covered, index.logIndex);
    return {
      checkpoint: now,
      covered: checked.covered,
      entries: [...entries, ...tail.entries],
      read: checked.entries.length,
      tailTrees: tail.trees,
      ...cosigned,
      notes,
    };
  } catch (error) {
    if (!(error instanceof IndexError) && !(error instanceof tlog.TlogError)) throw error;
    throw new IndexFault(
      error.message,
      [kept?.checkpoint, checkpoint].flatMap((one) => (one ? [noteOf(one)] : [])),
    );
  }
}

const keptWords = (kept: KeptIndex | null): string =>
  kept === null
    ? 'this is the first audit of the account by index: the next one compares the index with its checkpoint of today'
    : `the log continues the checkpoint of size ${kept.checkpoint.size} that an earlier audit kept`;

/** @throws {IndexError} */
async function checkCheckpoint(
  { service, keys }: IndexJob,
  now: tlog.Checkpoint,
  kept: KeptIndex | null,
): Promise<void> {
  const own = keys.filter(({ name }) => name === now.origin);
  if (!tlog.isSignedBy(now, own))
    throw new LogUnread(
      `the pinned key of the log did not sign its checkpoint: compare the keys with \`svc trust ${service}\``,
    );
  if (kept === null) return;
  const { checkpoint: before } = kept;
  if (now.size < before.size)
    throw new IndexError(
      `its checkpoint has ${now.size} entries, and an earlier audit kept one with ${before.size}: it is older, or entries are missing; audit again, and keep the output if the fault stays`,
    );
  const proof = await tlog.proveConsistency(before.size, now.size, tileReader(service, now.size));
  if (!tlog.isConsistent(before, now, proof))
    throw new IndexError(
      `the log is forked: its first ${before.size} entries do not make the checkpoint that an earlier audit kept; keep the output (--json has both signed checkpoints)`,
    );
}

/** @throws {tlog.TlogError} on a wrong cosignature */
function checkPolicy(
  { policy, indexWitnesses, now }: IndexJob,
  checkpoint: tlog.Checkpoint,
): Pick<IndexReading, 'recomputedBy' | 'unproven'> {
  if (policy === null) return { recomputedBy: [], unproven: [] };
  const times = tlog.cosignaturesOf(checkpoint, policy, now + AHEAD_SECONDS);
  const unproven: string[] = [];
  if (tlog.quorumTime(policy, times) === null)
    unproven.push(
      `the quorum of your policy has not cosigned the checkpoint (cosigned by: ${[...times.keys()].join(', ') || 'no witness'}); audit again later`,
    );
  const recomputedBy = indexWitnesses.filter((name) => times.has(name));
  if (indexWitnesses.length > 0 && recomputedBy.length === 0)
    unproven.push(
      `${indexWitnesses.join(', ')} recomputes the index and has not cosigned the checkpoint; audit again later`,
    );
  return { recomputedBy, unproven };
}

/** @throws {IndexError} when entries or leaves are not those of the log */
async function readTail(
  { service, userId }: IndexJob,
  { size, root }: tlog.Checkpoint,
  covered: number,
  indexAt: number,
): Promise<{ trees: number; entries: AccountEntry[] }> {
  const tail = { trees: 0, entries: [] as AccountEntry[] };
  const isOnlyIndex = covered === indexAt && size === indexAt + 1;
  if (isOnlyIndex) return tail;
  const read = tileReader(service, size);
  const account = userId.replaceAll('-', '');
  let at = covered;
  for await (const data of readEntries(service, covered, size)) {
    const logIndex = at++;
    const proof = await tlog.proveInclusion(logIndex, size, read);
    const folded = foldLogProof(tlog.entryHash(data), logIndex, size, proof);
    if (folded === null || Buffer.compare(folded, root) !== 0)
      throw new IndexError(`the entry ${logIndex} of the log does not lead to the root of the checkpoint`);
    const tree = treeOf(data);
    if (tree?.treeVersion !== 2) continue;
    const packed = await readLeaves(service, logIndex);
    if (packed === null)
      throw new LogUnread(`the service does not have the leaves of the tree at the log index ${logIndex}`);
    const fault = rebuildFault(tree, packed, sha256);
    if (fault !== null) throw new IndexError(`the tree at the log index ${logIndex}: ${fault}`);
    const found = run(entriesOfTree({ logIndex, kind: tree.kind, packed }, sha256)).get(account);
    tail.entries.push(...(found ?? []));
    tail.trees++;
  }
  return tail;
}

/** Null for an index entry, or one of a reserved kind. */
function treeOf(data: Uint8Array) {
  try {
    const { root, ...rest } = decodeAttestationData(data);
    return { ...rest, root: bytesToHex(root) };
  } catch {
    return null;
  }
}
