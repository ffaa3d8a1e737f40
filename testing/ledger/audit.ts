import { etchLeaf, foldProof, type Receipt, splitProof } from '@svc/protocol';
import { overall, rpcChain, type Trust, verifyReceipt } from '@svc/verifier';
import sql from 'sql-template-tag';
import { parseTransaction } from 'viem';
import { expect } from 'vitest';
import type { Db } from '../../packages/server/src/db/db.ts';
import { attestationsOf, type Attested, type LedgerChain, remembering } from './attestations.ts';
import type { Client } from '../system/client.ts';
import type { Load, Wanted } from '../system/load.ts';
import { keepSalt } from '../system/secrets.ts';
import { eventually } from '../wait.ts';
import { PER_DAY, type World } from '../system/world.ts';

export interface AuditOptions {
  /** etches a day of each agent; 0: what was spent is not counted */
  perDay?: number;
  /** attestations that somebody made with the relayer's key beside the service */
  foreign?: number;
  /**
   * blocks were made anew, maybe with earlier times: attested in the second of its creation is early enough, and what
   * then stood before even that does not count and was attested once more, with all of its transaction
   */
  remade?: boolean;
  /** how long everything may take to be anchored */
  seconds?: number;
}

/**
 * The end of every test that hurts a service: what was acknowledged, what the database holds and what the chain holds
 * must be the same, each thing once. Stops the running process gracefully.
 */
export async function audit(
  world: World,
  load: Load,
  options: AuditOptions = {},
): Promise<{ etches: number; trees: number }> {
  expect(load.faults).toEqual([]);
  expect(load.wanted.filter((wanted) => wanted.id === undefined)).toEqual([]);
  await allAnchored(world, load.wanted, options.seconds);
  const receipts = await fetchReceipts(world.client, load.wanted);
  const exit = await world.service.stop();
  expect(exit, world.service.output().slice(-2_000)).toEqual({ code: 0, signal: null });

  return world.withDb(async (db) => {
    const faults = await rowFaults(db, load.wanted);
    if (options.perDay !== 0)
      faults.push(...(await allowanceFaults(db, load.wanted, options.perDay ?? PER_DAY)));
    faults.push(...(await payloadFaults(db)));
    const trees = await world.withChain(async (chain) => {
      const attested = await attestationsOf(chain);
      faults.push(...(await chainFaults(db, attested, options)));
      faults.push(...(await receiptFaults(receipts, chain)));
      return attested.length;
    });
    expect(faults).toEqual([]);
    return { etches: load.wanted.length, trees };
  });
}

/** Waits until the service says of every etch that it is anchored, and of every retraction that it is. */
export async function allAnchored(
  world: Pick<World, 'client' | 'service'>,
  wanted: readonly Wanted[],
  seconds = 120,
): Promise<void> {
  const left = new Set(wanted);
  await eventually(
    `all ${left.size} etches are anchored`,
    async () => {
      for (const each of [...left].slice(0, 200)) {
        const reply = await world.client.call('GET', `/api/v1/etches/${each.id}`).catch(() => undefined);
        if (reply?.status !== 200) return false;
        const { chain, salt } = reply.body.etch;
        if (salt !== null) keepSalt(salt as string);
        const done =
          chain.status === 'anchored' && (!each.retracted || chain.revocation_status === 'revoked');
        if (!done) return false;
        left.delete(each);
      }
      return left.size === 0;
    },
    { seconds, everyMs: 150 },
  ).catch((error: Error) => {
    const lines = world.service.output().split('\n').slice(-15).join('\n');
    throw new Error(`${error.message} (${left.size} left)\n${lines}`);
  });
}

/**
 * Waits until everything is anchored, and the chain knows every attestation that the service names: after a
 * reorganisation it takes a moment until the service has noticed.
 */
export async function anchoredOnChain(world: World, wanted: readonly Wanted[]): Promise<void> {
  await eventually(
    'every attestation that the service names is on the chain',
    async () => {
      await allAnchored(world, wanted);
      const receipts = await fetchReceipts(world.client, wanted);
      return world.withChain(async (chain) => (await receiptFaults(receipts, chain)).length === 0);
    },
    { everyMs: 300 },
  );
}

/** Waits until the service's own live check finds everything on the chain: it has noticed what was lost, and mended it. */
export async function vouchedFor(world: World, wanted: readonly Wanted[]): Promise<void> {
  await eventually(
    'the service finds everything on the chain',
    async () => {
      await allAnchored(world, wanted);
      for (const { id } of wanted) {
        const { checks } = (await world.client.call('GET', `/api/v1/verify/${id}`)).body;
        if (!(checks as { verdict: string }[]).every(({ verdict }) => ['pass', 'info'].includes(verdict)))
          return false;
      }
      return true;
    },
    { everyMs: 500 },
  );
}

