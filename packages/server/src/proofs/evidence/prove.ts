// Proves by its block that a transaction was mined, from answers of endpoints that nobody trusts.
import { toBytes, toRlp } from 'viem';
import type { Rpc } from '../../chain/client.ts';
import { EndpointFault, NodeError, toNumber, toRecord } from '../../chain/json-rpc.ts';
import { ChainUnavailable, type Hex, WrongChain } from '../../chain/port.ts';
import {
  type Reason,
  REASONS,
  rebuildBlock,
  type RebuiltBlock,
  receiptRlp,
  receiptTrie,
  Unprovable,
} from './rebuild.ts';
import { mapAtOnce } from '../../platform/flow/time-slices.ts';
import { toTime } from '../../db/clock.ts';
import type { ProofWork } from '../witnesses/store.ts';
import { proofOfBatch, type Where } from './assemble.ts';
import { batchesOf, type DueTransaction, keepProof, keepReason, type KeptProof, takeDue } from './store.ts';

const MOST_ALONE = 2_000;
const RECEIPTS_AT_ONCE = 4;

/**
 * Endpoints are not trusted: the header must hash to the block's hash, the receipts to its root.
 * @throws {ChainUnavailable} an `Unprovable` if the answers give no proof
 */
async function proveTransaction(rpc: Rpc, { txHash, blockHash }: DueTransaction): Promise<KeptProof> {
  const block = await rpc.requestKnown('eth_getBlockByHash', [blockHash, false], (answer) =>
    answer === null ? null : rebuildBlock(answer, blockHash),
  );
  if (block === null) throw new Unprovable('block');
  const index = block.transactions.indexOf(txHash as Hex);
  if (index < 0) throw new Unprovable('log');
  const nodes = toRlp(await nodesOf(rpc, block, index), 'bytes');
  return { header: toBytes(block.header), transaction_index: index, nodes };
}

async function nodesOf(rpc: Rpc, block: RebuiltBlock, index: number): Promise<Hex[]> {
  let together: ChainUnavailable = new Unprovable('receipts');
  try {
    const nodes = await rpc.requestKnown(
      'eth_getBlockReceipts',
      [`0x${block.number.toString(16)}`],
      (answer) => (answer === null ? null : nodesBy(answer, block, index)),
    );
    if (nodes !== null) return nodes;
  } catch (error) {
    // Some endpoints lack this method: read receipts one by one.
    if (!(error instanceof ChainUnavailable) || isPassing(error)) throw error;
    together = error;
  }
  if (block.transactions.length > MOST_ALONE) throw together;
  return nodesBy(await receiptsAlone(rpc, block.transactions), block, index);
}

async function receiptsAlone(rpc: Rpc, hashes: readonly Hex[]): Promise<unknown[]> {
  const found = await mapAtOnce(hashes, RECEIPTS_AT_ONCE, (hash) =>
    rpc.requestKnown('eth_getTransactionReceipt', [hash], (answer) => answer),
  );
  if (found.includes(null)) throw new Unprovable('receipts');
  return found;
}

function nodesBy(answer: unknown, { transactions, receiptsRoot }: RebuiltBlock, index: number): Hex[] {
  if (!Array.isArray(answer) || answer.length !== transactions.length) throw new Unprovable('root');
  const receipts = answer
    .map(toRecord)
    .map((receipt) => ({ at: toNumber(receipt['transactionIndex']), receipt }))
    .sort((a, b) => a.at - b.at)
    .map(({ receipt }) => receiptRlp(receipt));
  const { root, nodes } = receiptTrie(receipts, index);
  if (root !== receiptsRoot) throw new Unprovable('root');
  return nodes;
}

/** The endpoint failed; the block may still be provable. */
const isPassing = (error: ChainUnavailable): boolean =>
  error instanceof WrongChain || (error instanceof EndpointFault && error.kind !== 'large');

interface ProverOptions extends ProofWork {
  rpc: Rpc;
  where: Where;
}

const AT_ONCE = 8;

/** Proves each final transaction once. A failure is retried later and delays no other transaction. */
export function createProver(options: ProverOptions): () => Promise<void> {
  const { db, now } = options;
  return async () => {
    for (const due of await takeDue(db, toTime(now()), AT_ONCE)) if (!(await prove(due, options))) return;
  };
}

async function prove(due: DueTransaction, { db, now, rpc, where, log }: ProverOptions): Promise<boolean> {
  try {
    const kept = await proveTransaction(rpc, due);
    for (const batch of await batchesOf(db, due.txId))
      if (proofOfBatch(kept, batch, where) === undefined) throw new Unprovable('log');
    await keepProof(db, due, kept);
    return true;
  } catch (error) {
    if (!(error instanceof ChainUnavailable)) throw error;
    const passing = isPassing(error);
    const wait = REASONS[reasonOf(error)];
    const { givenUp } = await keepReason(db, due, toTime(now()), { wait, passing });
    if (givenUp)
      log.warn(
        { tx_hash: due.txHash, block: due.blockHash, reason: wait },
        'evidence: a transaction cannot be proven now; the next try follows a request for its evidence',
      );
    return !passing;
  }
}

function reasonOf(error: ChainUnavailable): Reason {
  if (error instanceof Unprovable) return error.reason;
  if (error instanceof NodeError) return 'receipts';
  return error instanceof EndpointFault && error.kind === 'large' ? 'receipts' : 'unreachable';
}
