import { parseReceipt, type Receipt, verifySignature } from '@svc/protocol';
import { checkBatch } from '../batch.ts';
import { parseEvidence } from '../evidence/evidence-form.ts';
import { verifyEvidence } from '../evidence/verify-evidence.ts';
import type { Trust } from '../trust.ts';
import { checkWords } from '../words.ts';
import type { Misfits } from './misfit.ts';

/** @throws {ReceiptError} when malformed */
export function checkReceiptFits(
  misfits: Misfits,
  value: unknown,
  id: string | undefined,
  trust: Trust | undefined,
): Receipt {
  const receipt = parseReceipt(value);
  const { chain, canonical_string: canonical, inclusion } = receipt;
  if (id !== undefined) misfits.same(receipt, { etch_id: id.toLowerCase() });
  const words = checkWords(receipt, verifySignature);
  if (words.verdict === 'fail') misfits.add('canonical_string', canonical, words.detail);
  const batch = checkBatch(receipt);
  if (batch.verdict === 'fail') misfits.add('inclusion.root', inclusion?.root, batch.detail);
  // Null while pending; else the root, or the etch's hash without a tree.
  if (batch.verdict === 'pass' || batch.verdict === 'info')
    misfits.same(receipt, { 'chain.expect_onchain': batch.expectedRoot });
  if (trust !== undefined) {
    misfits.same(receipt, {
      'chain.chain_id': trust.chainId,
      'chain.attestation_contract': trust.contract,
      'chain.schema_uid': trust.schemaUid,
    });
    const isTrusted = trust.relayers.includes(chain.relayer);
    misfits.need(isTrusted, 'chain.relayer', chain.relayer, trust.relayers.join(' or '));
  }
  return receipt;
}

/**
 * Assumes that the blocks are on the chain.
 * @throws {EvidenceError} when malformed
 * @throws {ReceiptError} when its receipt is malformed
 */
export async function checkEvidenceFits(
  misfits: Misfits,
  value: unknown,
  id: string | undefined,
  trust: Trust | undefined,
): Promise<void> {
  const evidence = parseEvidence(value);
  const { chain } = checkReceiptFits(misfits.within('receipt'), evidence.receipt, id, trust);
  if (misfits.found.length > 0) return;
  const named: Trust = {
    chainId: chain.chain_id,
    contract: chain.attestation_contract,
    schemaUid: chain.schema_uid,
    relayers: [chain.relayer],
  };
  const { checks } = await verifyEvidence(evidence, trust ?? named, () =>
    Promise.resolve({ state: 'known' }),
  );
  if (checks[2].verdict === 'fail') misfits.add('commitment', chain.attestation_uid, checks[2].detail);
}