/** The receipts as the service gives them out now. */
export async function fetchReceipts(client: Client, wanted: readonly Wanted[]): Promise<Receipt[]> {
  const receipts: Receipt[] = [];
  for (let from = 0; from < wanted.length; from += 20) {
    const some = wanted.slice(from, from + 20);
    receipts.push(
      ...(await Promise.all(
        some.map(
          async ({ id }) => (await client.call('GET', `/api/v1/etches/${id}/receipt`)).body as Receipt,
        ),
      )),
    );
  }
  return receipts;
}

/** Every acknowledged etch is there once and nothing else is; each in one tree of each kind it needs. */
async function rowFaults(db: Db, wanted: readonly Wanted[]): Promise<string[]> {
  const faults: string[] = [];
  const users = [...new Set(wanted.map(({ agent }) => agent.userId))];
  const rows = await db.query<{ id: string; user_id: string; hash: Buffer; status: string }>(
    sql`select id, user_id, hash, status from etch where user_id = any(${users}::uuid[])`,
  );
  const stored = new Map(rows.map((row) => [row.id, row]));
  const ids = new Set(wanted.map(({ id }) => id!));
  if (ids.size !== wanted.length) faults.push(`${wanted.length - ids.size} ids were given out twice`);
  for (const id of ids) if (!stored.has(id)) faults.push(`${id} was acknowledged and is lost`);
  for (const id of stored.keys())
    if (!ids.has(id)) faults.push(`${id} was written beside what was acknowledged`);

  const keys = await db.query<{ user_id: string; key: string; record_id: string }>(
    sql`select user_id, key, record_id from idempotency where user_id = any(${users}::uuid[])`,
  );
  const bound = new Map(keys.map((key) => [`${key.user_id} ${key.key}`, key.record_id]));
  for (const { agent, idempotencyKey, id } of wanted) {
    if (bound.get(`${agent.userId} ${idempotencyKey}`) !== id) faults.push(`${id}: its key leads elsewhere`);
  }
  if (keys.length !== wanted.length) faults.push(`${keys.length} keys are bound, ${wanted.length} were sent`);

  for (const { id, retracted } of wanted) {
    if ((stored.get(id!)?.status === 'retracted') !== retracted) faults.push(`${id}: retracted or not`);
  }
  return [...faults, ...(await leafFaults(db, stored))];
}

async function leafFaults(
  db: Db,
  stored: ReadonlyMap<string, { user_id: string; hash: Buffer; status: string }>,
): Promise<string[]> {
  const faults: string[] = [];
  const leaves = await db.query<{
    etch_id: string;
    kind: number;
    proof: Buffer;
    root: Buffer;
    tree_version: 0 | 1 | 2;
    anchored_at: string | null;
  }>(sql`select l.etch_id, l.kind, l.proof, b.root, b.tree_version, b.anchored_at
    from batch_leaf l join batch b on b.id = l.batch_id`);
  const kinds = new Map<string, number[]>();
  for (const leaf of leaves) {
    const etch = stored.get(leaf.etch_id);
    if (!etch) continue;
    kinds.set(leaf.etch_id, [...(kinds.get(leaf.etch_id) ?? []), leaf.kind].sort());
    if (leaf.anchored_at === null)
      faults.push(`${leaf.etch_id}: its tree of kind ${leaf.kind} is not anchored`);
    const root =
      leaf.tree_version === 0
        ? etch.hash
        : foldProof(
            etchLeaf(leaf.tree_version, etch.user_id, etch.hash.toString('hex')),
            splitProof(leaf.proof),
          );
    if (!leaf.root.equals(root)) faults.push(`${leaf.etch_id}: does not fold to its root`);
  }
  for (const [id, { status }] of stored) {
    const needed = status === 'retracted' ? '0,1' : '0';
    const found = kinds.get(id)?.join() ?? 'none';
    if (found !== needed) faults.push(`${id}: trees of kinds ${found}, not ${needed}`);
  }
  return faults;
}

/** Every etch has spent one, whatever became of its answers. */
async function allowanceFaults(db: Db, wanted: readonly Wanted[], perDay: number): Promise<string[]> {
  const faults: string[] = [];
  const buckets = await db.query<{ user_id: string; spent: number; updated_at: string }>(
    sql`select user_id, spent, updated_at from allowance where kind = 'etch'`,
  );
  for (const user of new Set(wanted.map(({ agent }) => agent.userId))) {
    const bucket = buckets.find(({ user_id }) => user_id === user);
    const etches = await db.query<{ created_at: string }>(
      sql`select created_at from etch where user_id = ${user} order by created_at`,
    );
    // The same bucket, filled by the clock and emptied by each etch.
    let [spent, at] = [0, 0];
    const fill = (time: string): void => {
      spent = Math.max(0, spent - ((Date.parse(time) - at) * perDay) / 86_400_000);
      at = Date.parse(time);
    };
    for (const { created_at } of etches) {
      fill(created_at);
      spent++;
    }
    if (bucket) fill(bucket.updated_at);
    const differs = Math.abs(spent - (bucket?.spent ?? NaN));
    if (!(differs < 0.4)) faults.push(`${user}: ${bucket?.spent} tokens are spent, not ${spent}`);
  }
  return faults;
}

