import type { Attestation, Block, Hex, Receipt } from '../../chain/port.ts';
import { attestationData, mismatch } from '../attestation.ts';
import { toHex } from '../ledger/bytes.ts';
import { fence } from '../ledger/lease.ts';
import { requeue } from '../recovery/requeue.ts';
import { markMined, markSafe } from '../ledger/moves.ts';
import { batchesOf, revokedCommitments } from '../ledger/transactions.ts';
import type { Attempt, BatchRow, LedgerTx } from '../ledger/transactions.ts';
import type { Sight, Work } from '../work.ts';

export interface Mined {
  receipt: Receipt;
  block: Block;
}

/** The block that holds one of a transaction's signed forms, asked for each of them; null is no evidence. */
export async function findMined(work: Work, attempts: readonly Attempt[]): Promise<Mined | null> {
  for (const attempt of attempts) {
    const receipt = await work.chain.receipt(attempt.hash);
    if (!receipt || receipt.txHash.toLowerCase() !== attempt.hash) continue;
    const block = await work.chain.blockByNumber(receipt.blockNumber);
    if (block && block.hash === receipt.blockHash) return { receipt, block };
  }
  return null;
}

/**
 * A mined transaction becomes final here: its block is deep enough and canonical, and everything it was to write is
 * read back from the contract. What does not fit is left for another look.
 */
export async function settle(
  work: Work,
  sight: Sight,
  tx: LedgerTx,
  mined: Mined,
): Promise<'mined' | 'safe' | 'lost'> {
  const { receipt, block } = mined;
  if (tx.state !== 'MINED' || tx.blockHash !== block.hash) {
    await work.failpoint('before-mined');
    await markMined(work.db, tx.id, {
      hash: receipt.txHash.toLowerCase() as Hex,
      number: block.number,
      blockHash: block.hash,
      timestamp: block.timestamp,
    });
    Object.assign(tx, { state: 'MINED', blockNumber: block.number, blockHash: block.hash });
    await work.failpoint('after-mined');
  }
  if (block.number > sight.final.number) return 'mined';
  if (tx.action === 'fill') return finish(work, tx, block, []);
  if (tx.action === 'revoke') return settleRevocations(work, tx, block);
  const fault = faultOf(tx, mined);
  if (fault) return failed(work, sight, tx, mined, fault);
  return settleAttestations(work, tx, mined);
}

/** Why a mined transaction did not do its work, in words. */
function faultOf(tx: LedgerTx, { receipt, block }: Mined): string | undefined {
  if (!receipt.succeeded) return 'it was reverted';
  if (block.timestamp < Math.floor(tx.notBefore / 1000)) return 'its block is older than what it holds';
  return undefined;
}

async function settleAttestations(
  work: Work,
  tx: LedgerTx,
  { receipt, block }: Mined,
): Promise<'mined' | 'safe'> {
  const batches = await batchesOf(work.db, tx.id);
  const uids = receipt.logs.filter((entry) => entry.event === 'Attested').map((entry) => entry.uid);
  // More than there are batches where the database is older than the chain, and does not know all leaves (adopt.ts).
  const sent = work.chain.decodeAttest(tx.calldata)?.length ?? batches.length;
  if (uids.length !== sent || new Set(uids).size !== uids.length) {
    return doubt(work, tx, `${uids.length} attestations were logged where ${sent} were sent`);
  }
  const ours = batches.map((batch) => uids[batch.position]!);
  const found = await readAll(work, ours);
  for (const [at, batch] of batches.entries()) {
    const attestation = found[at];
    if (!attestation) return doubt(work, tx, 'an attestation cannot be read back yet');
    const wrong = mismatch(attestation, { ...expected(work, batch), uid: ours[at]!, time: block.timestamp });
    if (wrong) return doubt(work, tx, `an attestation read back has ${wrong}`);
  }
  return finish(
    work,
    tx,
    block,
    batches.map((batch, at) => ({ batchId: batch.id, uid: ours[at]!, time: block.timestamp })),
  );
}

