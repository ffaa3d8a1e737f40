// Moves a service to another chain, where it attests all trees again (docs/decisions/0026-leaving-a-chain.md).
import { randomUUID } from 'node:crypto';
import type { AttestationData } from '@svc/protocol';
import sql from 'sql-template-tag';
import { formatEther } from 'viem';
import { attestationData } from '../../anchoring/steps/read-back.ts';
import { toHex } from '../../anchoring/ledger/bytes.ts';
import { countWaiting, leaveChain } from '../../anchoring/ledger/former.ts';
import { giveUpLease, takeLease } from '../../anchoring/ledger/lease.ts';
import { DEFAULT_RULES } from '../../anchoring/rules.ts';
import type { Chain } from '../../chain/port.ts';
import type { Db, Queryable } from '../../db/db.ts';
import { faultError, unavailableError, type Line } from '../context.ts';

/** A test compares the estimate with the gas used (test/anchoring/migrate.test.ts). */
const GAS_OF_REVOCATION = 45_000n;
const LEASE_SECONDS = 60;

/** Wei are decimal strings; `most_wei` is at MAX_FEE_GWEI. */
export type Move = Awaited<ReturnType<typeof planMove>>;

export async function planMove(db: Db, chain: Chain, name: string) {
  const identity = await chain.identity();
  await refuseUnfit(db, identity);
  await chain.checkContract();
  const [row] = await db.query<
    Record<'chain_id' | 'trees' | 'etches' | 'tombstone_trees' | 'revocations' | 'withheld', number> &
      Record<'open_transactions' | 'without_evidence' | 'unplaced', number> & { contract: Buffer }
  >(sql`
    with moved as (select * from batch where tx_id is null or anchored_at is not null)
    select chain_id, contract,
      (select count(*) from moved where kind = 0) as trees,
      (select coalesce(sum(tree_size), 0)::bigint from moved where kind = 0) as etches,
      (select count(*) from moved where kind = 1 and tree_version <> 0) as tombstone_trees,
      (select count(*) from moved where kind = 1 and tree_version = 0) as revocations,
      (select count(*) from anchor_tx where state not in ('FINAL', 'LOST')) as open_transactions,
      (select count(*) from anchor_tx t where state = 'FINAL' and action <> 'fill'
        and not exists (select from evidence e where e.tx_id = t.id and e.block_hash = t.block_hash and e.header is not null))
        as without_evidence,
      (select coalesce(sum(unplaced), 0)::bigint from anchor_tx where state <> 'LOST') as unplaced,
      (select count(*) from withheld) as withheld
    from chain_state`);
  const { chain_id, contract, ...counts } = row!;
  const { maxAttestations: most, maxRevocations } = DEFAULT_RULES;
  // Tombstones are sent after their commitments are final.
  const sizes = [...chunks(counts.trees, most), ...chunks(counts.tombstone_trees, most)];
  const revoked = BigInt(counts.revocations) * GAS_OF_REVOCATION;
  const gas = (await attestationGas(db, chain, sizes)) + revoked;
  const { maxPriorityFeePerGas } = await chain.fees();
  const { baseFeePerGas } = await chain.head();
  return {
    from: { name, chain_id, attestation_contract: toHex(contract) },
    to: { name: chain.name, chain_id: identity.chainId, attestation_contract: chain.contract },
    ...counts,
    transactions: sizes.length + chunks(counts.revocations, maxRevocations).length,
    gas: gas.toString(),
    cost_wei: (gas * (baseFeePerGas + maxPriorityFeePerGas)).toString(),
    most_wei: (gas * chain.maxFeePerGas).toString(),
    relayer: chain.relayer,
    balance_wei: (await chain.balance()).toString(),
  };
}

/** Binds the database to the chain, in one transaction. The service attests the trees when it starts. */
export async function move(db: Db, chain: Chain, name: string): Promise<void> {
  const identity = await chain.identity();
  await chain.checkContract();
  await db.tx(async (tx) => {
    await tx.query(sql`set local idle_in_transaction_session_timeout = 0`);
    const holder = `svc-admin ${randomUUID()}`;
    if (!(await takeLease(tx, holder, LEASE_SECONDS)))
      throw unavailableError(
        'a service runs on this database, or was killed less than ten seconds ago: stop it, then run this again',
      );
    await refuseUnfit(tx, identity);
    await leaveChain(tx, name, { ...identity, contract: chain.contract, schemaUid: chain.schemaUid });
    await giveUpLease(tx, holder);
  });
}