/** However often a transaction was signed, its nonce carries one payload, and never for more than the cap. */
async function payloadFaults(db: Db): Promise<string[]> {
  const rows = await db.query<{ raw: Buffer; calldata: Buffer; nonce: number; max_fee_per_gas: string }>(
    sql`select a.raw, t.calldata, t.nonce, a.max_fee_per_gas from tx_attempt a join anchor_tx t on t.id = a.tx_id`,
  );
  const faults: string[] = [];
  for (const { raw, calldata, nonce, max_fee_per_gas } of rows) {
    const signed = parseTransaction(`0x${raw.toString('hex')}`);
    if (signed.data !== `0x${calldata.toString('hex')}`)
      faults.push(`nonce ${nonce}: another payload was signed`);
    if ((signed.nonce ?? 0) !== nonce) faults.push(`nonce ${nonce} was signed as ${signed.nonce}`);
    if (signed.maxFeePerGas! > 100n * 10n ** 9n || BigInt(max_fee_per_gas) > 100n * 10n ** 9n)
      faults.push(`nonce ${nonce}: above the fee cap`);
  }
  return faults;
}

/** What the contract logged and what the database knows are the same, each root and kind attested once. */
async function chainFaults(db: Db, attested: readonly Attested[], options: AuditOptions): Promise<string[]> {
  const faults: string[] = [];
  const batches = await db.query<{
    root: Buffer;
    kind: 0 | 1;
    tree_version: number;
    tree_size: number;
    uid: Buffer | null;
    anchored_at: string | null;
    newest: string;
  }>(sql`select b.root, b.kind, b.tree_version, b.tree_size, b.uid, b.anchored_at,
      (select max(case when b.kind = 0 then e.created_at else e.retracted_at end)
        from batch_leaf l join etch e on e.id = l.etch_id where l.batch_id = b.id) as newest
    from batch b where not (b.kind = 1 and b.tree_version = 0)`);
  const byUid = new Map(
    batches.map((batch) => [batch.uid ? `0x${batch.uid.toString('hex')}` : 'none', batch]),
  );
  const tooEarly = new Set(
    attested.filter((found) => batches.some((batch) => isTooEarly(found, batch))).map(({ txHash }) => txHash),
  );
  const seen = new Map<string, number>();
  let unknown = 0;
  for (const found of attested) {
    const name = `${found.kind} ${found.root}`;
    const batch = byUid.get(found.uid);
    if (!batch && options.remade && tooEarly.has(found.txHash)) continue;
    seen.set(name, (seen.get(name) ?? 0) + 1);
    if (!batch) {
      unknown++;
      continue;
    }
    byUid.delete(found.uid);
    const same =
      batch.root.toString('hex') === found.root &&
      batch.kind === found.kind &&
      batch.tree_version === found.treeVersion &&
      batch.tree_size === found.treeSize &&
      batch.anchored_at !== null &&
      Date.parse(batch.anchored_at) === found.time * 1000;
    if (!same) faults.push(`${found.uid}: the chain and the database disagree`);
    if (options.remade ? isTooEarly(found, batch) : found.time * 1000 < Date.parse(batch.newest))
      faults.push(`${found.uid}: attested before something in it was`);
  }
  if (unknown !== (options.foreign ?? 0)) faults.push(`${unknown} attestations are not in the database`);
  for (const uid of byUid.keys()) faults.push(`dangling: ${uid}`);
  for (const [name, times] of seen) if (times > 1) faults.push(`root ${name} was attested ${times} times`);
  return faults;
}

function isTooEarly(found: Attested, batch: { root: Buffer; kind: number; newest: string }): boolean {
  return (
    batch.kind === found.kind &&
    batch.root.toString('hex') === found.root &&
    found.time < Math.floor(Date.parse(batch.newest) / 1000)
  );
}

async function receiptFaults(receipts: readonly Receipt[], chain: LedgerChain): Promise<string[]> {
  const trust: Trust = { ...chain, relayers: [chain.relayer] };
  const reader = remembering(rpcChain({ urls: [chain.rpcUrl] }));
  const faults: string[] = [];
  for (const receipt of receipts) {
    const verification = await verifyReceipt(receipt, trust, reader);
    const verdict = overall(verification);
    if (verdict === 'pass') continue;
    faults.push(
      `${receipt.etch_id}: ${verdict}: ${verification.checks.map((check) => check.detail).join('; ')}`,
    );
  }
  return faults;
}