function expected(work: Work, batch: BatchRow) {
  const { root, kind, tree_version: treeVersion, tree_size: treeSize } = batch;
  return {
    schema: work.chain.schemaUid,
    attester: work.chain.relayer,
    data: attestationData({ root, kind, treeVersion, treeSize }),
    revocable: treeVersion === 0,
  };
}

/** A revocation has happened when the commitment's own attestation says so, whichever transaction did it. */
async function settleRevocations(work: Work, tx: LedgerTx, block: Block): Promise<'mined' | 'safe' | 'lost'> {
  const rows = (await revokedCommitments(work.db, tx.id)).filter((row) => !row.done);
  if (rows.some((row) => !row.uid)) return 'mined'; // the commitment is pending again: it goes first
  const uids = rows.map((row) => toHex(row.uid!));
  const found = await readAll(work, uids);
  const anchored: { batchId: number; uid: Hex; time: number }[] = [];
  for (const [at, row] of rows.entries()) {
    const attestation = found[at];
    if (!attestation) return doubt(work, tx, 'a revoked attestation cannot be read back yet');
    if (attestation.uid.toLowerCase() !== uids[at])
      return doubt(work, tx, 'an attestation read back has another uid');
    if (attestation.revocationTime > 0) {
      anchored.push({ batchId: row.batch_id, uid: uids[at], time: attestation.revocationTime });
    }
  }
  if (anchored.length === rows.length) return finish(work, tx, block, anchored);
  if (work.problems.suspect(`unrevoked ${tx.id}`) < work.rules.looks) {
    return doubt(work, tx, 'an attestation is not revoked yet');
  }
  return requeue(work, tx, { note: 'it did not revoke everything', unsigned: false, anchored });
}

async function finish(
  work: Work,
  tx: LedgerTx,
  block: Block,
  anchored: { batchId: number; uid: Hex; time: number }[],
): Promise<'mined' | 'safe'> {
  // The chain may have moved while it was read, and what is final on one fork is nothing to a node on another one.
  const agreed = await work.chain.isAgreed(block);
  if (agreed === false) return doubt(work, tx, 'another block is in the place of its block');
  if (agreed === null) return 'mined';
  await work.failpoint('before-settle');
  const safe = await work.db.tx(async (inner) => {
    await fence(inner, work.holder);
    return markSafe(inner, tx.id, block.hash, anchored);
  });
  if (!safe) return 'mined';
  work.log.info(
    { nonce: tx.nonce, block: block.number, attestations: anchored.length },
    'anchoring: anchored',
  );
  await work.failpoint('after-settle');
  return 'safe';
}

/**
 * Its nonce is spent in a final block and it did not do its work: the etches go back in the queue. Not on the word of
 * one endpoint: if it lied, they would be attested twice.
 */
async function failed(
  work: Work,
  sight: Sight,
  tx: LedgerTx,
  mined: Mined,
  note: string,
): Promise<'mined' | 'lost'> {
  if (sight.minedNonce <= tx.nonce || work.problems.suspect(`failed ${tx.id}`) < work.rules.looks) {
    return doubt(work, tx, note);
  }
  const agreed = await work.chain.agreedReceipt(mined.receipt.txHash);
  if (!agreed || agreed.block.hash !== mined.block.hash || faultOf(tx, agreed) === undefined)
    return doubt(work, tx, `${note}, but not every endpoint says so`);
  return requeue(work, tx, { note, unsigned: false, anchored: [] });
}

function doubt(work: Work, tx: LedgerTx, what: string): 'mined' {
  work.problems.report(`a mined transaction is not what it should be: ${what}`, { nonce: tx.nonce });
  return 'mined';
}

const READS_AT_ONCE = 10;

async function readAll({ chain }: Work, uids: readonly Hex[]): Promise<(Attestation | null)[]> {
  const found: (Attestation | null)[] = [];
  for (let from = 0; from < uids.length; from += READS_AT_ONCE) {
    found.push(
      ...(await Promise.all(uids.slice(from, from + READS_AT_ONCE).map((uid) => chain.attestation(uid)))),
    );
  }
  return found;
}
