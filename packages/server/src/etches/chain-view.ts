// The public `chain` fields of an etch, from its rows of anchoring.
import { type AttestedBatch, type EtchRow, statusAt } from './row.ts';

export interface ExplorerLinks {
  explorerUrl: string | undefined;
  attestationExplorerUrl: string | undefined;
}

/** Before readers see `failed` (docs/specification.md#status-on-the-chain). */
const FAILED_AFTER_MS = 3_600_000;

export function chainView(row: EtchRow, now: number, links: ExplorerLinks) {
  const commitment = final(row.commitment);
  const tombstone = row.status === 'retracted' ? final(row.tombstone) : null;
  const states = chainStates(row, { anchored: commitment !== null, revoked: tombstone !== null }, now);
  const txHash = hex0x(commitment?.tx_hash);
  const uid = hex0x(commitment?.uid);
  const revocationTxHash = hex0x(tombstone?.tx_hash);
  const revocation = treeOf(tombstone);
  return {
    status: states.status,
    attestation_uid: uid,
    tx_hash: txHash,
    anchored_at: commitment?.anchored_at ?? null,
    revocation_status: states.revocation_status,
    revocation_tx_hash: revocationTxHash,
    revoked_onchain_at: tombstone?.anchored_at ?? null,
    attscan_url: link(links.attestationExplorerUrl, 'attestation/view', uid),
    tx_url: link(links.explorerUrl, 'tx', txHash),
    revocation_tx_url: link(links.explorerUrl, 'tx', revocationTxHash),
    ...treeOf(commitment),
    revocation_root: revocation.root,
    revocation_proof: revocation.proof,
    revocation_tree_version: revocation.tree_version,
    revocation_attestation_uid: hex0x(tombstone?.uid),
  } as const;
}

export const explorerLinks = (
  links: ExplorerLinks,
  { attestation_uid: uid, tx_hash: txHash }: { attestation_uid: string; tx_hash: string },
): { attestation: string | null; transaction: string | null } => ({
  attestation: link(links.attestationExplorerUrl, 'attestation/view', uid),
  transaction: link(links.explorerUrl, 'tx', txHash),
});

export const final = (batch: AttestedBatch | null): AttestedBatch | null =>
  batch?.anchored_at ? batch : null;

const NO_TREE = { root: null, proof: null, tree_size: null, tree_version: null };

/** The fields of the tree, which are null for a single etch without a tree. */
export function treeOf(batch: AttestedBatch | null) {
  if (batch === null || batch.tree_version === 0) return NO_TREE;
  const { tree_size, tree_version } = batch;
  const hex = batch.proof.toString('hex');
  const proof = Array.from({ length: hex.length / 64 }, (_, at) => hex.slice(at * 64, at * 64 + 64));
  return { root: batch.root.toString('hex'), proof, tree_size, tree_version };
}

export const hex0x = (bytes: Buffer | null | undefined): string | null =>
  bytes ? `0x${bytes.toString('hex')}` : null;

export type ChainStateRow = Pick<
  EtchRow,
  'status' | 'reveal_at' | 'created_at' | 'retracted_at' | 'failing_since'
>;

export interface FinalAttestations {
  anchored: boolean;
  revoked: boolean;
}

export function chainStates(row: ChainStateRow, { anchored, revoked }: FinalAttestations, now: number) {
  return {
    status: anchored ? 'anchored' : hasFailed(row, knownSince(row, now), now) ? 'failed' : 'pending',
    revocation_status: revocationStatus(row, revoked, now),
  } as const;
}

function revocationStatus(row: ChainStateRow, revoked: boolean, now: number) {
  if (row.status !== 'retracted') return 'none';
  if (revoked) return 'revoked';
  return hasFailed(row, row.retracted_at, now) ? 'failed' : 'pending';
}

/** A sealed etch shows the start of the outage: its creation must stay hidden. */
const knownSince = (row: ChainStateRow, now: number): string | null =>
  statusAt(row, now) === 'revealed' ? row.created_at : null;

function hasFailed(row: ChainStateRow, since: string | null, now: number): boolean {
  if (row.failing_since === null) return false;
  const from = Math.max(Date.parse(row.failing_since), since === null ? 0 : Date.parse(since));
  return now - from > FAILED_AFTER_MS;
}

const link = (root: string | undefined, path: string, id: string | null): string | null =>
  root === undefined || id === null ? null : `${root}/${path}/${id}`;
