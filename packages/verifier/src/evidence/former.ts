import { hexToBytes } from '@svc/protocol';
import { parseEvidence } from './evidence-form.ts';
import type { Evidence } from './evidence-form.ts';
import { EvidenceError } from './rlp.ts';

/** Evidence on a chain that the service left (docs/protocol.md#48-evidence). */
export const FORMER = 'former-chain';

/**
 * Oldest chain first. Check each with `verifyEvidence` and the trust and a block hash of its own chain.
 * @throws {EvidenceError} when it is malformed, or for a different etch
 * @throws {ReceiptError} when a receipt in it is malformed
 * @example
 * formerEvidence({ ...evidence, witnesses: [] }); // []
 */
export function formerEvidence({ receipt, witnesses = [] }: Evidence): Evidence[] {
  return witnesses
    .filter(({ kind }) => kind === FORMER)
    .map(({ proof }) => {
      const former = parseEvidence(readJson(proof));
      const { etch_id, hash, author, chain } = former.receipt;
      if (etch_id !== receipt.etch_id || hash !== receipt.hash || author.user_id !== receipt.author.user_id)
        throw new EvidenceError(`the evidence of the chain ${chain.chain_id} is of a different etch`);
      if (former.witnesses !== undefined)
        throw new EvidenceError(`the evidence of the chain ${chain.chain_id} has witnesses of its own`);
      return former;
    });
}

function readJson(hex: string): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(hexToBytes(hex.slice(2))));
  } catch {
    throw new EvidenceError(`a witness of the kind ${FORMER} is not JSON`);
  }
}
