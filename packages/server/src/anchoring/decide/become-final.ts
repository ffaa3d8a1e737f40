import type { Block } from '../../chain/port.ts';
import type { Anchored } from '../ledger/moves.ts';
import type { LedgerTx } from '../ledger/transactions.ts';
import { ask, type Decision, type Mined, unsure, type View, WAIT, wait, type Wait } from './decision.ts';

export const markMined = ({ facts }: View): Decision => ({ do: 'mark-mined', mined: facts.mined! });

/**
 * The block must be canonical and deep enough, and every attestation read back. Otherwise the next tick looks
 * again.
 */
export function becomeFinal(view: View): Decision {
  const { tx, sight, facts } = view;
  const mined = facts.mined!;
  const { block } = mined;
  if (tx.blockHash !== block.hash) return markMined(view);
  if (block.number > sight.final.number) return WAIT;
  if (tx.action === 'fill') return markFinal(view, block, []);
  const fault = tx.action === 'attest' ? faultOf(tx, mined) : undefined;
  if (fault) return failed(view, mined, fault);
  const { readBack } = facts;
  if (!readBack) return ask('readBack');
  switch (readBack.verdict) {
    case 'holds':
      return markFinal(view, block, readBack.anchored);
    case 'pending':
      return WAIT;
    case 'doubt':
      return doubt(view, readBack.what);
    case 'unrevoked':
      return (
        unsure(view, { kind: 'unrevoked', tx: tx.id }, doubt(view, 'an attestation is not revoked yet')) ?? {
          do: 'requeue',
          note: 'it did not revoke everything',
          anchored: readBack.anchored,
        }
      );
  }
}

function faultOf(tx: LedgerTx, { receipt, block }: Mined): string | undefined {
  if (!receipt.succeeded) return 'it was reverted';
  if (block.timestamp < Math.floor(tx.notBefore / 1000)) return 'its block is older than its newest etch';
  return undefined;
}

/** Queues the etches again. A second endpoint must agree, or a lying endpoint would get them attested twice. */
function failed(view: View, mined: Mined, note: string): Decision {
  const { tx, sight, facts } = view;
  if (tx.sender !== sight.relayer || sight.minedNonce <= tx.nonce) return doubt(view, note);
  const early = unsure(view, { kind: 'failed', tx: tx.id }, doubt(view, note));
  if (early) return early;
  const { secondOpinion: second } = facts;
  if (second === undefined) return ask('secondOpinion');
  if (!second || second.block.hash !== mined.block.hash || faultOf(tx, second) === undefined)
    return doubt(view, `${note}, but not every endpoint agrees`);
  return { do: 'requeue', note, anchored: [] };
}

function markFinal(view: View, block: Block, anchored: readonly Anchored[]): Decision {
  const { blockAgreed } = view.facts;
  if (blockAgreed === undefined) return ask('blockAgreed');
  if (blockAgreed === false) return doubt(view, 'another block replaced its block');
  return blockAgreed === null ? WAIT : { do: 'mark-final', block, anchored };
}

const doubt = (view: View, what: string): Wait =>
  wait(view, `CHAIN_RPC_URL: a mined transaction does not match the ledger: ${what}`);
