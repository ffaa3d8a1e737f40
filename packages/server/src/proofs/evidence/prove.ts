import type { Rpc } from '../../chain/client.ts';
import { EndpointFault } from '../../chain/json-rpc.ts';
import { ChainUnavailable, type Hex, WrongChain } from '../../chain/port.ts';
import { toNumber, toRecord } from '../../chain/rpc-values.ts';
import { rebuildBlock, receiptRlp, type RebuiltBlock } from './rebuild.ts';
import { receiptTrie } from './receipt-trie.ts';
import { Unprovable } from './unprovable.ts';

export interface TransactionProof {
  header: Hex;
  transactionIndex: number;
  nodes: Hex[];
}

const MOST_ALONE = 2_000;
const AT_ONCE = 4;

/**
 * Endpoints are not trusted: the header must hash to the block's hash, the receipts to its root.
 * @throws {ChainUnavailable} an `Unprovable` if the answers give no proof
 */
export async function proveTransaction(
  rpc: Rpc,
  { txHash, blockHash }: { txHash: string; blockHash: string },
): Promise<TransactionProof> {
  const block = await rpc.requestKnown('eth_getBlockByHash', [blockHash, false], (answer) =>
    answer === null ? null : rebuildBlock(answer, blockHash),
  );
  if (block === null) throw new Unprovable('block');
  const transactionIndex = block.transactions.indexOf(txHash as Hex);
  if (transactionIndex < 0) throw new Unprovable('log');
  return { header: block.header, transactionIndex, nodes: await nodesOf(rpc, block, transactionIndex) };
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
  const found: unknown[] = [];
  for (let from = 0; from < hashes.length; from += AT_ONCE)
    found.push(
      ...(await Promise.all(
        hashes
          .slice(from, from + AT_ONCE)
          .map((hash) => rpc.requestKnown('eth_getTransactionReceipt', [hash], (answer) => answer)),
      )),
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
export function isPassing(error: ChainUnavailable): boolean {
  return error instanceof WrongChain || (error instanceof EndpointFault && error.kind !== 'large');
}
