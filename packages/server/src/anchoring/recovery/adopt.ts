// Restores a mined transaction of ours that a restored database forgot, with its etches, so that none is attested
// twice.
import { type AttestationData, buildFlatTree, bytesToHex, etchLeaf, type FlatTree } from '@svc/protocol';
import type { AttestationRequest, Chain, OwnTransaction } from '../../chain/port.ts';
import type { Tx } from '../../db/db.ts';
import { sha256 } from '../../platform/secrets/signing-key.ts';
import {
  countDoubtful,
  isDoubtful,
  lockQueue,
  markUnplaced,
  rowAt,
  type WaitingEtch,
} from '../ledger/adoption.ts';
import { lockWaiting } from '../ledger/former.ts';
import { loseTransaction, markSent, storeAttempt } from '../ledger/transitions.ts';
import { type BatchDraft, insertStaged, newest } from '../ledger/staging.ts';
import type { LedgerTx } from '../ledger/transactions.ts';
import type { Log } from '../problems.ts';
import { readAttestationData } from '../steps/read-back.ts';

export interface Adopted {
  etches: number;
  unplaced: number;
  /** queued etches that could not be placed: each may be attested twice */
  doubtful: number;
}

export interface ForgottenTransaction {
  own: OwnTransaction;
  requests: readonly AttestationRequest[];
  minedAt: number | undefined;
}

/** Null if this service would not have sent it. `restoreForgotten` needs no requests for the staged payload. */
export async function readForgotten(
  chain: Chain,
  own: OwnTransaction,
  staged?: LedgerTx,
): Promise<ForgottenTransaction | null> {
  if (own.to !== chain.contract) return null;
  const requests = chain.decodeAttest(own.calldata) ?? (own.calldata === staged?.calldata ? [] : null);
  if (!requests) return null;
  const block = await chain.blockByNumber(own.blockNumber);
  return { own, requests, minedAt: block?.timestamp };
}

/**
 * Restores a mined transaction. `placeTrees` folds queued etches until a root matches, which proves the leaves. Other
 * etches are attested again.
 * @returns null if a different final transaction has its nonce
 */
export async function restoreForgotten(
  tx: Tx,
  { own, requests, minedAt }: ForgottenTransaction,
): Promise<Adopted | null> {
  const { sender } = own;
  const row = await rowAt(tx, sender, own.nonce);
  if (row && row.calldata === own.calldata) {
    await storeSent(tx, row.id, own);
    return { etches: 0, unplaced: 0, doubtful: 0 };
  }
  // The transaction staged for this nonce can never be mined; `placeTrees` may find its etches in the queue.
  if (row) {
    const note = 'its nonce was spent by a transaction that the database had lost';
    const gone = await loseTransaction(tx, row.id, { note, unsigned: false, waitSeconds: 0 });
    if (!gone) return null;
  }
  const doubtful = await isDoubtful(tx, sender, own.nonce);
  const wanted = requests.map(({ data }) => readAttestationData(data));
  const again = await placeWaiting(tx, wanted);
  const rest = wanted.map((attested, at) =>
    again.some(({ position }) => position === at) ? null : attested,
  );
  const placed = [...again, ...placeTrees(rest, await lockQueue(tx))];
  const id = await insertStaged(tx, {
    sender,
    nonce: own.nonce,
    calldata: own.calldata,
    action: 'attest',
    batches: placed,
    doubtful,
    // The log of trees must become what its readers saw.
    attested: wanted,
  });
  await storeSent(tx, id, own);
  const etches = placed.reduce((sum, { treeSize }) => sum + treeSize, 0);
  const unplaced = wanted.length - placed.length;
  if (unplaced === 0) return { etches, unplaced, doubtful: 0 };
  await markUnplaced(tx, id, unplaced);
  return { etches, unplaced, doubtful: minedAt === undefined ? 0 : await countDoubtful(tx, minedAt) };
}

