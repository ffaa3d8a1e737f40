import { decodeAttestationData, etchLeaf, foldProof, hexToBytes, splitProof } from '@svc/protocol';
import sql from 'sql-template-tag';
import { keccak256, parseTransaction, stringToBytes } from 'viem';
import { expect } from 'vitest';
import type { Chain, Hex } from '../../packages/server/src/chain/port.ts';
import type { Db } from '../../packages/server/src/db/db.ts';
import type { World } from '../anchoring/world.ts';

const ATTESTED = keccak256(stringToBytes('Attested(address,address,bytes32,bytes32)'));

interface Leaf {
  id: string;
  user_id: string;
  hash: Buffer;
  created_at: string;
  retracted: boolean;
  kind: 0 | 1 | null;
  proof: Buffer;
  batch_id: number;
  tree_version: 0 | 1 | 2;
  root: Buffer;
  tree_size: number;
  uid: Buffer | null;
  anchored_at: string | null;
}

/**
 * The whole of the database against the whole of the chain since `fromBlock`: every etch committed once, every
 * retraction once, nothing attested that the database does not know, nothing known that is not attested.
 */
export async function audit(
  world: World,
  db: Db,
  fromBlock: number,
  options: { voided?: number } = {},
): Promise<{ attestations: number }> {
  const chain = world.chain();
  const leaves = await db.query<Leaf>(sql`
    select e.id, e.user_id, e.hash, e.created_at, e.status = 'retracted' as retracted, l.kind, l.proof, l.batch_id,
      b.tree_version, b.root, b.tree_size, b.uid, b.anchored_at
    from etch e
    left join batch_leaf l on l.etch_id = e.id left join batch b on b.id = l.batch_id
    where not exists (select from anchor_job j where j.etch_id = e.id and j.halted is not null)`);
  const faults: string[] = [];
  const kinds = new Map<string, number[]>();
  for (const leaf of leaves) {
    const seen = kinds.get(leaf.id) ?? [];
    if (leaf.kind !== null) seen.push(leaf.kind);
    kinds.set(leaf.id, seen);
    if (leaf.kind === null) continue;
    if (!leaf.anchored_at || !leaf.uid) faults.push(`${leaf.id}: kind ${leaf.kind} not anchored`);
    if (!folds(leaf)) faults.push(`${leaf.id}: does not fold to its root`);
  }
  for (const leaf of leaves) {
    const want = leaf.retracted ? '0,1' : '0';
    const have = [...kinds.get(leaf.id)!].sort().join();
    if (have !== want) faults.push(`${leaf.id}: kinds ${have || 'none'} instead of ${want}`);
  }

  const onChain = await attested(world, chain, fromBlock);
  const known = await db.query<{ kind: number; tree_version: number; uid: Buffer | null }>(
    sql`select kind, tree_version, uid from batch where not (kind = 1 and tree_version = 0)`,
  );
  const uids = new Set(known.map((batch) => batch.uid && `0x${batch.uid.toString('hex')}`));
  for (const uid of uids) if (uid === null || !onChain.has(uid as Hex)) faults.push(`dangling ${uid}`);
  const extra = [...onChain.keys()].filter((uid) => !uids.has(uid));
  if (extra.length !== (options.voided ?? 0)) faults.push(`${extra.length} attested beside what is known`);

  for (const leaf of leaves) {
    const found = leaf.uid && onChain.get(`0x${leaf.uid.toString('hex')}`);
    if (!found || leaf.kind === null) continue;
    const data = decodeAttestationData(hexToBytes(found.data.slice(2)));
    const revoked = leaf.kind === 1 && leaf.tree_version === 0;
    if (!Buffer.from(data.root).equals(leaf.root)) faults.push(`${leaf.id}: another root on chain`);
    if (data.treeSize !== leaf.tree_size || data.treeVersion !== leaf.tree_version)
      faults.push(`${leaf.id}: another tree`);
    if (data.kind !== (revoked ? 0 : leaf.kind)) faults.push(`${leaf.id}: another kind`);
    if (found.time * 1000 < Date.parse(leaf.created_at))
      faults.push(`${leaf.id}: attested before it was created`);
    if (leaf.tree_version === 0 && leaf.retracted !== found.revocationTime > 0)
      faults.push(`${leaf.id}: revocation`);
    const shown = revoked ? found.revocationTime : found.time;
    if (Date.parse(leaf.anchored_at!) !== shown * 1000) faults.push(`${leaf.id}: another time on chain`);
  }
  faults.push(...(await payloadFaults(db)));
  expect(faults).toEqual([]);
  return { attestations: onChain.size };
}

function folds(leaf: Leaf): boolean {
  if (leaf.tree_version === 0) return leaf.root.equals(leaf.hash) && leaf.proof.length === 0;
  const bytes = etchLeaf(leaf.tree_version, leaf.user_id, leaf.hash.toString('hex'));
  return Buffer.from(foldProof(bytes, splitProof(leaf.proof))).equals(leaf.root);
}

async function attested(world: World, chain: Chain, fromBlock: number) {
  const logs = (await world.rpc('eth_getLogs', {
    address: chain.contract,
    fromBlock: `0x${fromBlock.toString(16)}`,
    toBlock: 'latest',
    topics: [ATTESTED, null, `0x${chain.relayer.slice(2).padStart(64, '0')}`, chain.schemaUid],
  })) as { data: Hex }[];
  const found = new Map<Hex, { data: Hex; time: number; revocationTime: number }>();
  for (const { data: uid } of logs) {
    const attestation = await chain.attestation(uid);
    expect(attestation).not.toBeNull();
    found.set(uid, attestation!);
  }
  return found;
}

/** One payload and one nonce a transaction, however often it was signed; and no fee above the cap. */
async function payloadFaults(db: Db): Promise<string[]> {
  const rows = await db.query<{ raw: Buffer; calldata: Buffer; nonce: number }>(
    sql`select a.raw, t.calldata, t.nonce from tx_attempt a join anchor_tx t on t.id = a.tx_id`,
  );
  return rows.flatMap(({ raw, calldata, nonce }) => {
    const signed = parseTransaction(`0x${raw.toString('hex')}`);
    const faults: string[] = [];
    if (signed.data !== `0x${calldata.toString('hex')}`)
      faults.push(`nonce ${nonce}: another payload was signed`);
    if ((signed.nonce ?? 0) !== nonce) faults.push(`nonce ${nonce}: signed as ${signed.nonce}`);
    if (signed.maxFeePerGas! > 100n * 10n ** 9n) faults.push(`nonce ${nonce}: above the fee cap`);
    return faults;
  });
}