type Identity = Awaited<ReturnType<Chain['identity']>>;

async function refuseUnfit(db: Queryable, { chainId, genesisHash }: Identity): Promise<void> {
  const genesis = Buffer.from(genesisHash.slice(2), 'hex');
  const [now] = await db.query<{ chain_id: number | null; same: boolean; former: string | null }>(sql`
    select chain_id, chain_id = ${chainId} or genesis_hash = ${genesis} as same,
      (select name from former_chain f where f.chain_id = ${chainId} or f.genesis_hash = ${genesis} limit 1) as former
    from chain_state for update`);
  if (now!.chain_id === null)
    throw faultError('this database has no chain yet: start the service, there is nothing to move');
  if (now!.same) {
    const waiting = await countWaiting(db);
    throw faultError(
      `this database is on chain ${now!.chain_id} already: ` +
        (waiting > 0
          ? `${waiting} trees wait, and the running service attests them`
          : 'set CHAIN_RPC_URL, CHAIN_ID and the other settings of the new chain'),
    );
  }
  if (now!.former !== null)
    throw faultError(
      `this database was on chain ${chainId} (${now!.former}) before, and its attestations are there: choose a chain where it never was`,
    );
}

function chunks(count: number, most: number): number[] {
  const full = Array.from({ length: Math.floor(count / most) }, () => most);
  return count % most === 0 ? full : [...full, count % most];
}

async function attestationGas(db: Queryable, chain: Chain, sizes: readonly number[]): Promise<bigint> {
  if (sizes.length === 0) return 0n;
  const rows = await db.query<AttestationData>(sql`
    select root, kind, tree_version as "treeVersion", tree_size as "treeSize" from batch
    where (tx_id is null or anchored_at is not null) and not (kind = 1 and tree_version = 0)
    order by id limit ${Math.max(...sizes)}`);
  const requests = rows.map((tree) => ({ data: attestationData(tree), revocable: tree.treeVersion === 0 }));
  const known = new Map<number, bigint>();
  let gas = 0n;
  for (const size of sizes) {
    const one = known.get(size) ?? (await chain.estimateGas(chain.encodeAttest(requests.slice(0, size))));
    known.set(size, one);
    gas += one;
  }
  return gas;
}

export function moveWords(plan: Move, moved: boolean): Line[] {
  const { from, to } = plan;
  const place = ({ name, chain_id, attestation_contract }: Move['from']): string =>
    `${name} (chain ${chain_id}, contract ${attestation_contract})`;
  const ether = (wei: string): string => `${formatEther(BigInt(wei))} ether`;
  const warning = (count: number, words: string): Line => count > 0 && `WARNING ${count} ${words}`;
  const tombstones = plan.tombstone_trees + plan.revocations;
  return [
    `from    ${place(from)}`,
    `to      ${place(to)}`,
    `attests ${plan.trees} trees of ${plan.etches} etches, ${plan.tombstone_trees} trees of tombstones and ${plan.revocations} revocations again, in ${plan.transactions} transactions`,
    `costs   about ${plan.gas} gas: ${ether(plan.cost_wei)} at the fees of now, at most ${ether(plan.most_wei)} (MAX_FEE_GWEI); a rollup adds a fee for its data`,
    `relayer ${plan.relayer} has ${ether(plan.balance_wei)}`,
    BigInt(plan.balance_wei) < BigInt(plan.cost_wei) && 'WARNING the balance of the relayer does not suffice',
    warning(
      plan.open_transactions,
      `transactions are not final on ${from.name}: their etches are folded again, and keep no time of ${from.name}`,
    ),
    warning(
      plan.without_evidence,
      `transactions have no proof of their block: while ${from.name} answers, let the service make them, or only the service's word is left of their time`,
    ),
    warning(
      plan.unplaced,
      `attestations on ${from.name} are of trees that this database does not have: they stay there`,
    ),
    warning(
      plan.withheld,
      `etches are withheld: run svc-admin chain erase first, or they get no tombstone on ${to.name}`,
    ),
    moved
      ? `The database belongs to ${to.name} now. Start the service: it attests ${plan.trees} trees${tombstones > 0 ? ', then their tombstones' : ''}. Until then these etches are pending.`
      : 'Nothing was changed: use --yes to move.',
  ];
}
