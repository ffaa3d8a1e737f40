import { toRlp } from 'viem';
import type { Rpc } from '../../chain/client.ts';
import { EndpointFault, NodeError } from '../../chain/json-rpc.ts';
import { ChainUnavailable } from '../../chain/port.ts';
import { toTime } from '../../db/clock.ts';
import type { Db } from '../../db/db.ts';
import { proofOfBatch, type Where } from './assemble.ts';
import { isPassing, proveTransaction } from './prove.ts';
import { batchesOf, type DueTransaction, keepProof, keepReason, takeDue } from './store.ts';
import { type Reason, REASONS, Unprovable } from './unprovable.ts';

export interface ProverOptions {
  db: Db;
  now: () => number;
  rpc: Rpc;
  where: Where;
  log: { warn(fields: object, message: string): void };
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
    const { header, transactionIndex, nodes } = await proveTransaction(rpc, due);
    const made = { header, transactionIndex, nodes: toRlp(nodes) };
    const kept = {
      header: Buffer.from(header.slice(2), 'hex'),
      transaction_index: transactionIndex,
      nodes: Buffer.from(made.nodes.slice(2), 'hex'),
    };
    for (const batch of await batchesOf(db, due.txId))
      if (proofOfBatch(kept, batch, where) === undefined) throw new Unprovable('log');
    await keepProof(db, due, made);
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
