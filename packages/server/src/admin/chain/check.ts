// Compares the ledger with the chain: reads back every attestation, and searches for those that the database lacks.
import sql from 'sql-template-tag';
import { mismatch, readAttestationData } from '../../anchoring/steps/read-back.ts';
import type { Attestation, Chain, Hex } from '../../chain/port.ts';
import type { Db, Queryable } from '../../db/db.ts';
import { Report } from '../fsck/report.ts';
import {
  type AnchoredBatch,
  anchoredBatches,
  countHaltedJobs,
  haltedTransactions,
  ledgerFacts,
} from './store.ts';
import { listRelayers } from '../../anchoring/index.ts';
import { askRange, blockRange } from '../../chain/block-range.ts';
import { mapAtOnce } from '../../platform/flow/time-slices.ts';
import { inPages } from '../context.ts';

const AT_ONCE = 10;

export async function checkChain(
  db: Db,
  chain: Chain,
  progress: (done: number) => void,
): Promise<{ report: Report; relayer: object }> {
  const report = new Report();
  for await (const { batch, wrong } of readBack(db, chain)) {
    report.count('attestations');
    progress(report.checked['attestations']!);
    if (wrong) report.fault(batch.kind === 0 ? 'tree' : 'tombstone tree', batch.root.toString('hex'), wrong);
  }
  const relayer = await checkRelayer(db, chain, report);
  for (const { nonce, note, etches } of await haltedTransactions(db))
    report.fault(
      'transaction',
      `nonce ${nonce}`,
      `set aside with ${etches} etches (${note ?? 'no reason'}): run svc-admin chain release`,
    );
  const jobs = await countHaltedJobs(db);
  if (jobs > 0)
    report.fault(
      'queue',
      `${jobs} etches`,
      'set aside because their rows did not match their hashes: run svc-admin fsck',
    );
  return { report, relayer };
}

export async function* readBack(
  db: Db,
  chain: Chain,
): AsyncGenerator<{ batch: AnchoredBatch; wrong: string | undefined; gone: boolean }> {
  const read = (last: AnchoredBatch | undefined) => anchoredBatches(db, last?.id ?? 0, AT_ONCE);
  for await (const page of inPages(AT_ONCE, read)) {
    const found = await Promise.all(page.map((batch) => chain.attestation(batch.uid)));
    for (const [at, batch] of page.entries()) {
      const attestation = found[at] ?? null;
      yield { batch, wrong: faultOf(chain, batch, attestation), gone: attestation === null };
    }
  }
}

function faultOf(chain: Chain, batch: AnchoredBatch, found: Attestation | null): string | undefined {
  if (!found) return 'its attestation is not on the chain';
  const { kind, treeVersion, time } = batch;
  // A retracted single etch has a revoked attestation of kind 0.
  const revoked = kind === 1 && treeVersion === 0;
  if (revoked && found.revocationTime !== time) return 'its attestation is not revoked at the stored time';
  const meant = { ...batch, schema: chain.schemaUid, revocable: treeVersion === 0 };
  const wrong = mismatch(found, revoked ? { ...meant, kind: 0, time: found.time } : meant);
  return wrong && `its attestation has ${wrong}`;
}

const ENOUGH = 20n;

async function checkRelayer(db: Db, chain: Chain, report: Report): Promise<object> {
  const facts = await ledgerFacts(db, chain.relayer);
  const [mined, balance] = [await chain.minedNonce(), await chain.balance()];
  if (facts.next_nonce !== null && mined > facts.next_nonce)
    report.fault(
      'relayer',
      chain.relayer,
      `the chain counts ${mined} of its transactions, the ledger ${facts.next_nonce}: another program uses the key, or the database is older than the chain; the running service searches for its own transactions`,
    );
  const cost = facts.cost === null ? null : BigInt(facts.cost);
  const left = cost === null || cost === 0n ? null : balance / cost;
  if (balance === 0n || (left !== null && left < ENOUGH))
    report.fault(
      'relayer',
      chain.relayer,
      `its balance pays for ${left ?? 0n} transactions at recent fees: fund it`,
    );
  return {
    address: chain.relayer,
    balance_wei: balance.toString(),
    transactions_left: left === null ? null : Number(left),
    mined,
    ledger_next: facts.next_nonce,
    transactions: facts.transactions,
    nonces_not_ours: facts.missing_nonces,
    attestations_without_leaves: facts.unplaced,
  };
}

const QUESTIONS = 20;

/** Reports final attestations by our relayers that the database lacks; `checkTombstones` reports tombstones. */
export async function checkUnknown(
  db: Db,
  chain: Chain,
  report: Report,
  progress: (block: number) => void,
): Promise<void> {
  const relayers = [...new Set<Hex>([chain.relayer, ...(await listRelayers(db))])];
  const final = (await chain.finalBlock()).number;
  const range = blockRange(await firstBlock(db, chain, final), final);
  for (let done = range.at > range.to; !done; progress(range.at)) {
    done = await askRange(range, QUESTIONS, async (from, to) => {
      const logs = await chain.attestationsIn(from, to, relayers);
      const uids = logs.flatMap(({ event, uid }) => (event === 'Attested' ? [uid] : []));
      for (const attestation of await mapAtOnce(uids, AT_ONCE, (uid) => chain.attestation(uid)))
        if (attestation) await checkOne(db, attestation, report);
    });
  }
}

async function firstBlock(db: Queryable, chain: Chain, final: number): Promise<number> {
  const first = await db.value<number | null>(sql`
    select min(block_number) as first from anchor_tx
    where state = 'FINAL' and not exists (select from earlier_attestation)`);
  if (first !== null) return first;
  return (await chain.minedNonce()) === 0 ? final + 1 : 0;
}

async function checkOne(db: Queryable, { uid, data, time }: Attestation, report: Report): Promise<void> {
  const content = readAttestationData(data);
  const root = content ? Buffer.from(content.root) : Buffer.alloc(0);
  const isKnown = await db.value<boolean>(sql`
    select exists (select from batch where uid = ${Buffer.from(uid.slice(2), 'hex')})
      or exists (select from batch where root = ${root} and kind = ${content?.kind ?? 0})
      or exists (select from chain_tombstone where uid = ${Buffer.from(uid.slice(2), 'hex')}) as known`);
  report.count('attestations on the chain');
  if (isKnown) return;
  const what = content
    ? `${content.kind === 0 ? 'commits' : 'retracts'} ${content.treeSize === 1 ? '1 etch' : `${content.treeSize} etches`}, root ${root.toString('hex')}`
    : 'with data that this service does not write';
  report.fault(
    'attestation',
    uid,
    `of ${new Date(time * 1000).toISOString()} ${what}: the database does not have it; it is older than its chain, or a different one`,
  );
}
