import { type AttestationData, decodeAttestationData, hexToBytes } from '@svc/protocol';
import { listRelayers } from '../anchoring/index.ts';
import { askRange, blockAt, blockRange } from '../chain/block-range.ts';
import type { AttestationLog, Chain, Hex } from '../chain/port.ts';
import type { Db } from '../db/db.ts';
import {
  type FoundTombstone,
  insertFound,
  readReach,
  readSearch,
  unknownUids,
  writeSearch,
} from './store.ts';

/** Requests to the node between two stored positions. */
const QUESTIONS = 20;

const bytes = (hex: Hex): Buffer => Buffer.from(hex.slice(2), 'hex');

/**
 * Searches final blocks. `new` continues from the last search or the ledger's last final block, `all` from the
 * ledger's first block.
 * @returns the number of new tombstones
 * @throws ChainUnavailable
 */
export async function searchTombstones(db: Db, chain: Chain, which: 'new' | 'all'): Promise<number> {
  const genesis = bytes((await chain.identity()).genesisHash);
  const final = (await chain.finalBlock()).number;
  const from = await firstBlock(db, chain, { which, genesis, final });
  const relayers = [...new Set<Hex>([chain.relayer, ...(await listRelayers(db))])];
  const range = blockRange(from, final);
  let found = 0;
  for (let done = range.at > range.to; !done;) {
    done = await askRange(range, QUESTIONS, async (first, last) => {
      found += await note(db, chain, relayers, await chain.attestationsIn(first, last, relayers));
    });
    if (which === 'new') await writeSearch(db, genesis, range.at - 1);
  }
  await writeSearch(db, genesis, final);
  return found;
}

async function firstBlock(
  db: Db,
  chain: Chain,
  { which, genesis, final }: { which: 'new' | 'all'; genesis: Buffer; final: number },
): Promise<number> {
  const before = which === 'new' ? await readSearch(db, genesis) : null;
  if (before !== null) return before + 1;
  const { first, last, oldestEtch } = await readReach(db);
  const known = which === 'new' ? last : first;
  if (known !== null) return known;
  // Nothing was ever anchored.
  return oldestEtch === null ? final + 1 : blockAt(chain, final, Math.floor(oldestEtch / 1000));
}

async function note(db: Db, chain: Chain, relayers: readonly Hex[], logs: readonly AttestationLog[]) {
  const found: FoundTombstone[] = [];
  for (const event of ['Attested', 'Revoked'] as const) {
    const uids = logs.flatMap((log) => (log.event === event ? [bytes(log.uid)] : []));
    // The ledger stores a revocation only as a retraction.
    for (const { uid } of await unknownUids(db, event === 'Attested' ? 0 : 1, uids)) {
      const tombstone = await readTombstone(chain, relayers, uid, event);
      if (tombstone) found.push(tombstone);
    }
  }
  return found.length === 0 ? 0 : insertFound(db, found);
}

/** Returns undefined if the attestation retracts nothing, or is on a fork. */
async function readTombstone(
  chain: Chain,
  relayers: readonly string[],
  uid: Buffer,
  event: AttestationLog['event'],
): Promise<FoundTombstone | undefined> {
  const attestation = await chain.attestation(`0x${uid.toString('hex')}`);
  if (!attestation || attestation.schema !== chain.schemaUid || !relayers.includes(attestation.attester))
    return undefined;
  const data = readData(attestation.data);
  if (!data) return undefined;
  const { root, kind, treeVersion, treeSize } = data;
  // A tree's attestation is never revoked.
  const retracts = event === 'Attested' ? kind === 1 : treeVersion === 0 && attestation.revocationTime > 0;
  if (!retracts) return undefined;
  const seconds = event === 'Attested' ? attestation.time : attestation.revocationTime;
  return {
    uid,
    root: Buffer.from(root),
    tree_version: treeVersion,
    tree_size: treeSize,
    attested_at: new Date(seconds * 1000).toISOString(),
  };
}

function readData(data: string): AttestationData | undefined {
  try {
    return decodeAttestationData(hexToBytes(data.slice(2)));
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