async function placeWaiting(tx: Tx, wanted: readonly (AttestationData | null)[]): Promise<PlacedBatch[]> {
  const waiting = await lockWaiting(
    tx,
    wanted.flatMap((attested) => attested?.root ?? []),
  );
  return wanted.flatMap((attested, position) => {
    const at = waiting.findIndex(
      (tree) =>
        attested?.kind === tree.kind &&
        attested.treeVersion === tree.treeVersion &&
        attested.treeSize === tree.treeSize &&
        Buffer.from(attested.root).equals(tree.root),
    );
    const [tree] = at < 0 ? [] : waiting.splice(at, 1);
    return tree ? [{ ...tree, position, tries: 0 }] : [];
  });
}

async function storeSent(tx: Tx, id: number, own: OwnTransaction): Promise<void> {
  await storeAttempt(tx, { id, calldata: own.calldata }, own);
  await markSent(tx, id, own.hash);
}

export function logAdoption(log: Log, own: OwnTransaction, result: Adopted | null | 'unreadable'): void {
  const about = { nonce: own.nonce, tx_hash: own.hash };
  if (result === 'unreadable')
    log.error(
      about,
      'anchoring: RELAYER_PRIVATE_KEY: another program attested with this key under our schema',
    );
  else if (!result) log.error(about, 'anchoring: a transaction of ours has the nonce of another final one');
  else if (result.unplaced === 0)
    log.warn({ ...about, ...result }, 'anchoring: adopted a transaction that the database had lost');
  else
    log.error(
      { ...about, ...result },
      'anchoring: the chain has attestations of this service whose etches the database does not have: ' +
        'queued etches may be among them and are attested again',
    );
}

type PlacedBatch = BatchDraft & { position: number };

/** Leaves to fold per transaction, about one second. */
const BUDGET = 500_000;

/** A tree's leaves are a contiguous run of the queue. */
function placeTrees(
  wanted: readonly (AttestationData | null)[],
  waiting: readonly WaitingEtch[],
): PlacedBatch[] {
  const versions = new Map<string, 0 | 1 | 2>();
  const taken = new Set<WaitingEtch>();
  const placed: PlacedBatch[] = [];
  const budget = BUDGET / Math.max(1, wanted.length);
  for (const [position, attested] of wanted.entries()) {
    if (!attested) continue;
    const { kind, treeVersion } = attested;
    const left = waiting.filter((etch) => !taken.has(etch) && etch.kind === kind);
    const runs =
      kind === 0
        ? [left]
        : [
            left.filter((etch) => versions.get(etch.etchId) === treeVersion),
            left.filter((etch) => (versions.get(etch.etchId) ?? etch.treeVersion) === treeVersion),
          ];
    const found = runs.reduce<FoundTree | null>(
      (before, run) => before ?? search(attested, run, budget),
      null,
    );
    if (!found) continue;
    for (const etch of found.etches) {
      taken.add(etch);
      if (kind === 0) versions.set(etch.etchId, treeVersion);
    }
    const members = found.etches.map(({ etchId }, at) => ({ etchId, proof: found.tree.proof(at) }));
    const notBefore = newest(found.etches.map((etch) => etch.notBefore));
    placed.push({ ...attested, members, position, notBefore, tries: 0 });
  }
  return placed;
}

interface FoundTree {
  etches: readonly WaitingEtch[];
  tree: Pick<FlatTree, 'proof'>;
}

function search(
  attested: AttestationData,
  waiting: readonly WaitingEtch[],
  budget: number,
): FoundTree | null {
  const { root, treeVersion, treeSize } = attested;
  if (treeVersion === 0) {
    const etch = waiting.find(({ hash }) => hash.equals(root));
    return etch ? { etches: [etch], tree: { proof: () => new Uint8Array(0) } } : null;
  }
  const runs = Math.min(waiting.length - treeSize + 1, Math.max(1, Math.floor(budget / treeSize)));
  const leaves = waiting
    .slice(0, Math.max(0, runs - 1 + treeSize))
    .map((etch) => etchLeaf(treeVersion, etch.userId, bytesToHex(etch.hash), sha256));
  for (let from = 0; from < runs; from++) {
    const tree = fold(leaves.slice(from, from + treeSize));
    if (tree && Buffer.from(tree.root).equals(root))
      return { etches: waiting.slice(from, from + treeSize), tree };
  }
  return null;
}

function fold(leaves: readonly Uint8Array[]): FlatTree | null {
  try {
    return buildFlatTree(leaves, sha256);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
